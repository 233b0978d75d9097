// The LCP panel: the matrix as a heat map, index sets as they pivot, and the exact verdict.

import { $, context, number, setText } from "./dom.js";
import { dot, label } from "./draw.js";
import { state } from "./state.js";
import { bodyColor, colors } from "./theme.js";

/** Index sets are found by the server up to so many rows. */
const ROWS = 24;

let kind = "forces";

export function handle(redraw) {
  // An entry is named under the mouse, or where a finger was put down.
  for (const event of ["pointermove", "pointerdown"]) $("heat").addEventListener(event, point);
  $("heat").addEventListener("pointerleave", (event) => event.pointerType === "mouse" && point({ clientX: -1, clientY: -1 }));
  for (const name of ["forces", "impulses"]) {
    $(`lcp-${name}`).addEventListener("click", () => {
      kind = name;
      for (const other of ["forces", "impulses"]) $(`lcp-${other}`).setAttribute("aria-pressed", String(other === name));
      redraw();
    });
  }
}

/** A row: the bodies that it holds apart, or keeps from sliding. */
const rowName = (lcp, i) => `${short(lcp.pairs[i][0])} · ${short(lcp.pairs[i][1])}${lcp.friction[i] ? " t" : ""}`;

/** A body as rows name it: its number, or a wall's first letter. */
function short(k) {
  const order = state.moving.indexOf(k);
  return order >= 0 ? String(order + 1) : (state.shapes[k]?.name ?? "?").slice(0, 5);
}

export function drawLcp() {
  if ($("heat").clientWidth === 0) return;
  const lcp = state.lcp[kind];
  const rubs = lcp?.friction.includes(true) ?? false;
  setText($("formula"), `a = A f + b ≥ 0, f ≥ 0, a·f = 0${rubs ? "; friction |f| ≤ μ f of its normal, and a = 0 where it holds" : ""}`);
  $("sets-friction").hidden = !rubs;
  verdict(lcp);
  ruling();
  heat(lcp);
  sets(lcp);
  counts();
}

function verdict(lcp) {
  const right = lcp && (lcp.verdict === "exact" || lcp.verdict === "accepted");
  $("reason").hidden = !lcp?.reason || right;
  setText($("reason"), lcp?.reason ?? "");
  $("unique").hidden = !lcp?.uniqueness || !right;
  $("verdict").dataset.verdict = !lcp ? "none" : right ? lcp.verdict : "wrong";
  setText($("verdict-word"), lcp ? lcp.verdict : kind === "forces" ? "no contact" : "no collision yet");
  if (!lcp) return setText($("verdict-error"), "");
  const error = lcp.error === null ? "no answer to measure" : `error ${lcp.error === 0 ? "0" : exponent(lcp.error)}`;
  const ridge = lcp.ridge > 0 ? `, ridge ${exponent(lcp.ridge)}` : "";
  setText($("verdict-error"), `${error}${ridge}, ${lcp.n} ${lcp.n === 1 ? "row" : "rows"}, ${lcp.pivots} ${lcp.pivots === 1 ? "pivot" : "pivots"}`);
}

/** The verdict on the solver that moves the world, beside its choice. */
function ruling() {
  const subject = state.frame?.subject;
  const element = $("ruling");
  element.dataset.verdict = !subject?.verdict ? "none" : subject.accepted ? "right" : "wrong";
  element.dataset.subject = String(Boolean(subject));
  if (!subject) return setText(element, "The engine's own solver, which checks its answers.");
  // The reason stands in the watch, once.
  const said = subject.verdict ? `${subject.verdict}. ` : "Nothing touches. ";
  const apart = subject.apart === null ? "" : ` Apart from the right motion by ${number(subject.apart, 3)} m.`;
  const engine = subject.engine_acts ? " It had no answer: the engine's forces act." : "";
  setText(element, `${said}${subject.wrong} of ${subject.judged} judged were wrong.${apart}${engine}`);
}

const exponent = (value) => value.toExponential(1).replace("e-", "e\u2212").replace("e+", "e");

function shade(pen, value, largest) {
  const part = largest > 0 ? Math.abs(value) / largest : 0;
  pen.fillStyle = value >= 0 ? colors.accent : colors.bodies[1];
  // The root keeps small entries in sight.
  pen.globalAlpha = value === 0 ? 0 : 0.08 + 0.6 * Math.sqrt(part);
}

