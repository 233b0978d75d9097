// The hand: press near a body and drag; mouse, pen and finger alike.

import { $ } from "./dom.js";
import { view } from "./world.js";

/** How near is near, in pixels. */
const REACH = 44;

export function handle(link) {
  const canvas = $("stage");
  let holding = null;
  let next = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return view.metre([event.clientX - box.left, event.clientY - box.top]);
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || holding !== null) return;
    holding = event.pointerId;
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that is gone already lets go below.
    }
    canvas.classList.add("pulling");
    $("stage-hint").classList.add("gone");
    link.send({ type: "pull", at: place(event), reach: REACH / view.scale });
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerId !== holding) return;
    const first = next === null;
    next = place(event);
    // One message a painted frame is enough.
    if (first) {
      requestAnimationFrame(() => {
        if (holding !== null && next !== null) link.send({ type: "drag", to: next });
        next = null;
      });
    }
  });
  const release = (event) => {
    if (event.pointerId !== holding) return;
    holding = null;
    next = null;
    canvas.classList.remove("pulling");
    link.send({ type: "release" });
  };
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) canvas.addEventListener(name, release);
}
