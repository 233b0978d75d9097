// Small helpers for elements.

export const $ = (id) => document.getElementById(id);

/** Sets an element's text if it differs. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A new element with attributes and children (elements or text). */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A number for people: three to four digits, a real minus sign. */
export function number(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  let text;
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) text = value.toExponential(1);
  else text = value.toFixed(size >= 100 ? Math.max(0, digits - 2) : size >= 10 ? Math.max(0, digits - 1) : digits);
  return text.replace("-", "\u2212").replace("e\u2212", "e\u2212").replace("e+", "e");
}

/** Fits a canvas to its box on the screen, and gives its context in CSS pixels. */
export function context(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}
