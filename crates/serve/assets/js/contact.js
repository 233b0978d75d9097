// One contact in space: the page asks, the server finds the answers, and the judge decides on them.

import { drawCone, planeAt } from "./cone.js";
import { $, make, number, setText } from "./dom.js";
import { say } from "./say.js";
import { onTheme } from "./theme.js";

/** A step of the arrow keys; the sliders have the same. */
const STEP = 0.1;
/** Contacts to choose from: M, and the data that show what is meant. */
const KINDS = [
  { name: "a mass point", m: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], mu: 0.7, q: [-3, 2.5, 1], about: "M is the identity: a force changes the velocity along itself alone." },
  { name: "a corner of a box", m: [[2, 0.8, 0.3], [0.8, 1.5, -0.2], [0.3, -0.2, 1.2]], mu: 0.5, q: [-3, 2, -1.5], about: "M couples the normal with the plane: a body that turns slips when it is pressed." },
  { name: "three answers", m: [[1, 1, 0], [1, 2, 0], [0, 0, 1]], mu: 2, q: [1, 5, 0], about: "M is symmetric and positive definite, and the contact still has three answers." },
];

const contact = { kind: 0, law: "coulomb", mu: KINDS[0].mu, q: [...KINDS[0].q], r: [2, -1, 0], own: false };
/** In place of a mode. */
const YOURS = "yours";
let link = null;
let shown = null;
/** A question is on its way; the next one waits for its answer. */
let asking = false;
let wanted = false;

const visible = () => !$("cone").hidden;

function question() {
  const { law, mu, q } = contact;
  const ask = { type: "contact", m: KINDS[contact.kind].m, q, mu, law };
  return contact.own ? { ...ask, r: contact.r } : ask;
}

function ask() {
  wanted = true;
  if (asking || !visible()) return;
  asking = link.send(question());
  wanted = !asking;
}

/** Shows the tab. */
export function enter() {
  fill();
  ask();
  draw();
}

/** A connection is new: what was asked of the one before is lost. */
export function connected() {
  asking = false;
  if (visible()) ask();
}

/** Takes answers of the server. */
export function take(message) {
  asking = false;
  shown = message;
  if (wanted) ask();
  tell();
  draw();
}

/** A question was refused; the next one may be asked. */
export function refused() {
  asking = false;
}

function draw() {
  if (visible()) drawCone(contact, shown);
}

/** Sets the sliders, and the words beside them, to the numbers. */
function fill() {
  const put = (id, value) => {
    $(id).value = String(value);
    setText($(id).nextElementSibling, number(value, 2));
  };
  put("contact-mu", contact.mu);
  for (const k of [0, 1, 2]) {
    put(`contact-q-${k}`, contact.q[k]);
    put(`contact-r-${k}`, contact.r[k]);
  }
  for (const element of document.querySelectorAll("#contact-form .own")) element.hidden = !contact.own;
  $("own-legend").hidden = !contact.own;
  $("contact-drag-q").setAttribute("aria-pressed", String(!contact.own));
  $("contact-drag-r").setAttribute("aria-pressed", String(contact.own));
  const { m, about } = KINDS[contact.kind];
  setText($("contact-matrix"), `u = M r + q with M = (${m.map((row) => row.join(" ")).join("; ")}). ${about}`);
  setText($("contact-formula"), contact.law === "coulomb" ? "0 ≤ r_N ⊥ u_N ≥ 0; |r_T| ≤ μ r_N, against u_T where it slips" : "r ∈ K, u ∈ K*, r·u = 0: sliding lifts, u_N = μ |u_T|");
}

const exponent = (value) => (value === 0 ? "0" : value.toExponential(1).replace("e-", "e\u2212").replace("e+", "e"));
const triple = (values) => values.map((value) => number(Math.abs(value) < 5e-13 ? 0 : value, 2)).join(", ");

/** The verdict in a word, and its figure. */
function figure(answer) {
  const outside = answer.negativity > 0 ? `, ${exponent(answer.negativity)} outside of its cone` : "";
  return `${answer.verdict}: ${answer.error === null ? "no figure" : `block error ${exponent(answer.error)}`}${outside}`;
}

/** The answer that is told for all of them: one that is not accepted, else the one with the largest error. */
function worst(answers) {
  const badness = (answer) => (answer.accepted ? answer.error ?? 0 : Infinity);
  return answers.reduce((most, answer) => (!most || badness(answer) > badness(most) ? answer : most), undefined);
}

