// What the page knows of its world: the scene, the last frame, and what follows from both.

export const FORMAT = "etalon-world/1";

export const state = {
  /** The scene as it was last sent. */
  scene: null,
  /** What reset goes back to. */
  start: null,
  shapes: [],
  masses: [],
  controls: {},
  thrusters: [],
  frame: null,
  running: true,
  /** Places of the bodies that move. */
  moving: [],
  /** The last LCP of each kind. */
  lcp: { forces: null, impulses: null },
};

/** Takes a scene of the server. */
export function takeScene(message) {
  Object.assign(state, {
    scene: message.scene,
    shapes: message.shapes,
    masses: message.masses,
    controls: message.controls,
    thrusters: message.thrusters,
  });
  state.moving = message.shapes.flatMap((shape, k) => (shape.fixed ? [] : [k]));
  if (message.fresh) {
    state.frame = null;
    state.lcp = { forces: null, impulses: null };
  }
}

/** Takes a frame; says whether it belongs to the scene. */
export function takeFrame(frame) {
  if (!state.scene || frame.bodies.length !== state.scene.bodies.length) return false;
  const moved = !state.frame || state.frame.time !== frame.time;
  if (frame.forces) state.lcp.forces = frame.forces;
  else if (moved && frame.judged.forces === 0) state.lcp.forces = null;
  if (frame.impulses) state.lcp.impulses = frame.impulses;
  state.frame = frame;
  state.running = frame.running;
  return true;
}

/** The scene as it is now, to be saved, shared, or taken to a new connection. */
export function sceneNow() {
  const { scene, frame } = state;
  if (!scene) return null;
  if (!frame) return scene;
  const insides = (k) => (frame.inside ?? []).filter(([own]) => own === k).map(([, other]) => scene.bodies[other].name);
  const bodies = scene.bodies.map((body, k) => ({
    ...body,
    inside: insides(k),
    position: frame.bodies[k].position,
    velocity: frame.bodies[k].velocity,
    angle: frame.bodies[k].angle,
    angular_velocity: frame.bodies[k].angular_velocity,
  }));
  return { ...scene, bodies, time: frame.time, settings: { ...scene.settings, seed: frame.seed } };
}

/** The weight of everything that moves, N. */
export function weight() {
  const g = state.controls.gravity ?? 0;
  return g * state.masses.reduce((sum, mass) => sum + (mass ?? 0), 0);
}

/** The whole force of a contact on its first body, N: along the normal, and friction along the tangent. */
export function contactForce({ normal: [x, y], force, friction }) {
  return [force * x - friction * y, force * y + friction * x];
}

/** What the bodies that stay carry, upwards, N. */
export function carried() {
  if (!state.frame) return 0;
  const fixed = (k) => state.shapes[k].fixed;
  return state.frame.contacts.reduce((sum, contact) => {
    if (fixed(contact.first) === fixed(contact.second)) return sum;
    const sign = fixed(contact.second) ? 1 : -1;
    return sum + sign * contactForce(contact)[1];
  }, 0);
}
