// Controls: what is set on the server, and back.

import { $, number, setText } from "./dom.js";
import { state } from "./state.js";

const inputs = () => document.querySelectorAll("[data-control]");

function show(input, value) {
  const output = document.querySelector(`output[for="${input.id}"]`);
  const known = value !== undefined && value !== null;
  if (known) {
    // A scene may have more than a slider shows.
    if (input.type === "range" && value > Number(input.max)) input.max = String(value);
    if (input.type === "range" && value < Number(input.min)) input.min = String(value);
    input.value = String(value);
  }
  if (output) setText(output, known ? number(value, 2) : "mixed");
  if (input.type === "range") input.setAttribute("aria-valuetext", known ? number(value, 2) : "differs from body to body");
}

/** Shows what is set, but not over what is just being changed. */
export function showControls() {
  for (const input of inputs()) {
    if (input.type === "range" && input === document.activeElement && input.matches(":active")) continue;
    if (input.type === "number" && input === document.activeElement) continue;
    show(input, state.controls[input.dataset.control]);
  }
  $("sweeps-field").hidden = state.controls.solver !== "gauss_seidel";
}

export function handle(link) {
  $("controls").addEventListener("submit", (event) => event.preventDefault());
  for (const input of inputs()) {
    const send = () => {
      const value = input.type === "range" || input.dataset.kind === "number" ? Number(input.value) : input.dataset.kind === "boolean" ? input.value === "true" : input.value;
      show(input, value);
      link.send({ type: "set", [input.dataset.control]: value });
    };
    if (input.type !== "range") {
      input.addEventListener("change", send);
      continue;
    }
    // A slider that is dragged speaks once a painted frame.
    let waiting = false;
    input.addEventListener("input", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        send();
      });
    });
  }
}
