// The world on its canvas.

import { $, context, number, setText } from "./dom.js";
import { arrow, dot, fitted, forces, grid, label, lengths, line, polygons, scaleBar } from "./draw.js";
import { carried, contactForce, state, weight } from "./state.js";
import { bodyColor, colors, onTheme } from "./theme.js";
import { View, box, placed } from "./view.js";

/** Sizes of forces are written where there are at most so many contacts. */
const NAMED = 40;
/** How much of a wall is seen, m. */
const RIM = 0.28;

export const view = new View();
let limit = { low: [0, 0], high: [0, 0] };
/** The room between walls, if there are walls on all sides. */
let room = null;
let reference = 1;
let waiting = false;
/** The thrusters that fire, as keys.js has them. */
let firing = [];

export function showFiring(list) {
  firing = list;
  redraw();
}

/** Draws once before the screen is next painted. */
export function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

const place = (k) => (state.frame ? state.frame.bodies[k] : state.scene.bodies[k]);

function outline(k) {
  const { position, angle } = place(k);
  return state.shapes[k].loops.map((loop) => loop.map((point) => placed(point, position, angle)));
}

/** The curves of body k that hold points of others, in the world. */
function wires(k) {
  const { position, angle } = place(k);
  return (state.shapes[k].wires ?? []).map((wire) => wire.map((point) => placed(point, position, angle)));
}

/** Frames the room: all that moves, and the near faces of what stays. */
export function frameScene() {
  const points = (k) => outline(k).flat();
  const moving = state.moving.flatMap(points);
  for (const joint of state.scene.connectors) {
    const at = (name, point) => {
      const k = state.scene.bodies.findIndex((body) => body.name === name);
      const cm = state.scene.bodies[k].center_of_mass;
      const body = place(k);
      return [placed([point[0] - cm[0], point[1] - cm[1]], body.position, body.angle), body.position, k];
    };
    if (joint.kind === "path") {
      const k = state.scene.bodies.findIndex((body) => body.name === joint.other);
      moving.push(...wires(k).flat());
      continue;
    }
    const [a, , i] = at(joint.body, joint.at);
    const [, centre, j] = at(joint.other, joint.other_at);
    if (state.shapes[i].fixed === state.shapes[j].fixed) continue;
    const far = Math.hypot(a[0] - centre[0], a[1] - centre[1]);
    moving.push([a[0] - far, a[1] - far], [a[0] + far, a[1] + 0.2]);
  }
  const own = box(moving) ?? { low: [-1, -1], high: [1, 1] };
  const fixed = state.shapes.flatMap((shape, k) => (shape.fixed && shape.loops.length ? [box(points(k))] : []));
  // As far as bodies may get: to the walls, or twice as far as now.
  const size = Math.max(own.high[0] - own.low[0], own.high[1] - own.low[1], 1);
  const [low, high] = [own.low.map((x) => x - size), own.high.map((x) => x + size)];
  const faces = [0, 0, 0, 0];
  for (const wall of fixed) {
    for (const k of [0, 1]) {
      if (wall.high[k] <= own.low[k] + 0.05) [low[k], faces[k]] = [faces[k] ? Math.max(low[k], wall.high[k]) : wall.high[k], 1];
      if (wall.low[k] >= own.high[k] - 0.05) [high[k], faces[k + 2]] = [faces[k + 2] ? Math.min(high[k], wall.low[k]) : wall.low[k], 1];
    }
  }
  room = faces.every(Boolean) ? { low: [...low], high: [...high] } : null;
  limit = { low: low.map((x) => x - RIM), high: high.map((x) => x + RIM) };
  // Near enough to see what there is, with room to move; it grows when bodies move out of it.
  const margin = state.scene.connectors.length > 0 ? 0.5 : Math.max(1.2, 0.45 * size);
  view.show(own.low.map((x, k) => Math.max(x - margin, limit.low[k])), own.high.map((x, k) => Math.min(x + margin, limit.high[k])));
  reference = 1;
  redraw();
}

