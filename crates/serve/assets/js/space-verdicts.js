// What is said of the steps of a motion in space: the judge's word on the step's problem, and the laws.

import { context } from "./dom.js";
import { colors } from "./theme.js";

/** Steps of implicit surfaces have a proof, or none: what is not proved is not wrong by that. */
const PROOFS = { proved: "exact", unproved: "none" };

/** How a step stands: `exact`, `accepted`, `wrong`, or `none` where nothing was judged. */
export function worst(frame) {
  const verdict = PROOFS[frame.verdict] ?? frame.verdict;
  if (frame.broken.length > 0 || (verdict && !["exact", "accepted", "none"].includes(verdict))) return "wrong";
  return verdict ?? "none";
}

/** The judge's word on the step's problem; of steps at corners there is none. */
export function word(frame) {
  if (frame.k === 0) return "the start";
  return frame.verdict ?? (frame.contacts.length > 0 ? "no verdict" : "no problem");
}

/** What the oracle says of the step. */
export function laws(frame, motion) {
  if (frame.k === 0) return "No step has been taken.";
  if (motion.unjudged) return "Laws are not asked.";
  const count = frame.broken.length;
  if (count === 0) return motion.recorded ? "The step comes out again to the digit, and all laws hold." : "All laws hold.";
  return count === 1 ? "One thing does not hold." : `${count} things do not hold.`;
}

/** All steps in a sentence. */
export function counted(frames) {
  const steps = frames.slice(1);
  const of = (kind) => steps.filter((frame) => worst(frame) === kind).length;
  const proofs = steps.some((frame) => frame.verdict in PROOFS);
  // Steps at corners are exact by their rule, and the laws alone are asked of them.
  const bare = steps.some((frame) => !frame.verdict && frame.contacts.length > 0);
  const parts = [
    [of("exact"), proofs ? "proved" : "exact"],
    [of("accepted"), "accepted"],
    [of("none"), proofs ? "not proved" : bare ? "without a verdict" : "without a problem"],
    [of("wrong"), "wrong"],
  ];
  const list = parts.filter(([count, name]) => count > 0 || name === "wrong").map(([count, name]) => `${count} ${name}`);
  return `${steps.length} steps: ${list.join(", ")}.`;
}

/** All steps as a strip in the colours of their verdicts, with a mark at the one that is shown. */
export function strip(canvas, frames, steps, at) {
  if (canvas.clientWidth === 0) return;
  const { pen, width, height } = context(canvas);
  const all = Math.max(steps, 1);
  const x = (k) => (width * k) / all;
  const color = { exact: colors.good, accepted: colors.accent, wrong: colors.bad, none: colors.line };
  pen.fillStyle = colors.grid;
  pen.fillRect(0, 0, width, height);
  // What is wrong is drawn last and a pixel wide, so that one step of thousands is seen.
  for (const kind of ["none", "exact", "accepted", "wrong"]) {
    pen.fillStyle = color[kind];
    frames.forEach((frame, k) => {
      if (k > 0 && worst(frame) === kind) pen.fillRect(x(k - 1), 0, Math.max(kind === "wrong" ? 2 : 0.5, x(k) - x(k - 1)), height - 4);
    });
  }
  pen.fillStyle = colors.ink;
  pen.fillRect(Math.min(width - 2, Math.max(0, x(at) - 1)), 0, 2, height);
  canvas.setAttribute("aria-label", `Verdicts: ${counted(frames)}`);
}
