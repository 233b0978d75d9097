// Motions of bodies in space: asked of the server, step by step, and played while they come.

import { $, make, number, setText } from "./dom.js";
import { Playback } from "./playback.js";
import { read } from "./player.js";
import { energyLines, legend, plot } from "./plots.js";
import { say } from "./say.js";
import { asked, remember } from "./share.js";
import { onTheme, reducedMotion } from "./theme.js";
import * as verdicts from "./space-verdicts.js";

const { word, worst } = verdicts;

/** The scene that the tab opens on: its box slides, turns, and stops. */
const FIRST = "box-slide";
/** What may be set in place of the scene's own. */
const SETTINGS = ["method", "cone", "impact", "steps"];

let send = () => false;
let complain = () => {};
/** The scenes that the server knows by name. */
let kinds = [];
/** The number of the last question; answers to others are late. */
let id = 0;
/** What moves, and its frames so far. */
let motion = null;
let frames = [];
let done = true;
/** The scene of a file. */
let own = null;
let playback = null;
/** The picture in space; false where the browser has none. */
let picture = null;
/** The last question, until its last step has come: asked again after a reconnection. */
let question = null;
/** The frame to stop at when it is there, as the address says. */
let wanted = 0;
/** What was last said of a frame. */
let spoken = "";

export function handle(link, complaint) {
  send = (message) => link.send(message);
  complain = complaint;
  playback = new Playback("motion", { last: () => Math.max(0, frames.length - 1), time: (k) => frames[k]?.time ?? 0, draw, rest, grows: () => !done });
  for (const name of ["name", ...SETTINGS]) $(`motion-${name}`).addEventListener("change", () => chosen());
  $("motion-load").addEventListener("change", load);
  $("motion-next").addEventListener("click", nextFault);
  $("motion-whole").addEventListener("click", () => picture && picture.whole(frames));
  $("motion-stage").addEventListener("keydown", keys);
  window.addEventListener("resize", again);
  onTheme(() => {
    if (picture) picture.paint();
    again();
  });
}

/** The server is there, with the scenes that it knows by name. Of a motion it knows nothing. */
export function offer(list) {
  kinds = list;
  if (question) ask(question);
  else if (!$("space").hidden && motion === null) enter();
}

/** Shows the tab: what the address asks for, or where it was. */
export async function enter() {
  if (kinds.length === 0) return;
  if (picture === null) await makePicture();
  if ($("motion-name").options.length === 0) await offerAll();
  const { space, motion: stored, step } = asked();
  const value = space ? `scene ${space}` : stored ? `file ${stored}` : null;
  const known = value !== null && [...$("motion-name").options].some((option) => option.value === value);
  if (known) $("motion-name").value = value;
  if (known || motion === null) chosen(step);
  else again();
}

export const pause = () => playback.pause();

async function makePicture() {
  const { makeSpace } = await import("./space-picture.js");
  picture = makeSpace($("motion-stage"));
  $("motion-flat").hidden = Boolean(picture);
  $("motion-stage").hidden = !picture;
  $("motion-whole").hidden = !picture;
}

async function offerAll() {
  const scenes = kinds.map((kind) => make("option", { value: `scene ${kind.name}` }, kind.name));
  let stored = [];
  try {
    stored = (await read("/golden")).filter((one) => one.space);
  } catch (error) {
    complain(`The list of trajectories cannot be read: ${error.message}`);
  }
  const files = stored.map((one) => make("option", { value: `file ${one.name}` }, one.name));
  const groups = [make("optgroup", { label: "scenes" }, ...scenes)];
  if (files.length > 0) groups.push(make("optgroup", { label: "trajectories" }, ...files));
  $("motion-name").replaceChildren(...groups, make("option", { value: "own", hidden: "" }, "own scene"));
  $("motion-name").value = `scene ${kinds.some((kind) => kind.name === FIRST) ? FIRST : kinds[0]?.name}`;
}