function draw() {
  const canvas = $("stage");
  if (!state.scene || canvas.clientWidth === 0) return;
  for (const point of state.moving.flatMap((k) => outline(k).flat())) view.include(point, limit);
  const { pen, width, height } = context(canvas);
  view.fit(width, height);
  if (room) {
    pen.fillStyle = colors.wall;
    pen.fillRect(0, 0, width, height);
    const [[left, top], [right, bottom]] = [view.pixel([room.low[0], room.high[1]]), view.pixel([room.high[0], room.low[1]])];
    pen.fillStyle = colors.card;
    pen.fillRect(left, top, right - left, bottom - top);
  }
  const step = grid(pen, view, width, height);
  state.shapes.forEach((shape, k) => {
    if (shape.fixed) polygons(pen, outline(k).map((loop) => loop.map((p) => view.pixel(p))), colors.wall, room ? null : colors.line, 1);
  });
  connectors(pen);
  state.moving.forEach((k, order) => body(pen, k, order));
  flames(pen);
  if (state.frame) {
    beside(pen);
    contacts(pen, height);
    hand(pen);
  }
  scaleBar(pen, view, step, width, height);
  words();
}

function body(pen, k, order) {
  const color = bodyColor(order);
  const loops = outline(k).map((loop) => loop.map((p) => view.pixel(p)));
  pen.globalAlpha = 0.24;
  polygons(pen, loops, color, null);
  pen.globalAlpha = 1;
  polygons(pen, loops, null, color, 2);
  const { position, angle } = place(k);
  const round = state.shapes[k].loops[0]?.length > 20;
  if (round) line(pen, [view.pixel(position), view.pixel(placed(state.shapes[k].loops[0][0], position, angle))], color, 1.5);
  if (state.moving.length > 1 && state.moving.length <= 12) {
    label(pen, String(order + 1), view.pixel(position), { color, align: "center", bold: true });
  }
}

/** Where the bodies would be by right forces. */
function beside(pen) {
  const subject = state.frame.subject;
  if (!subject || !(subject.apart > 1e-3)) return;
  for (const k of state.moving) {
    const { position, angle } = subject.beside[k];
    for (const loop of state.shapes[k].loops) {
      const points = loop.map((point) => view.pixel(placed(point, position, angle)));
      line(pen, [...points, points[0]], colors.accent, 1.5, [6, 4]);
    }
  }
}

function connectors(pen) {
  state.shapes.forEach((_, k) => {
    for (const wire of wires(k)) line(pen, wire.map((point) => view.pixel(point)), colors.soft, 1.5);
  });
  for (const joint of state.scene.connectors) {
    const sides = joint.kind === "path" ? [[joint.body, joint.at]] : [[joint.body, joint.at], [joint.other, joint.other_at]];
    const ends = sides.map(([name, point]) => {
      const k = state.scene.bodies.findIndex((body) => body.name === name);
      const cm = state.scene.bodies[k].center_of_mass;
      const { position, angle } = place(k);
      const centre = state.shapes[k].fixed ? null : view.pixel(position);
      return { at: view.pixel(placed([point[0] - cm[0], point[1] - cm[1]], position, angle)), centre };
    });
    for (const end of ends) if (end.centre) line(pen, [end.at, end.centre], colors.soft, 1.5);
    if (joint.kind === "rope") line(pen, [ends[0].at, ends[1].at], colors.soft, 1.5, joint.rod ? [] : [5, 4]);
    dot(pen, ends[0].at, 3, colors.soft);
  }
}

