// The lines between etalon.engine and an engine in JavaScript: a scene, then "step" for each step; states come back.
const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");

// The version of an installed package; its package.json need not be among what it exports.
exports.versionOf = (name) => {
  let folder = path.dirname(require.resolve(name));
  while (!fs.existsSync(path.join(folder, "package.json")) || path.basename(folder) !== name) folder = path.dirname(folder);
  return JSON.parse(fs.readFileSync(path.join(folder, "package.json"))).version;
};

// make(scene) returns {step(), states(), contacts()}; it may be a promise.
exports.serve = async (version, make) => {
  if (process.argv[2] === "--version") return console.log(version);
  let world = null;
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (world === null) world = await make(JSON.parse(line));
    else world.step();
    console.log(JSON.stringify({ states: world.states(), contacts: world.contacts?.() ?? [], inertia: world.inertia?.() }));
  }
};
