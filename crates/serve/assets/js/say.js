// What screen readers hear: one live region, the same words not twice in a row at once.

import { $ } from "./dom.js";

let last = "";

export function say(text) {
  const live = $("live");
  // A change is heard even where the words are the same.
  live.textContent = text === last ? `${text}\u00a0` : text;
  last = live.textContent;
}