function contacts(pen, height) {
  const acting = state.frame.contacts.filter((contact) => Math.abs(contact.force) > 1e-9);
  const sizes = acting.map((contact) => Math.hypot(...contactForce(contact)));
  const largest = Math.max(0, ...sizes, ...state.frame.right.map((force) => Math.hypot(...force)));
  // The scale follows slowly, so that lines are comparable from frame to frame; after a blow it is back in two seconds.
  reference = Math.max(largest, 0.93 * reference, weight() / Math.max(1, state.moving.length), 1e-9);
  const pixels = (0.17 * height) / reference;
  const names = state.moving.length > 12 ? [] : state.moving.map((k) => view.pixel(place(k).position));
  const drawn = acting.map((contact, k) => {
    const [x, y] = contactForce(contact);
    return { at: view.pixel(contact.point), along: [x * pixels, -y * pixels], newtons: sizes[k], joint: contact.joint };
  });
  for (const { at, along, joint } of drawn) {
    if (joint) line(pen, [at, [at[0] + along[0], at[1] + along[1]]], colors.force, 1.5, [3, 3]);
  }
  const { right } = state.frame;
  $("force-legend").hidden = right.length === 0;
  if (right.length > 0) {
    // A solver's forces that were not accepted, a little aside, so that both are seen.
    for (const { at, along } of drawn) {
      const length = Math.hypot(...along) || 1;
      const from = [at[0] + (7 * along[1]) / length, at[1] - (7 * along[0]) / length];
      arrow(pen, from, fitted(pen, from, along).along, colors.bad, 2.5, [5, 4]);
    }
    const proper = state.frame.contacts.map((contact, k) => ({ ...contact, force: right[k][0], friction: right[k][1] }));
    const kept = proper.filter((contact) => Math.abs(contact.force) > 1e-9 && !contact.joint);
    const list = kept.map((contact) => {
      const [x, y] = contactForce(contact);
      return { at: view.pixel(contact.point), along: [x * pixels, -y * pixels], newtons: Math.hypot(x, y) };
    });
    setText($("force-lengths"), lengths(forces(pen, list, list.length <= NAMED, names)));
    return;
  }
  const resting = drawn.filter((one) => !one.joint);
  setText($("force-lengths"), lengths(forces(pen, resting, resting.length <= NAMED, names)));
}

function flames(pen) {
  for (const { body: k, direction } of firing) {
    const thruster = state.thrusters.find((thruster) => thruster.body === k);
    if (!thruster) continue;
    const { position, angle } = place(k);
    const away = { left: [1, 0], right: [-1, 0], up: [0, -1], down: [0, 1] }[direction];
    const from = view.pixel(placed(thruster.at, position, angle));
    const [dx, dy] = placed(away, [0, 0], angle);
    arrow(pen, from, [32 * dx, -32 * dy], colors.accent, 4);
  }
}

function hand(pen) {
  const { hand } = state.frame;
  if (!hand) return;
  const { position, angle } = place(hand.body);
  const [at, to] = [view.pixel(placed(hand.at, position, angle)), view.pixel(hand.to)];
  line(pen, [at, to], colors.accent, 2, [6, 4]);
  dot(pen, at, 4, colors.accent);
  dot(pen, to, 7, null, colors.accent);
}

function words() {
  const { frame, running } = state;
  $("stage-paused").hidden = running;
  if (!frame) return;
  const pace = frame.pace !== null && frame.pace < 0.9 * (state.controls.speed ?? 1) ? ` · ${number(frame.pace, 2)} s a second` : "";
  setText($("stage-time"), `t = ${frame.time.toFixed(2)} s${pace}`);
  const bar = $("carried");
  if (weight() > 0 && state.shapes.some((shape) => shape.fixed)) {
    const size = bar.querySelector("b") ?? bar.appendChild(document.createElement("b"));
    if (!size.previousSibling) bar.prepend("What stays carries ");
    setText(size, `${number(carried(), 2)} N`);
    if (!size.nextSibling) size.after("");
    size.nextSibling.textContent = ` of a weight of ${number(weight(), 2)} N.`;
  } else {
    bar.replaceChildren();
  }
}

onTheme(redraw);
window.addEventListener("resize", redraw);
