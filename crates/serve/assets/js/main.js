// What belongs together, put together.

import * as contact from "./contact.js";
import * as controls from "./controls.js";
import { $, setText } from "./dom.js";
import * as keys from "./keys.js";
import * as lcp from "./lcp.js";
import * as player from "./player.js";
import * as plots from "./plots.js";
import * as pointer from "./pointer.js";
import { say } from "./say.js";
import * as scenes from "./scenes.js";
import * as share from "./share.js";
import { Link } from "./socket.js";
import * as space from "./space.js";
import { sceneNow, state, takeFrame, takeScene } from "./state.js";
import * as table from "./table.js";
import { onTheme, reducedMotion } from "./theme.js";
import { frameScene, redraw } from "./world.js";

/** Panels beside the picture are drawn so often, ms. */
const PANELS = 80;

/** The world that the page opens on: its contacts press from the first moment. */
const FIRST = "pile";

const TABS = ["world", "space", "cone", "golden"];

/** The next scene is a start that reset goes back to, not one that was reset to. */
let starting = true;

const link = new Link({ state: showLink, open: greet, message: hear });

function showLink(name, seconds, parting) {
  $("link").dataset.state = name;
  setText($("link-text"), { open: "Connected", connecting: "Connecting", lost: "No connection" }[name]);
  const banner = $("banner");
  if (name === "lost") {
    const why = parting ? `The server says: ${parting.message}.` : "The connection to the server was lost.";
    const text = `${why} The world waits here and goes on when it is back; next try in ${Math.ceil(seconds)} s.`;
    // Said once; the countdown is only for the eyes.
    if (banner.hidden || banner.dataset.about !== "link") say("Connection lost. The world waits, and goes on when the server is back.");
    setText($("banner-text"), text);
    setText($("banner-button"), "Connect now");
    $("banner-button").onclick = () => link.now();
    banner.dataset.about = "link";
    banner.hidden = false;
  } else if (name === "open" && banner.dataset.about === "link") {
    banner.hidden = true;
    banner.dataset.about = "";
  }
}

/** Says what is wrong, until it is put away. */
function complain(text) {
  $("banner").dataset.about = "error";
  setText($("banner-text"), text);
  setText($("banner-button"), "Put away");
  $("banner-button").onclick = () => {
    $("banner").hidden = true;
  };
  $("banner").hidden = false;
  say(text);
}

async function greet(again) {
  contact.connected();
  const scene = sceneNow();
  if (scene) {
    starting = false;
    link.send({ type: "load", scene, start: state.start, running: state.running });
    const { speed = 1, solver = "fast", sweeps = 1 } = state.controls;
    link.send({ type: "set", speed, solver, sweeps });
    if (again) say("Connected again; the world goes on.");
    return;
  }
  await openAsked();
}

/** Opens what the address asks for, or the first world. */
async function openAsked() {
  const { scene } = share.asked();
  if (scene) {
    try {
      const shared = await share.unpack(scene);
      scenes.ownScene();
      return open({ type: "load", scene: shared });
    } catch {
      complain("The link holds no scene: perhaps a part of it is missing. The first world is shown instead.");
    }
  }
  open({ type: "open", world: FIRST, bodies: 6 });
}

function open(message) {
  starting = true;
  link.send({ ...message, running: !reducedMotion() || (state.scene !== null && state.running) });
}

function hear(message) {
  switch (message.type) {
    case "hello":
      scenes.offerWorlds(message.worlds, FIRST);
      setText($("version"), `Etalon ${message.version}`);
      space.offer(message.spaces);
      break;
    case "scene":
      takeScene(message);
      if (message.fresh) fresh(message.scene);
      controls.showControls();
      redraw();
      break;
    case "frame":
      if (takeFrame(message)) {
        plots.remember(message);
        showRunning();
        redraw();
      }
      break;
    case "contact":
      contact.take(message);
      break;
    case "motion":
      space.take(message);
      break;
    case "motion_frame":
      space.takeFrame(message);
      break;
    case "motion_end":
      space.takeEnd(message);
      break;
    case "stopped":
      complain(`Paused: ${message.message}. What helps: ${message.remedy}.`);
      break;
    case "error":
      contact.refused();
      space.refused();
      // A press beside everything is no mistake to speak of.
      if (message.code !== "nothing_near") complain(`${message.message}${message.field ? ` (${message.field})` : ""}: ${message.remedy}.`);
      break;
    default:
  }
}

function fresh(scene) {
  if (starting) state.start = scene;
  starting = false;
  keys.offer();
  table.layTable();
  plots.clearHistory();
  frameScene();
}

function showRunning() {
  $("run").dataset.on = String(state.running);
  setText($("run-text"), state.running ? "Pause" : "Run");
}

const commands = {
  run() {
    link.send({ type: "run", running: !state.running });
    say(state.running ? "Paused" : "Running");
  },
  step() {
    link.send({ type: "step" });
  },
  reset() {
    link.send({ type: "reset" });
    say("Reset");
  },
};

function panels() {
  if ($("world").hidden) return;
  lcp.drawLcp();
  plots.drawPlots();
  table.fillTable();
}

/** The tab that the address asks for. */
function askedTab() {
  const { contact: asked, golden, space: scene, motion } = share.asked();
  // `#space` names the tab alone: its text is empty and not null.
  if (scene !== null || motion) return "space";
  return golden ? "golden" : asked ? "cone" : "world";
}

function show(name) {
  for (const tab of TABS) {
    $(tab).hidden = tab !== name;
    $(`tab-${tab}`).setAttribute("aria-pressed", String(tab === name));
  }
  keys.quiet();
  if (name !== "golden") player.pause();
  if (name !== "space") space.pause();
  if (name === "golden") return player.enter();
  if (name === "space") return space.enter();
  if (name === "cone") contact.enter();
  else redraw();
}

for (const name of Object.keys(commands)) $(name).addEventListener("click", commands[name]);
for (const tab of TABS) {
  $(`tab-${tab}`).addEventListener("click", () => {
    if (tab !== "golden") share.remember(tab === "cone" ? { contact: "" } : {});
    show(tab);
  });
}
window.addEventListener("hashchange", () => {
  show(askedTab());
  const { scene } = share.asked();
  if (scene) openAsked();
});

pointer.handle(link);
keys.handle(link, commands);
contact.handle(link);
controls.handle(link);
scenes.handle(open, complain);
share.handle();
player.handle();
space.handle(link, complain);
lcp.handle(panels);
onTheme(() => {
  table.layTable();
  panels();
});
setInterval(panels, PANELS);
if (askedTab() !== "world") show(askedTab());
link.connect();
