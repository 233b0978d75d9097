// Plots over time: lines that grow, or whole ones with a mark where the film is.

import { $, context, make, number } from "./dom.js";
import { label, line, round } from "./draw.js";
import { state } from "./state.js";
import { bodyColor, colors } from "./theme.js";

/** Seconds of the world that growing plots show. */
const WINDOW = 12;
/** Frames a line is made from, at most. */
const POINTS = 1500;

/** The number of a tick, with the digits that tell it from its neighbours: steps are 1, 2 or 5 times a power of ten. */
function tick(value, step) {
  const own = Math.abs(value) < step / 1e6 ? 0 : value;
  if (Math.abs(own) >= 1e6) return number(own);
  return own.toFixed(Math.max(0, -Math.floor(Math.log10(step * 1.0001)))).replace("-", "\u2212");
}

/** Draws lines `{ name, color, points: [[t, value]] }` from one time to another. */
export function plot(canvas, lines, [from, to], { unit, zero = false, mark = null }) {
  const { pen, width, height } = context(canvas);
  const values = lines.flatMap((one) => one.points.map((point) => point[1])).filter(Number.isFinite);
  let [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  if (zero) [low, high] = [Math.min(0, low), Math.max(0, high)];
  // Rounding is not drawn as motion.
  const least = Math.max(1e-2, 1e-3 * Math.max(Math.abs(low), Math.abs(high)));
  if (high - low < least) [low, high] = zero ? [low, low + least] : [low - least / 2, high + least / 2];
  const room = { left: 48, right: 18, top: 22, bottom: 20 };
  const x = (t) => room.left + ((t - from) / (to - from || 1)) * (width - room.left - room.right);
  const y = (value) => height - room.bottom - ((value - low) / (high - low)) * (height - room.top - room.bottom);
  const step = round((high - low) / 3);
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9 * step; value += step) {
    line(pen, [[room.left, y(value)], [width - room.right, y(value)]], colors.grid, 1);
    label(pen, tick(value, step), [room.left - 6, y(value)], { size: 11, align: "right", color: colors.soft });
  }
  const seconds = round((to - from || 1) / 4);
  for (let t = Math.ceil(from / seconds) * seconds; t <= to; t += seconds) {
    label(pen, `${tick(t, seconds)} s`, [x(t), height - 8], { size: 11, align: "center", color: colors.soft });
  }
  label(pen, unit, [4, 8], { size: 11, color: colors.soft });
  pen.save();
  pen.beginPath();
  pen.rect(room.left, 0, width - room.left - room.right, height);
  pen.clip();
  for (const one of lines) line(pen, one.points.map(([t, value]) => [x(t), y(value)]), one.color, one.width ?? 1.8, one.dash);
  if (mark !== null) line(pen, [[x(mark), 0], [x(mark), height - room.bottom]], colors.accent, 1.5);
  pen.restore();
}

/** The names of lines in their colours. */
export function legend(element, lines) {
  const key = lines.map((one) => `${one.name} ${one.color}`).join("|");
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  element.replaceChildren(
    ...lines.map((one) => {
      const sign = document.createElement("i");
      sign.style.borderTopColor = one.color;
      if (one.dash) sign.style.borderTopStyle = "dashed";
      return make("span", {}, sign, one.name);
    }),
  );
}

let history = [];

/** Forgets what was plotted. */
export function clearHistory() {
  history = [];
}

/** Takes a frame into the plots. */
export function remember(frame) {
  const last = history.at(-1);
  if (last && frame.time <= last.time) {
    if (frame.time === last.time) return;
    history = [];
  }
  const { kinetic, potential } = frame.energy;
  const speeds = state.moving.map((k) => Math.hypot(...frame.bodies[k].velocity));
  history.push({ time: frame.time, kinetic, potential, speeds });
  const old = history.findIndex((one) => one.time >= frame.time - WINDOW);
  if (old > 60 || history.length > POINTS) history.splice(0, Math.max(old, history.length - POINTS));
}

export function energyLines(list) {
  return [
    { name: "kinetic", color: colors.bodies[0], points: list.map((one) => [one.time, one.kinetic]) },
    { name: "potential", color: colors.bodies[1], points: list.map((one) => [one.time, one.potential]) },
    { name: "total", color: colors.ink, points: list.map((one) => [one.time, one.kinetic + one.potential]) },
  ];
}

export function drawPlots() {
  if ($("energy").clientWidth === 0 || history.length === 0) return;
  const now = history.at(-1);
  const range = [Math.max(history[0].time, now.time - WINDOW), Math.max(now.time, history[0].time + WINDOW)];
  const energies = energyLines(history);
  plot($("energy"), energies, range, { unit: "J" });
  legend($("energy-legend"), energies);
  $("energy").setAttribute("aria-label", `Energy: kinetic ${number(now.kinetic, 2)} J, potential ${number(now.potential, 2)} J`);
  const speeds = state.moving.map((k, order) => ({
    name: state.shapes[k].name,
    color: bodyColor(order),
    points: history.filter((one) => order < one.speeds.length).map((one) => [one.time, one.speeds[order]]),
  }));
  plot($("velocity"), speeds, range, { unit: "m/s", zero: true });
  legend($("velocity-legend"), speeds);
  $("velocity").setAttribute("aria-label", `Speed of each body, m/s: ${state.moving.map((k, order) => `${state.shapes[k].name} ${number(now.speeds[order], 2)}`).join(", ")}`);
}
