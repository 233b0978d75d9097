const { serve, versionOf } = require("./serve.cjs");
const P = require("planck");

// The plane x, z; a turn to the left in it is one about -y.
serve(versionOf("planck"), (scene) => {
  const world = new P.World({ gravity: P.Vec2(scene.gravity[0], scene.gravity[2]), allowSleep: false, continuousPhysics: false });
  const surface = { friction: scene.surface.mu, restitution: scene.surface.restitution };
  if (scene.ground) world.createBody().createFixture(new P.Box(20, 1, P.Vec2(0, -1), 0), surface);
  const bodies = scene.bodies.map((own) => {
    const [w, , y] = own.orientation;
    const body = world.createDynamicBody({ position: P.Vec2(own.position[0], own.position[2]), angle: -2 * Math.atan2(y, w) });
    const shape = own.shape === "box" ? new P.Box(own.size[0], own.size[2]) : new P.Circle(own.size[0]);
    body.createFixture(shape, { ...surface, density: 1 });
    body.setMassData({ mass: own.mass, I: own.inertia[1], center: P.Vec2(0, 0) });
    body.setLinearVelocity(P.Vec2(own.velocity[0], own.velocity[2]));
    body.setAngularVelocity(-own.spin[1]);
    if (own.hinge) world.createJoint(new P.RevoluteJoint({}, world.createBody(), body, P.Vec2(own.hinge.anchor[0], own.hinge.anchor[2])));
    return body;
  });
  // Points are those of the start of the step (pre-solve), impulses come after it (post-solve).
  const points = new Map();
  let touching = [];
  world.on("pre-solve", (contact) => {
    const { normal, points: at, pointCount } = contact.getWorldManifold(null);
    points.set(contact, { normal: [normal.x, normal.y], at: at.slice(0, pointCount).map((p) => [p.x, p.y]) });
  });
  world.on("post-solve", (contact, impulse) => {
    const [first, second] = [contact.getFixtureA(), contact.getFixtureB()].map((fixture) => bodies.indexOf(fixture.getBody()));
    const { normal, at } = points.get(contact);
    // The normal points from the first body to the second, the tangent is the normal turned to the right.
    const sign = second < 0 ? -1 : 1;
    const n = normal.map((component) => sign * component);
    at.forEach((point, k) => {
      const own = { bodies: sign > 0 ? [second, first] : [first, second], point, normal: n, tangents: [[n[1], -n[0]]] };
      touching.push({ ...own, gap: 0, restitution: scene.surface.restitution, impulse: [impulse.normalImpulses[k], impulse.tangentImpulses[k]] });
    });
  });
  return {
    step: () => {
      points.clear();
      touching = [];
      world.step(scene.h);
    },
    contacts: () => touching,
    states: () =>
      bodies.map((body) => {
        const p = body.getWorldCenter();
        const v = body.getLinearVelocity();
        const half = -body.getAngle() / 2;
        return [[p.x, 0, p.y], [Math.cos(half), 0, Math.sin(half), 0], [v.x, 0, v.y], [0, -body.getAngularVelocity(), 0]];
      }),
  };
});
