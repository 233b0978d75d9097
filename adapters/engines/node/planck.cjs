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
  return {
    step: () => world.step(scene.h),
    states: () =>
      bodies.map((body) => {
        const p = body.getWorldCenter();
        const v = body.getLinearVelocity();
        const half = -body.getAngle() / 2;
        return [[p.x, 0, p.y], [Math.cos(half), 0, Math.sin(half), 0], [v.x, 0, v.y], [0, -body.getAngularVelocity(), 0]];
      }),
  };
});
