// Keys: thrusters while they are held, and run, step, reset.

import { $, make } from "./dom.js";
import { say } from "./say.js";
import { state } from "./state.js";
import { showFiring } from "./world.js";

/** Which set of thrusters a key belongs to, and where it pushes. */
const THRUSTERS = {
  KeyS: [0, "left"], KeyF: [0, "right"], KeyE: [0, "up"], KeyD: [0, "down"],
  KeyJ: [1, "left"], KeyL: [1, "right"], KeyI: [1, "up"], KeyK: [1, "down"],
  ArrowLeft: [1, "left"], ArrowRight: [1, "right"], ArrowUp: [1, "up"], ArrowDown: [1, "down"],
};

const held = new Set();
/** The bodies that the two sets drive. */
const driven = [null, null];
let send = () => {};

/** Letters where the layout has them; codes for what is no letter. */
function name(event) {
  const letter = event.key.length === 1 && /[a-z]/i.test(event.key) ? event.key.toUpperCase() : null;
  return letter ? `Key${letter}` : event.code || event.key;
}

/** Keys act where nothing else wants them. */
function ours(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if ($("world").hidden) return false;
  return event.target === document.body || event.target === document.documentElement || event.target === $("stage");
}

function fire() {
  const firing = [...held].map((key) => THRUSTERS[key]).flatMap(([set, direction]) => (driven[set] === null ? [] : [{ body: driven[set], direction }]));
  const unlike = firing.filter((one, k) => firing.findIndex((other) => other.body === one.body && other.direction === one.direction) === k);
  send({ type: "thrust", firing: unlike });
  showFiring(unlike);
}

export function handle(link, commands) {
  send = (message) => link.send(message);
  document.addEventListener("keydown", (event) => {
    if (!ours(event)) return;
    const key = name(event);
    if (THRUSTERS[key]) {
      event.preventDefault();
      if (!held.has(key)) {
        held.add(key);
        $("stage-hint").classList.add("gone");
        fire();
      }
      return;
    }
    const command = { Space: "run", ".": "step", 0: "reset" }[event.code === "Space" ? "Space" : event.key];
    if (command) {
      event.preventDefault();
      if (!event.repeat || command === "step") commands[command]();
    } else if (/^[1-9]$/.test(event.key)) {
      choose(0, state.moving[Number(event.key) - 1]);
    }
  });
  document.addEventListener("keyup", (event) => {
    if (held.delete(name(event))) fire();
  });
  window.addEventListener("blur", quiet);
  for (const set of [0, 1]) $(`driven-${set}`).addEventListener("change", (event) => choose(set, Number(event.target.value)));
}

/** Puts all thrusters out. */
export function quiet() {
  if (held.size === 0) return;
  held.clear();
  fire();
}

function choose(set, body) {
  if (body === undefined || !state.moving.includes(body)) return;
  driven[set] = body;
  $(`driven-${set}`).value = String(body);
  say(`${set === 0 ? "S, F, E and D" : "J, L, I, K and the arrows"} drive ${state.shapes[body].name}`);
  fire();
}

/** Offers the bodies of a new scene. */
export function offer() {
  for (const set of [0, 1]) {
    const kept = state.moving.includes(driven[set]);
    driven[set] = kept ? driven[set] : (state.moving[set] ?? state.moving[0] ?? null);
    const options = state.moving.map((k, order) => make("option", { value: k }, `${order + 1}: ${state.shapes[k].name}`));
    $(`driven-${set}`).replaceChildren(...options);
    $(`driven-${set}`).value = String(driven[set]);
  }
  held.clear();
  showFiring([]);
}
