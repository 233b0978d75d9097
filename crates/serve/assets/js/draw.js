// What worlds and films are drawn with.

import { number } from "./dom.js";
import { FONT, colors } from "./theme.js";

/** Fills and strokes closed polygons (pixels); holes by the even-odd rule. */
export function polygons(pen, loops, fill, stroke, width = 1.5) {
  pen.beginPath();
  for (const loop of loops) {
    loop.forEach(([x, y], k) => (k === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
    pen.closePath();
  }
  if (fill) {
    pen.fillStyle = fill;
    pen.fill("evenodd");
  }
  if (stroke) {
    pen.strokeStyle = stroke;
    pen.lineWidth = width;
    pen.lineJoin = "round";
    pen.stroke();
  }
}

export function line(pen, points, color, width = 1.5, dash = []) {
  pen.beginPath();
  points.forEach(([x, y], k) => (k === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.stroke();
  pen.setLineDash([]);
}

export function dot(pen, [x, y], radius, fill, stroke) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  if (fill) {
    pen.fillStyle = fill;
    pen.fill();
  }
  if (stroke) {
    pen.strokeStyle = stroke;
    pen.lineWidth = 2;
    pen.stroke();
  }
}

/** Text that can be read on anything. */
export function label(pen, text, [x, y], { color = colors.ink, size = 12, align = "left", bold = false, bare = false } = {}) {
  pen.font = `${bold ? "600 " : ""}${size}px ${FONT}`;
  pen.textAlign = align;
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 3.5;
  pen.strokeStyle = colors.card;
  if (!bare) pen.strokeText(text, x, y);
  pen.fillStyle = color;
  pen.fillText(text, x, y);
}

/** An arrow from a pixel along a vector of pixels. */
export function arrow(pen, [x, y], [dx, dy], color, width = 2.5, dash = []) {
  const length = Math.hypot(dx, dy);
  if (length < 0.5) return;
  const head = Math.min(8, 0.5 * length);
  const [ux, uy] = [dx / length, dy / length];
  const tip = [x + dx, y + dy];
  line(pen, [[x, y], [tip[0] - 0.6 * head * ux, tip[1] - 0.6 * head * uy]], color, width, dash);
  const wing = (side) => [tip[0] - head * ux - 0.45 * side * head * uy, tip[1] - head * uy + 0.45 * side * head * ux];
  polygons(pen, [[tip, wing(1), wing(-1)]], color, null);
}

/** A shorter arrow than so many pixels cannot be seen as one. */
const TINY = 5;
/** Arrows end so far from the edge of the picture, in pixels. */
const EDGE = 7;

/** The part of an arrow within the picture; whether it was cut, or is too short to be seen. */
export function fitted(pen, at, along) {
  const ratio = globalThis.devicePixelRatio || 1;
  const size = [pen.canvas.width / ratio, pen.canvas.height / ratio];
  const parts = [0, 1].map((k) => {
    if (along[k] === 0) return 1;
    const room = along[k] > 0 ? size[k] - EDGE - at[k] : EDGE - at[k];
    return Math.max(0, room / along[k]);
  });
  const inside = [0, 1].every((k) => at[k] >= 0 && at[k] <= size[k]);
  const part = inside ? Math.min(1, ...parts) : 1;
  return { along: along.map((entry) => part * entry), cut: part < 1, tiny: Math.hypot(...along) < TINY };
}

/** What is said of arrows that are not as long as their forces. */
export const lengths = ({ cut, tiny }) =>
  [cut ? "An arrow with a bar is cut: its force is larger." : "", tiny ? "A ring is a force too small for an arrow." : ""].filter(Boolean).join(" ");

/** A short bar across an arrow, where it is cut. */
function bar(pen, [x, y], [dx, dy]) {
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [mx, my] = [x + dx - 14 * ux, y + dy - 14 * uy];
  line(pen, [[mx - 6 * uy, my + 6 * ux], [mx + 6 * uy, my - 6 * ux]], colors.force, 2.5);
}

/**
 * Forces as lines with their sizes: `{ at, along, newtons }`, in pixels, and `cut` where a line is shorter than its
 * force. Where sizes would cover each other, or a name that is at one of `names`, those of the larger forces stand; none
 * is cut at the edge. Gives back whether any was cut, and whether any is too small for an arrow.
 */
export function forces(pen, given, named, names = []) {
  const list = given.map((one) => {
    const own = fitted(pen, one.at, one.along);
    return { ...one, ...own, cut: own.cut || Boolean(one.cut) };
  });
  for (const { at, along, cut, tiny } of list) {
    if (tiny) dot(pen, at, 4.5, null, colors.force);
    else {
      arrow(pen, at, along, colors.force);
      dot(pen, at, 2.5, colors.force);
      if (cut) bar(pen, at, along);
    }
  }
  if (named) sizes(pen, list, names);
  return { cut: list.some((one) => one.cut), tiny: list.some((one) => one.tiny) };
}

function sizes(pen, list, names) {
  const taken = names.map(([x, y]) => [x - 8, y - 8, x + 8, y + 8]);
  const ratio = globalThis.devicePixelRatio || 1;
  const inside = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
  for (const { at, along, newtons } of [...list].sort((a, b) => b.newtons - a.newtons)) {
    const text = `${number(newtons, 2)} N`;
    const length = Math.hypot(...along) || 1;
    const [tip, height] = [0, 1].map((k) => at[k] + along[k] + (along[k] / length) * 9);
    const y = inside(height, 9, pen.canvas.height / ratio - 9);
    const align = along[0] > 6 ? "left" : along[0] < -6 ? "right" : "center";
    pen.font = `600 12px ${FONT}`;
    const width = pen.measureText(text).width + 4;
    const wanted = align === "left" ? tip : align === "right" ? tip - width : tip - width / 2;
    const left = inside(wanted, 2, pen.canvas.width / ratio - width - 2);
    const x = left + (tip - wanted);
    const own = [left, y - 8, left + width, y + 8];
    if (taken.some((box) => own[0] < box[2] && box[0] < own[2] && own[1] < box[3] && box[1] < own[3])) continue;
    taken.push(own);
    label(pen, text, [x, y], { color: colors.force, align, bold: true });
  }
}

/** The part of a polygon (metres) with n.p <= offset. */
export function clip(polygon, [nx, ny, offset]) {
  const beyond = ([x, y]) => nx * x + ny * y - offset;
  const kept = [];
  polygon.forEach((from, k) => {
    const to = polygon[(k + 1) % polygon.length];
    const [d, e] = [beyond(from), beyond(to)];
    if (d <= 0) kept.push(from);
    if (d < 0 !== e < 0 && d !== e) {
      const part = d / (d - e);
      kept.push([from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])]);
    }
  });
  return kept;
}

/** A round number near a value: 1, 2 or 5 times a power of ten, not above it. */
export function round(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].find((k) => k * power <= value * 1.0001) * power;
}

/** A grid, and a bar that says how long a metre is. */
export function grid(pen, view, width, height) {
  const step = round((view.metre([width, 0])[0] - view.metre([0, 0])[0]) / 5);
  const [low, high] = [view.metre([0, height]), view.metre([width, 0])];
  for (let x = Math.ceil(low[0] / step) * step; x < high[0]; x += step) {
    const [px] = view.pixel([x, 0]);
    line(pen, [[px, 0], [px, height]], colors.grid, 1);
  }
  for (let y = Math.ceil(low[1] / step) * step; y < high[1]; y += step) {
    const [, py] = view.pixel([0, y]);
    line(pen, [[0, py], [width, py]], colors.grid, 1);
  }
  return step;
}

export function scaleBar(pen, view, step, width, height) {
  const length = step * view.scale;
  const [x, y] = [width - 14, height - 14];
  line(pen, [[x - length, y - 4], [x - length, y], [x, y], [x, y - 4]], colors.soft, 1.5);
  label(pen, `${step >= 1 ? step : number(step, 2)} m`, [x - length / 2, y - 10], { color: colors.soft, size: 11, align: "center" });
}