/** Asks for what is chosen. */
function chosen(step = 0) {
  const [kind, ...rest] = $("motion-name").value.split(" ");
  const name = rest.join(" ");
  // A trajectory has been computed as it is, and a named scene has the settings that it has.
  const known = kinds.find((one) => kind === "scene" && one.name === name)?.settings;
  const free = (setting) => kind !== "file" && (setting === "steps" || !known || known.includes(setting));
  for (const setting of SETTINGS) $(`motion-${setting}`).disabled = !free(setting);
  const set = Object.fromEntries(SETTINGS.filter(free).map((setting) => [setting, $(`motion-${setting}`).value]).filter(([, value]) => value !== ""));
  if (kind === "file") ask({ trajectory: name }, step);
  else if (kind === "scene") ask({ scenario: name, set }, step);
  else if (own) ask({ scene: { ...own, motion: { ...own.motion, ...set, ...(set.steps && { steps: Number(set.steps) }) } } }, step);
}

function ask(what, step = 0) {
  playback.pause();
  id += 1;
  question = what;
  wanted = step;
  done = true;
  setText($("motion-end"), "");
  send({ type: "motion", id, ...what });
}

async function load(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  try {
    own = JSON.parse(await file.text());
    $("motion-name").value = "own";
    chosen();
  } catch (error) {
    complain(`${file.name} cannot be loaded: ${error.message}. Write a scene with etalon scenario run box-slide --scene.`);
  }
}

/** A motion begins. */
export function take(message) {
  if (message.id !== id) return;
  motion = message;
  frames = [message.start];
  done = false;
  spoken = "";
  const recorded = message.recorded ? "a trajectory, each step taken again from the line before it" : `${message.solver} answers`;
  setText($("motion-about"), `${message.description}${message.description ? ". " : ""}${message.method}, ${message.cone}, h = ${number(message.h, 5)} s; ${recorded}.`);
  setText($("motion-unjudged"), message.unjudged ? `The steps are not held against the laws: ${message.unjudged}.` : "");
  if (picture) picture.stage(message);
  playback.go(0);
  say(`${message.name}: ${message.steps} steps`);
  if (!reducedMotion() && wanted === 0) playback.play();
}

/** A step of it. */
export function takeFrame({ id: of, frame }) {
  if (of !== id || !motion) return;
  frames.push(frame);
  if (picture) picture.reach(frame);
  if (frame.k === wanted && !playback.playing) playback.go(frame.k);
  else progress();
}

/** No more steps follow. */
export function takeEnd({ id: of, reason }) {
  if (of !== id) return;
  done = true;
  question = null;
  const counts = verdicts.counted(frames);
  setText($("motion-end"), reason ? `The motion ended before its last step: ${reason}` : "");
  again();
  say(reason ? `The motion ended early: ${reason}` : counts);
}

/** The server refused something; where it was the motion, there is none to ask for again. */
export function refused() {
  if (done) question = null;
}

const again = () => motion && playback.go(playback.step);

function rest() {
  if (!motion || $("space").hidden) return;
  const [kind, ...name] = $("motion-name").value.split(" ");
  const step = playback.step === 0 ? {} : { step: String(playback.step) };
  if (kind === "scene") remember({ space: name.join(" "), ...step });
  else if (kind === "file") remember({ motion: name.join(" "), ...step });
  else remember({ space: "own" });
  heard();
}

let due = false;

/** What changes with every step that comes, at most once a painted frame. */
function progress() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    if (!motion) return;
    $("motion-slider").max = String(frames.length - 1);
    summary();
  });
}

function summary() {
  verdicts.strip($("motion-verdicts"), frames, motion.steps, playback.step);
  setText($("motion-counts"), `${verdicts.counted(frames)}${done ? "" : ` ${motion.steps - frames.length + 1} steps are still to come.`}`);
  $("motion-next").hidden = !frames.some((frame) => worst(frame) === "wrong");
}

