// Links: the whole scene, packed, stands behind the # and never reaches the server by itself.

import { $, make } from "./dom.js";
import { say } from "./say.js";
import { sceneNow } from "./state.js";

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** A scene as text for a link. */
export async function pack(scene) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(scene)));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The scene of a link. */
export async function unpack(text) {
  const packed = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(packed, (letter) => letter.charCodeAt(0)));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** What the address asks for. */
export function asked() {
  const fields = new URLSearchParams(location.hash.slice(1));
  return { scene: fields.get("scene"), contact: fields.has("contact"), golden: fields.get("golden"), space: fields.get("space"), motion: fields.get("motion"), step: Number(fields.get("step") ?? 0) };
}

/** Puts what is shown into the address. */
export function remember(fields) {
  const text = new URLSearchParams(fields).toString();
  history.replaceState(null, "", text ? `#${text}` : location.pathname);
}

export function handle() {
  $("share").addEventListener("click", async () => {
    const scene = sceneNow();
    if (!scene) return;
    remember({ scene: await pack(scene) });
    let words = "The link is in the address bar.";
    try {
      await navigator.clipboard.writeText(location.href);
      words = "The link was copied, and is in the address bar.";
    } catch {
      // Without leave for the clipboard the address has it.
    }
    $("share-note").replaceChildren(words, " ", make("a", { href: location.href }, `${location.href.length} characters`));
    say(words);
  });
}