function heat(lcp) {
  const { pen, width, height } = context($("heat"));
  const n = lcp?.n ?? 0;
  const whole = n > 0 && lcp.a.length === n * n;
  $("heat").setAttribute("aria-label", whole ? `Matrix A of ${n} rows; ${lcp.clamped.filter(Boolean).length} in C` : "No matrix to show");
  if (!whole) {
    label(pen, n > 0 ? `${n} rows: too many to draw` : "nothing touches", [width / 2, height / 2], { color: colors.soft, align: "center" });
    place = null;
    setText($("heat-legend"), "");
    return;
  }
  const left = 62;
  const columns = [["f", lcp.f], ["b", lcp.b]];
  const cell = Math.min(40, (height - 18) / n, (width - left - 20) / (n + 3.2));
  const [top, values] = [16, n <= 6 && cell > 24];
  const largest = Math.max(...lcp.a.map(Math.abs));
  const box = (x, y, value, most, text) => {
    shade(pen, value, most);
    pen.fillRect(x, y, cell - 1, cell - 1);
    pen.globalAlpha = 1;
    if (text) label(pen, number(value, 1), [x + cell / 2, y + cell / 2], { size: 11, align: "center", bare: true });
  };
  // Names as often as there is room for a line of text.
  const every = Math.ceil(11 / cell);
  place = { lcp, left, top, cell, largest };
  const across = left + n * cell;
  label(pen, "A", [left + (n * cell) / 2, 7], { size: 11, align: "center", color: colors.soft });
  for (let i = 0; i < n; i += 1) {
    const y = top + i * cell;
    if (i % every === 0) label(pen, rowName(lcp, i), [left - 20, y + cell / 2], { size: 11, align: "right", color: colors.soft });
    const size = Math.min(9, cell - 2);
    pen.fillStyle = colors.force;
    pen.strokeStyle = lcp.clamped[i] ? colors.force : colors.soft;
    pen.lineWidth = 1;
    const corner = [left - 13, y + (cell - size) / 2 - 0.5, size, size];
    if (lcp.clamped[i]) pen.fillRect(...corner);
    pen.strokeRect(...corner);
    for (let j = 0; j < n; j += 1) box(left + j * cell, y, lcp.a[i * n + j], largest, values);
    columns.forEach(([, column], c) => {
      const most = Math.max(...column.map(Math.abs));
      box(across + 10 + c * (1.4 * cell + 4), y, column[i], most, values);
    });
  }
  columns.forEach(([name], c) => label(pen, name, [across + 10 + c * (1.4 * cell + 4) + cell / 2, 7], { size: 11, align: "center", color: colors.soft }));
  tell();
}

/** Where the heat map is, and the entry under the pointer. */
let place = null;
let pointed = null;

function tell() {
  const { lcp, largest } = place;
  const legend = `teal positive, amber negative; the largest entry of A is ${number(largest, 2)} per kg`;
  const [i, j] = pointed ?? [lcp.n, 0];
  if (i >= lcp.n || j >= lcp.n) return setText($("heat-legend"), legend);
  const row = `row ${i} (${rowName(lcp, i)}): f = ${number(lcp.f[i], 3)}, b = ${number(lcp.b[i], 3)}`;
  setText($("heat-legend"), `${row}; A to row ${j} (${rowName(lcp, j)}) is ${number(lcp.a[i * lcp.n + j], 3)}`);
}

function point(event) {
  if (!place) return;
  const frame = $("heat").getBoundingClientRect();
  const at = (offset, begin) => Math.floor((offset - begin) / place.cell);
  const [j, i] = [at(event.clientX - frame.left, place.left), at(event.clientY - frame.top, place.top)];
  pointed = i >= 0 && j >= 0 && i < place.lcp.n && j < place.lcp.n ? [i, j] : null;
  tell();
}

/** The index sets after each step; with friction, where the drive to zero is another one, those of the answer. */
function stepsOf(lcp) {
  if (!lcp.friction.includes(true)) return lcp.sets;
  const rows = [...lcp.clamped.keys()];
  return [{ driven: null, clamped: rows.filter((i) => lcp.clamped[i]), separating: rows.filter((i) => !lcp.clamped[i]) }];
}

function sets(lcp) {
  const { pen, width, height } = context($("sets"));
  const steps = lcp ? stepsOf(lcp) : [];
  const n = lcp?.n ?? 0;
  if (steps.length === 0) {
    const idle = n > 0 && lcp.b.every((b) => b >= 0);
    const why = n === 0 ? "" : n > ROWS ? `shown up to ${ROWS} rows` : idle ? "nothing to drive: b ≥ 0" : "no exact forces: rounded, redundant rows";
    label(pen, why, [width / 2, height / 2], { color: colors.soft, align: "center" });
    $("sets").setAttribute("aria-label", `Index sets: ${why || "no contact"}`);
    return;
  }
  const cell = Math.min(26, (height - 4) / n, (width - 46) / steps.length);
  const radius = Math.max(2, 0.32 * cell);
  for (let i = 0; i < n; i += 1) {
    const y = 2 + (i + 0.5) * cell;
    const [first] = lcp.pairs[i];
    if (cell > 9) label(pen, String(i), [30, y], { size: 10, align: "right", color: state.moving.includes(first) ? bodyColor(state.moving.indexOf(first)) : colors.soft });
    steps.forEach((set, k) => {
      const at = [44 + (k + 0.5) * cell, y];
      if (set.clamped.includes(i)) dot(pen, at, radius, colors.force);
      else if (set.separating.includes(i)) {
        pen.lineWidth = 1;
        pen.strokeStyle = colors.soft;
        pen.beginPath();
        pen.arc(...at, radius, 0, 2 * Math.PI);
        pen.stroke();
      } else dot(pen, at, 1.2, colors.line);
      if (set.driven === i) dot(pen, at, radius + 2, null, colors.accent);
    });
  }
  const last = steps.at(-1);
  $("sets").setAttribute("aria-label", `${lcp.friction.includes(true) ? "In the answer" : `After ${steps.length} steps`} C is {${last.clamped.join(", ")}} and NC is {${last.separating.join(", ")}}`);
}

function counts() {
  const { frame } = state;
  if (!frame) return;
  const { judged, verdicts } = frame;
  const total = judged.forces + judged.impulses;
  const now = total === 0 ? "This frame: nothing to judge." : `This frame: ${total} judged, worst ${exponent(judged.worst_error)}.`;
  setText($("counts"), `${now} Since the start: ${verdicts.judged} judged, ${verdicts.exact} exact, ${verdicts.accepted} within 1e\u22129, ${verdicts.wrong} wrong; worst ${exponent(verdicts.worst_error)}.`);
}
