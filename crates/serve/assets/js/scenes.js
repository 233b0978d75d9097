// Worlds by name, and scenes as files. The page reads and writes the files, the server none.

import { $, make, setText } from "./dom.js";
import { say } from "./say.js";
import { FORMAT, sceneNow } from "./state.js";

let worlds = [];

/** Offers the server's worlds. */
export function offerWorlds(list, chosen) {
  worlds = list;
  const select = $("world-name");
  const name = select.options.length > 0 ? select.value : chosen;
  const options = list.map((world) => make("option", { value: world.name, title: world.description }, world.name));
  select.replaceChildren(...options, make("option", { value: "", hidden: "" }, "own scene"));
  select.value = name;
  limitBodies();
}

function limitBodies() {
  const world = worlds.find((world) => world.name === $("world-name").value);
  setText($("look"), world?.look ?? "");
  const input = $("world-bodies");
  input.disabled = !world;
  if (!world) return;
  [input.min, input.max] = [String(world.least), String(world.most)];
  input.value = String(Math.min(world.most, Math.max(world.least, Math.round(Number(input.value) || world.most))));
}

/** What the choice of a world asks for. */
export function chosenWorld() {
  limitBodies();
  return { type: "open", world: $("world-name").value, bodies: Number($("world-bodies").value) };
}

/** Says that the world is none of the named ones. */
export function ownScene() {
  $("world-name").value = "";
  limitBodies();
}

/** `open(message)` opens what is chosen, `complain(text)` says what is wrong. */
export function handle(open, complain) {
  for (const id of ["world-name", "world-bodies"]) $(id).addEventListener("change", () => open(chosenWorld()));
  $("save").addEventListener("click", () => {
    const scene = sceneNow();
    if (!scene) return;
    const text = JSON.stringify({ format: FORMAT, ...scene }, null, 1);
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const name = `etalon-world-${scene.time.toFixed(2)}s.json`;
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    say(`Saved as ${name}`);
  });
  $("load").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    try {
      const { format, ...scene } = JSON.parse(await file.text());
      if (format !== FORMAT) throw new Error(`its format is ${JSON.stringify(format) ?? "not given"}, not "${FORMAT}"`);
      ownScene();
      open({ type: "load", scene });
    } catch (error) {
      complain(`${file.name} cannot be loaded: ${error.message}. Save a world here, or write one with etalon scenario run tower --scene.`);
    }
  });
}
