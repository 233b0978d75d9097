const { serve, versionOf } = require("./serve.cjs");
const C = require("cannon-es");

const list = (v) => [v.x, v.y, v.z];

serve(versionOf("cannon-es"), (scene) => {
  const world = new C.World({ gravity: new C.Vec3(...scene.gravity) });
  const material = new C.Material();
  world.addContactMaterial(new C.ContactMaterial(material, material, { friction: scene.surface.mu, restitution: scene.surface.restitution }));
  if (scene.ground) world.addBody(new C.Body({ mass: 0, shape: new C.Plane(), material }));
  const bodies = scene.bodies.map((own) => {
    const shape = own.shape === "box" ? new C.Box(new C.Vec3(...own.size)) : new C.Sphere(own.size[0]);
    const [w, x, y, z] = own.orientation;
    const body = new C.Body({ mass: own.mass, shape, material, linearDamping: 0, angularDamping: 0 });
    body.position.set(...own.position);
    body.quaternion.set(x, y, z, w);
    body.velocity.set(...own.velocity);
    body.angularVelocity.set(...own.spin);
    world.addBody(body);
    return body;
  });
  let before = new Map();
  const index = new Map(bodies.map((body, i) => [body, i]));
  return {
    step: () => {
      before = new Map(world.bodies.map((body) => [body, body.position.clone()]));
      world.step(scene.h);
    },
    inertia: () => bodies.map((body) => list(body.inertia)),
    states: () => bodies.map(({ position: p, quaternion: q, velocity: v, angularVelocity: o }) => [list(p), [q.w, q.x, q.y, q.z], list(v), list(o)]),
    // Contact equations have the arm ri from body i, the normal from i to j, and the force as multiplier.
    contacts: () =>
      world.contacts.map((c, k) => {
        const pushed = index.get(c.bj) ?? -1;
        const other = index.get(c.bi) ?? -1;
        const sign = pushed < 0 ? -1 : 1;
        const sides = world.frictionEquations.slice(2 * k, 2 * k + 2);
        const [i, j] = [before.get(c.bi).vadd(c.ri), before.get(c.bj).vadd(c.rj)];
        return {
          bodies: sign > 0 ? [pushed, other] : [other, pushed],
          point_a: list(sign > 0 ? j : i),
          point: list(sign > 0 ? i : j),
          normal: list(c.ni.scale(sign)),
          tangents: sides.map((f) => list(f.t.scale(sign))),
          gap: 0,
          impulse: [c.multiplier * scene.h, ...sides.map((f) => f.multiplier * scene.h)],
        };
      }),
  };
});
