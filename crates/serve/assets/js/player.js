// Plays golden trajectories; those that belong together, side by side.

import { $, make, number, setText } from "./dom.js";
import { Film } from "./film.js";
import { Playback } from "./playback.js";
import { energyLines, legend, plot } from "./plots.js";
import { say } from "./say.js";
import { asked, remember } from "./share.js";
import { bodyColor, onTheme, reducedMotion } from "./theme.js";

/** Coordinates that are plotted at most. */
const COORDINATES = 6;

let list = null;
let films = [];
let playback = null;

export function handle() {
  playback = new Playback("film", { last, time, draw, rest, grows: () => false });
  $("film-name").addEventListener("change", () => open($("film-name").value, 0));
  window.addEventListener("resize", again);
  onTheme(again);
}

const again = () => films.length && playback.go(playback.step);

/** Shows the player: what the address asks for, or where it was. */
export async function enter() {
  if (!list) await readList();
  if (!list?.length) return;
  const { golden, step: at } = asked();
  const wanted = list.some((one) => one.name === golden) ? golden : null;
  if (wanted || films.length === 0) await open(wanted ?? first(), wanted ? at : 0);
  else again();
}

const first = () => (list.find((one) => one.scenario === "rod") ?? list[0]).name;

async function readList() {
  try {
    // Bodies in space have a tab of their own.
    list = (await read("/golden")).filter((one) => !one.space);
  } catch (error) {
    list = null;
    return about(`The list of trajectories cannot be read: ${error.message}`);
  }
  if (list.length === 0) {
    $("film-name").disabled = true;
    return about("The server knows no trajectories. They come with Etalon's repository: start `etalon serve` at its root, or name a folder of trajectories with --golden.");
  }
  // Of two that belong side by side, one entry shows both.
  const shown = list.filter((one) => !(one.beside && one.name.startsWith("corner-et-")));
  const title = (one) => (one.beside ? `${one.name.replace("-st-", " ")}: ST against ET` : one.name);
  const groups = Map.groupBy ? Map.groupBy(shown, (one) => one.scenario) : shown.reduce((map, one) => map.set(one.scenario, [...(map.get(one.scenario) ?? []), one]), new Map());
  const options = [...groups].map(([scenario, members]) =>
    make("optgroup", { label: scenario }, ...members.map((one) => make("option", { value: one.name }, title(one)))),
  );
  $("film-name").replaceChildren(...options);
}

const about = (text) => setText($("film-about"), text);

async function open(name, at) {
  pause();
  const entry = list.find((one) => one.name === name);
  if (!entry) return;
  const names = entry.beside ? [entry.name, entry.beside].sort().reverse() : [entry.name];
  $("film-name").value = entry.beside ? names[0] : name;
  try {
    const sent = await Promise.all(names.map(fetchFilm));
    sideBySide(sent);
    films = sent.map((film) => new Film(film, film.name));
  } catch (error) {
    return about(error.message);
  }
  about(entry.description);
  $("film-views").replaceChildren(...films.flatMap((film) => film.elements()));
  $("film-steps").replaceChildren(...films.map(() => make("div")));
  playback.go(at);
  say(`${name}: ${last()} steps`);
  if (!reducedMotion() && at === 0) playback.play();
}

/** Films that are compared show the same piece of the world. */
function sideBySide(sent) {
  const views = sent.length > 1 ? sent.flatMap((film) => film.views) : [];
  const low = [0, 1].map((k) => Math.min(...views.map((view) => view.low[k])));
  const high = [0, 1].map((k) => Math.max(...views.map((view) => view.high[k])));
  for (const view of views) [view.low, view.high] = [low, high];
}

const fetchFilm = (name) => read(`/golden/${encodeURIComponent(name)}`);

/** What the server answers, or its reason for not answering: a refusal is no JSON. */
export async function read(path) {
  const response = await fetch(path);
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const record = response.headers.get("content-type")?.startsWith("application/json");
  throw new Error(record ? JSON.parse(text).message : text.trim() || `status ${response.status}`);
}

const last = () => Math.max(0, ...films.map((film) => film.last()));
const time = (k) => (films.length ? films[0].film.frames[Math.min(k, films[0].last())].t : 0);

export const pause = () => playback.pause();

/** The address follows where the film stands. */
function rest() {
  if (films.length && !$("golden").hidden) remember({ golden: films[0].film.name, step: String(playback.step) });
}

function draw(step) {
  if (films.length === 0) return;
  films.forEach((film) => film.draw(step));
  films.forEach((film, f) => facts($("film-steps").children[f], film, step));
  plots(step);
}

function facts(element, { film }, step) {
  const frame = film.frames[Math.min(step, film.frames.length - 1)];
  const bits = make("span", { class: "bits" });
  for (const bit of frame.lcp.basis) bits.append(make("span", bit === "1" ? { class: "one" } : {}));
  const rows = [
    ["trajectory", film.name],
    ["formulation", [film.formulation, film.scheme, film.arithmetic].filter(Boolean).join(", ")],
    ["LCP", frame.lcp.n > 0 ? `${frame.lcp.n} unknowns, ${frame.lcp.pivots ?? "–"} pivots` : "none in this step"],
    ["basis", bits],
    ["energy", `${number(frame.energy.kinetic + frame.energy.potential)} J, dissipated ${number(frame.dissipated)} J`],
    ...frame.contacts.filter((contact) => contact.normal > 0).slice(0, 8).map((contact) => [contact.pair, `normal impulse ${number(contact.normal)} N s`]),
  ];
  element.replaceChildren(make("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])));
}

function plots(step) {
  const range = [0, time(last())];
  const mark = time(step);
  const energy = films.flatMap(({ film }, f) => {
    const lines = energyLines(film.frames.map((frame) => ({ time: frame.t, ...frame.energy })));
    const own = films.length > 1 ? [{ ...lines[2], color: bodyColor(f), name: `total, ${film.formulation ?? film.name}` }] : lines;
    return own;
  });
  plot($("film-energy"), energy, range, { unit: "J", mark });
  legend($("film-energy-legend"), energy);
  const { film } = films[0];
  const states = film.coordinates.slice(0, COORDINATES).map((name, k) => ({ name, color: bodyColor(k), points: film.frames.map((frame) => [frame.t, frame.q[k]]) }));
  plot($("film-state"), states, range, { unit: "", mark });
  legend($("film-state-legend"), states);
  const more = film.coordinates.length - COORDINATES;
  $("film-state").setAttribute("aria-label", `Coordinates over time: ${film.coordinates.slice(0, COORDINATES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`);
}