function nextFault() {
  const after = (from) => frames.findIndex((frame, k) => k > from && worst(frame) === "wrong");
  const next = after(playback.step);
  playback.pause();
  playback.go(next > 0 ? next : after(0));
  heard();
}

function draw(k) {
  if (!motion) return;
  const frame = frames[k];
  if (picture) picture.show(frame);
  verdict(frame);
  summary();
  table(frame);
  plots(frame);
  setText($("motion-now"), words(frame));
}

function verdict(frame) {
  const at = worst(frame);
  $("motion-verdict").dataset.verdict = at;
  setText($("motion-word"), word(frame));
  setText($("motion-laws"), verdicts.laws(frame, motion));
  const broken = $("motion-broken");
  broken.hidden = frame.broken.length === 0;
  broken.replaceChildren(...frame.broken.map((fault) => make("li", {}, fault)));
}

const size = (vector) => Math.hypot(...vector);

/** The mean friction of a contact, with its torque about the normal. */
function friction({ friction, torsion }) {
  const force = friction ? number(size(friction) / motion.h) : "not known";
  return torsion === undefined ? force : `${force}, ${number(torsion / motion.h)} N m`;
}

function table(frame) {
  const rows = frame.contacts.map((contact) =>
    [contact.pair, number(contact.gap, 6), number(size(contact.normal) / motion.h), friction(contact)].map((text, k) =>
      k === 0 ? make("th", { scope: "row" }, text) : make("td", {}, text),
    ),
  );
  const joints = frame.joints.map((joint) => [make("th", { scope: "row" }, joint.joint), make("td", {}, number(joint.drift, 6)), make("td", {}, "joint"), make("td", {})]);
  $("motion-contacts").tBodies[0].replaceChildren(...[...rows, ...joints].map((cells) => make("tr", {}, ...cells)));
  const moving = motion.bodies.filter((body) => body.moves);
  const bodies = moving.map((body, b) => {
    const cells = frame.poses[b].map((value) => make("td", {}, number(value)));
    return make("tr", {}, make("th", { scope: "row" }, body.name), ...cells);
  });
  $("motion-bodies").tBodies[0].replaceChildren(...bodies);
}

function plots(frame) {
  const canvas = $("motion-energy");
  if (canvas.clientWidth === 0) return;
  const lines = energyLines(frames);
  plot(canvas, lines, [0, Math.max(motion.h * motion.steps, frames.at(-1).time)], { unit: "J", mark: frame.time });
  legend($("motion-energy-legend"), lines);
  canvas.setAttribute("aria-label", `Energy: kinetic ${number(frame.kinetic)} J, potential ${number(frame.potential)} J`);
}

/** A frame in words, for those who do not see the picture. */
function words(frame) {
  const moving = motion.bodies.filter((body) => body.moves);
  const places = moving.slice(0, 4).map((body, b) => `${body.name} at ${frame.poses[b].slice(0, 3).map((value) => number(value, 2)).join(", ")} metres`);
  return `Step ${frame.k}, ${number(frame.time)} seconds. ${word(frame)}. ${verdicts.laws(frame, motion)} ${frame.contacts.length} contacts. ${places.join("; ")}.`;
}

/** Says what has changed since it was last said, while the film stands. */
function heard() {
  const frame = frames[playback.step];
  const text = `${word(frame)}. ${verdicts.laws(frame, motion)}`;
  if (text !== spoken && !playback.playing) say(`Step ${frame.k}: ${text}`);
  spoken = text;
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const act = {
    " ": () => playback.toggle(),
    ".": () => playback.turn(1),
    ",": () => playback.turn(-1),
    0: () => playback.turn(-playback.step),
    "+": () => picture && picture.zoom(0.9),
    "-": () => picture && picture.zoom(1 / 0.9),
    Home: () => picture && picture.whole(frames),
  };
  const turn = turns[event.key];
  if (turn && picture) picture.turn(...turn);
  else if (act[event.key]) act[event.key]();
  else return;
  event.preventDefault();
}

