// The colours of the style sheet, for canvases; read anew when the system turns dark or light.

const NAMES = ["paper", "card", "ink", "soft", "line", "wall", "grid", "accent", "force", "rub", "good", "bad"];

export const colors = {};
const listeners = [];

function read() {
  const style = getComputedStyle(document.documentElement);
  for (const name of NAMES) colors[name] = style.getPropertyValue(`--${name}`).trim();
  colors.bodies = [1, 2, 3, 4, 5, 6].map((k) => style.getPropertyValue(`--body-${k}`).trim());
}

read();
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  read();
  listeners.forEach((listener) => listener());
});

/** Calls when the colours change. */
export const onTheme = (listener) => listeners.push(listener);

/** The colour of the k-th body that moves. */
export const bodyColor = (k) => colors.bodies[k % colors.bodies.length];

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

const motion = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the system asks for less motion. */
export const reducedMotion = () => motion.matches;
