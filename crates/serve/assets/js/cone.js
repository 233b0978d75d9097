// A friction cone in space and from above, with force and velocity.

import { $, context, number, setText } from "./dom.js";
import { arrow, dot, label, line, polygons, round } from "./draw.js";
import { FONT, colors } from "./theme.js";

/** Velocities up to so large are seen, and can be dragged. */
const SEEN = 6.4;
/** The eye: turned about the normal, and above the plane, rad. */
const [TURN, ABOVE] = [0.5, 0.42];

/** From above: the middle of the canvas and the pixels of a velocity and of a force of 1. */
let plane = { middle: [0, 0], velocity: 1, force: 1 };

/** The components along the plane at a pixel: of a force, or of a velocity. */
export function planeAt([x, y], force) {
  const scale = force ? plane.force : plane.velocity;
  return [(x - plane.middle[0]) / scale, (plane.middle[1] - y) / scale];
}

/** All forces that are drawn: r, whether they are the page's own. */
function drawn(shown) {
  const answers = (shown?.answers ?? []).map((answer) => ({ ...answer, own: false }));
  return shown?.own ? [...answers, { ...shown.own, own: true }] : answers;
}

/** Pixels of a force of 1: the largest fits, in steps so that it does not change with every drag. */
function forceScale(list, mu, pixels) {
  const sizes = list.map(({ r }) => Math.max(Math.hypot(...r), mu * Math.abs(r[0])));
  const largest = Math.max(1, ...sizes);
  const above = [1, 2, 5, 10].map((k) => k * 10 ** Math.floor(Math.log10(largest))).find((value) => value >= largest);
  return (0.86 * pixels) / above;
}

export function drawCone(contact, shown) {
  const list = drawn(shown);
  fromAbove(contact, list);
  inSpace(contact, list);
}

const grey = () => colors.soft;
const forceColor = (one) => (one.own ? colors.ink : colors.force);

/** An arrow that ends within the canvas: what is longer is cut, and says so. */
function cutArrow(pen, from, along, color, width, dash, size) {
  const reach = [0, 1].map((k) => {
    const room = along[k] > 0 ? size[k] - 8 - from[k] : 8 - from[k];
    return along[k] === 0 ? Infinity : room / along[k];
  });
  const part = Math.min(1, ...reach.map((value) => Math.max(0, value)));
  const own = along.map((entry) => part * entry);
  arrow(pen, from, own, color, width, dash);
  return { tip: [from[0] + own[0], from[1] + own[1]], cut: part < 1 };
}

/** Names that stand nearer than that to each other cannot be read. */
const [ASIDE, ABOVE_EACH_OTHER] = [9, 15];

/** A name beside a tip: in the arrow's direction, or turned away from it where another name stands there. `taken` are the names of this picture. */
function name(pen, text, [x, y], [dx, dy], color, size, gap, taken) {
  const away = Math.atan2(dy, dx);
  const inside = (value, most) => Math.min(Math.max(value, 14), most - 14);
  const { width } = Object.assign(pen, { font: `600 12px ${FONT}` }).measureText(text);
  const places = [0, -1, 1, -2, 2, -3, 3].map((turn) => {
    const angle = away + (turn * Math.PI) / 4;
    // Beside the tip there may be the ring that is dragged; beside a word more room is needed than below it.
    const far = turn === 0 ? gap : Math.max(gap, 17) + 0.5 * width * Math.abs(Math.cos(angle));
    return { at: [inside(x + far * Math.cos(angle), size[0]), inside(y + far * Math.sin(angle), size[1])], width };
  });
  const meets = (place) => taken.some((other) => Math.abs(place.at[0] - other.at[0]) < (place.width + other.width) / 2 + ASIDE / 2 && Math.abs(place.at[1] - other.at[1]) < ABOVE_EACH_OTHER);
  const place = places.find((place) => !meets(place)) ?? places[0];
  taken.push(place);
  label(pen, text, place.at, { color, size: 12, align: "center", bold: true });
}

function fromAbove(contact, list) {
  const canvas = $("cone-above");
  if (canvas.clientWidth === 0) return;
  const { pen, width, height } = context(canvas);
  const middle = [width / 2, height / 2];
  const pixels = Math.min(width, height) / 2 - 6;
  const force = forceScale(list, contact.mu, pixels);
  plane = { middle, velocity: pixels / SEEN, force };
  const size = [width, height];
  line(pen, [[0, middle[1]], [width, middle[1]]], colors.grid, 1);
  line(pen, [[middle[0], 0], [middle[0], height]], colors.grid, 1);
  label(pen, "1", [width - 10, middle[1] - 10], { color: grey(), size: 11, align: "center" });
  label(pen, "2", [middle[0] + 10, 10], { color: grey(), size: 11, align: "center" });
  const along = ([, s, t], scale) => [s * scale, -t * scale];
  let cut = false;
  const taken = [];
  const put = (vector, scale, color, thick, dash, text, gap = 11) => {
    const by = along(vector, scale);
    if (Math.hypot(...by) < 1.5) return;
    const end = cutArrow(pen, middle, by, color, thick, dash, size);
    cut = cut || end.cut;
    if (text) name(pen, text, end.tip, by, color, size, gap, taken);
  };
  for (const one of list) {
    const radius = contact.mu * one.r[0] * force;
    if (radius <= 0) continue;
    pen.beginPath();
    pen.arc(...middle, radius, 0, 2 * Math.PI);
    pen.globalAlpha = 0.08;
    pen.fillStyle = forceColor(one);
    pen.fill();
    pen.globalAlpha = 0.7;
    pen.strokeStyle = forceColor(one);
    pen.lineWidth = 1.2;
    pen.setLineDash(one.own ? [5, 4] : []);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }
  // Beside the ring that is dragged.
  put(contact.q, plane.velocity, grey(), 2, [6, 4], "q", contact.own ? undefined : 18);
  for (const one of list) {
    put(one.u, plane.velocity, colors.accent, 2.5, one.own ? [5, 4] : [], one.own ? "" : "u");
    put(one.r, force, forceColor(one), 3, one.own ? [5, 4] : [], one.own ? "" : "r");
  }
  dot(pen, middle, 3, colors.ink);
  const held = contact.own ? along(contact.r, force) : along(contact.q, plane.velocity);
  const at = [0, 1].map((k) => Math.min(Math.max(middle[k] + held[k], 8), size[k] - 8));
  dot(pen, at, 8, colors.card, contact.own ? colors.ink : grey());
  scales(force, pixels, cut);
}