function tell() {
  const { answers, own } = shown;
  const first = own ?? worst(answers);
  const verdict = !first ? "none" : first.accepted ? first.verdict : "wrong";
  const modes = answers.map((answer) => answer.mode);
  const mode = own ? "your force" : modes.join(" or ") || "no answer was found";
  for (const id of ["contact-verdict", "contact-now"]) $(id).dataset.verdict = verdict;
  setText($("contact-mode"), mode);
  // Beside the picture too: on a phone the panel is far below the finger.
  const now = !own && answers.length > 1 ? `${answers.length} answers` : mode;
  setText($("contact-now"), first ? `${now}: ${first.verdict}` : now);
  setText($("contact-error"), first ? figure(first) : "");
  $("contact-reason").hidden = !own?.reason || own.accepted;
  setText($("contact-reason"), own?.reason ?? "");
  const rows = own ? [{ ...own, mode: YOURS }, ...answers] : answers;
  const row = (answer) =>
    make(
      "tr",
      { class: answer.accepted ? "right" : "wrong" },
      make("th", { scope: "row" }, answer.mode, answer.proved || answer.mode === YOURS ? "" : make("small", {}, " not proved")),
      make("td", { class: "word", title: figure(answer) }, answer.verdict),
      make("td", { class: "triple" }, triple(answer.r)),
      make("td", { class: "triple" }, triple(answer.u)),
    );
  $("answers").tBodies[0].replaceChildren(...rows.map(row));
  const count = ["No answer was found.", "One answer was found."][answers.length] ?? `${answers.length} answers were found: the law does not decide between them.`;
  const proof = answers.every((answer) => answer.proved) ? "Proved: a box at r holds a solution of that mode." : "A mode that is not proved is about to change to another.";
  setText($("contact-count"), answers.length > 0 ? `${count} ${proof}` : count);
}

const rounded = (value) => Math.round(Math.min(6, Math.max(-6, value)) / STEP) * STEP;

/** Moves what is dragged, along the plane. */
function move([s, t]) {
  const target = contact.own ? contact.r : contact.q;
  [target[1], target[2]] = [Number(rounded(s).toFixed(6)), Number(rounded(t).toFixed(6))];
  change();
}

function change() {
  fill();
  ask();
  draw();
}

function choose(own) {
  contact.own = own;
  say(own ? "Dragging moves a force of your own" : "Dragging moves the velocity");
  change();
}

function open(kind) {
  const { mu, q } = KINDS[kind];
  Object.assign(contact, { kind, mu, q: [...q] });
  change();
}

function pointer() {
  const canvas = $("cone-above");
  let holding = null;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    move(planeAt([event.clientX - box.left, event.clientY - box.top], contact.own));
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || holding !== null) return;
    holding = event.pointerId;
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that is gone already lets go below.
    }
    at(event);
  });
  canvas.addEventListener("pointermove", (event) => event.pointerId === holding && at(event));
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
    canvas.addEventListener(name, (event) => {
      if (event.pointerId === holding) holding = null;
    });
  }
  const steps = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
  canvas.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const [, s, t] = contact.own ? contact.r : contact.q;
    move([s + step[0], t + step[1]]);
  });
}

export function handle(connection) {
  link = connection;
  $("contact-kind").replaceChildren(...KINDS.map(({ name }, k) => make("option", { value: String(k) }, name)));
  $("contact-kind").addEventListener("change", () => open(Number($("contact-kind").value)));
  $("contact-law").addEventListener("change", () => {
    contact.law = $("contact-law").value;
    change();
  });
  $("contact-drag-q").addEventListener("click", () => choose(false));
  $("contact-drag-r").addEventListener("click", () => choose(true));
  const number = (id, set) =>
    $(id).addEventListener("input", () => {
      set(Number($(id).value));
      change();
    });
  number("contact-mu", (value) => {
    contact.mu = value;
  });
  for (const k of [0, 1, 2]) {
    number(`contact-q-${k}`, (value) => {
      contact.q[k] = value;
    });
    number(`contact-r-${k}`, (value) => {
      contact.r[k] = value;
    });
  }
  $("contact-form").addEventListener("submit", (event) => event.preventDefault());
  pointer();
  window.addEventListener("resize", draw);
  onTheme(draw);
}
