// Bodies in numbers, and a sentence for who does not see the picture.

import { $, make, number, setText } from "./dom.js";
import { carried, contactForce, state, weight } from "./state.js";
import { bodyColor } from "./theme.js";

/** New rows for the bodies of a scene. */
export function layTable() {
  const rows = state.moving.map((k, order) => {
    const swatch = make("span", { class: "swatch" });
    swatch.style.background = bodyColor(order);
    const name = make("th", { scope: "row" }, swatch, `${order + 1} ${state.shapes[k].name}`);
    return make("tr", { "data-body": k }, name, ...[0, 1, 2, 3, 4].map(() => make("td")));
  });
  $("bodies").tBodies[0].replaceChildren(...rows);
}

/** Forces of contacts on a body, added up as vectors. */
function pushed(k) {
  const sum = [0, 0];
  for (const contact of state.frame.contacts) {
    const sign = contact.first === k ? 1 : contact.second === k ? -1 : 0;
    for (const axis of [0, 1]) sum[axis] += sign * contactForce(contact)[axis];
  }
  return Math.hypot(...sum);
}

export function fillTable() {
  const { frame } = state;
  if (!frame) return;
  for (const row of $("bodies").tBodies[0].rows) {
    const k = Number(row.dataset.body);
    const { position, angle, velocity } = frame.bodies[k];
    const cells = [...position.map((x) => x.toFixed(4)), angle.toFixed(4), Math.hypot(...velocity).toFixed(4), number(pushed(k), 2)];
    cells.forEach((text, column) => setText(row.cells[column + 1], text.replace("-", "\u2212")));
  }
  const speed = Math.max(0, ...state.moving.map((k) => Math.hypot(...frame.bodies[k].velocity)));
  const rest = speed < 1e-3 ? "At rest." : `The fastest body moves at ${number(speed, 2)} metres a second.`;
  setText($("stage-now"), `${frame.running ? "Running" : "Paused"} at ${frame.time.toFixed(1)} seconds. ${rest} What stays carries ${number(carried(), 2)} newtons of a weight of ${number(weight(), 2)}.`);
}