function scales(force, pixels, cut) {
  const unit = round((0.5 * pixels) / force);
  const words = `Velocities up to ${number(SEEN, 1)} fit; a force of ${number(unit, unit < 1 ? 1 : 0)} is as long as a velocity of ${number((unit * force * SEEN) / pixels, 1)}. The discs are what |r_T| ≤ μ r_N allows.`;
  setText($("cone-scale"), cut ? `${words} An arrow is longer than the picture, and cut.` : words);
}

function inSpace(contact, list) {
  const canvas = $("cone-space");
  if (canvas.clientWidth === 0) return;
  const { pen, width, height } = context(canvas);
  const size = [width, height];
  const origin = [width / 2, 0.66 * height];
  const pixels = Math.min(0.46 * width, 0.6 * height);
  const [sin, cos] = [Math.sin(TURN), Math.cos(TURN)];
  const flat = ([n, s, t]) => [s * cos - t * sin, -(n * Math.cos(ABOVE) + (s * sin + t * cos) * Math.sin(ABOVE))];
  const on = (vector, scale) => flat(vector).map((entry, k) => origin[k] + scale * entry);
  const velocity = pixels / SEEN;
  const force = forceScale(list, 1, pixels);
  const corner = (s, t) => on([0, s, t], pixels * 0.95);
  pen.globalAlpha = 0.5;
  polygons(pen, [[corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)]], colors.wall, colors.line, 1);
  pen.globalAlpha = 1;
  line(pen, [corner(-1, 0), corner(1, 0)], colors.line, 1);
  line(pen, [corner(0, -1), corner(0, 1)], colors.line, 1);
  const taken = [];
  name(pen, "1", corner(1, 0), [1, 0], grey(), size, 11, taken);
  name(pen, "2", corner(0, 1), [-1, -1], grey(), size, 11, taken);
  cone(pen, contact.mu, origin, (n, s, t) => on([n, s, t], pixels));
  const put = (vector, scale, color, thick, dash, text) => {
    const by = flat(vector).map((entry) => scale * entry);
    if (Math.hypot(...by) < 1.5) return;
    const { tip } = cutArrow(pen, origin, by, color, thick, dash, size);
    if (text) name(pen, text, tip, by, color, size, 11, taken);
  };
  put(contact.q, velocity, grey(), 2, [6, 4], "q");
  for (const one of list) put(one.u, velocity, colors.accent, 2.5, one.own ? [5, 4] : [], one.own ? "" : "u");
  for (const one of list) {
    const drop = on([0, one.r[1], one.r[2]], force);
    line(pen, [on(one.r, force), drop], forceColor(one), 1, [2, 3]);
    put(one.r, force, forceColor(one), 3, one.own ? [5, 4] : [], one.own ? "" : list.length > 1 ? one.mode : "r");
  }
  dot(pen, origin, 3, colors.ink);
  const modes = list.filter((one) => !one.own).map((one) => one.mode);
  canvas.setAttribute("aria-label", `The friction cone in space; the contact is ${modes.join(" or ") || "without an answer"}`);
}

/** The cone up to a height at which it is seen whole. */
function cone(pen, mu, origin, place) {
  const height = Math.min(0.8, 0.8 / Math.max(mu, 1e-9));
  const rim = Array.from({ length: 72 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 72;
    return place(height, mu * height * Math.cos(angle), mu * height * Math.sin(angle));
  });
  // Its outline: from the apex to where the rim is seen farthest aside.
  const slope = ([x, y]) => Math.atan2(x - origin[0], origin[1] - y);
  const left = rim.reduce((a, b) => (slope(b) < slope(a) ? b : a));
  const right = rim.reduce((a, b) => (slope(b) > slope(a) ? b : a));
  pen.globalAlpha = 0.1;
  polygons(pen, [[origin, left, ...rim.slice(rim.indexOf(left)), ...rim.slice(0, rim.indexOf(left)), left]], colors.force, null);
  polygons(pen, [[origin, left, right]], colors.force, null);
  pen.globalAlpha = 0.55;
  polygons(pen, [rim], null, colors.force, 1.2);
  line(pen, [left, origin, right], colors.force, 1.2);
  pen.globalAlpha = 1;
}
