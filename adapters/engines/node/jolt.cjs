const { serve, versionOf } = require("./serve.cjs");

const list = (v) => [v.GetX(), v.GetY(), v.GetZ()];

const make = (J) => (scene) => {
  const settings = new J.JoltSettings();
  // One layer of what moves, one of what does not; all of it collides.
  const layers = new J.ObjectLayerPairFilterTable(2);
  layers.EnableCollision(0, 1);
  layers.EnableCollision(1, 1);
  const phases = new J.BroadPhaseLayerInterfaceTable(2, 2);
  phases.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0));
  phases.MapObjectToBroadPhaseLayer(1, new J.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = layers;
  settings.mBroadPhaseLayerInterface = phases;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(phases, 2, layers, 2);
  const jolt = new J.JoltInterface(settings);
  const system = jolt.GetPhysicsSystem();
  const world = system.GetBodyInterface();
  system.SetGravity(new J.Vec3(...scene.gravity));
  const add = (shape, position, [w, x, y, z], kind, layer, change) => {
    const own = new J.BodyCreationSettings(shape, new J.RVec3(...position), new J.Quat(x, y, z, w), kind, layer);
    // Jolt combines friction by the square root of the product, restitution by the larger.
    own.mFriction = scene.surface.mu;
    own.mRestitution = scene.surface.restitution;
    change?.(own);
    const body = world.CreateBody(own);
    world.AddBody(body.GetID(), J.EActivation_Activate);
    return body;
  };
  if (scene.ground) add(new J.BoxShape(new J.Vec3(20, 20, 1), 0.05, null), [0, 0, -1], [1, 0, 0, 0], J.EMotionType_Static, 0);
  const bodies = scene.bodies.map((own) => {
    const size = own.size;
    const shape = own.shape === "box" ? new J.BoxShape(new J.Vec3(...size), Math.min(0.05, ...size), null) : new J.SphereShape(size[0], null);
    const body = add(shape, own.position, own.orientation, J.EMotionType_Dynamic, 1, (settings) => {
      settings.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia;
      settings.mMassPropertiesOverride.mMass = own.mass;
      settings.mLinearDamping = settings.mAngularDamping = 0;
      settings.mAllowSleeping = false;
      settings.mMaxAngularVelocity = 200;
    });
    body.SetLinearVelocity(new J.Vec3(...own.velocity));
    body.SetAngularVelocity(new J.Vec3(...own.spin));
    return body;
  });
  // Points and normals are those of the start of the step. Jolt tells no impulses.
  let touching = [];
  const index = new Map(bodies.map((body, i) => [body.GetID().GetIndexAndSequenceNumber(), i]));
  const told = (one, other, pointer) => {
    const [first, second] = [one, other].map((body) => index.get(J.wrapPointer(body, J.Body).GetID().GetIndexAndSequenceNumber()) ?? -1);
    const manifold = J.wrapPointer(pointer, J.ContactManifold);
    // The normal pushes the second body.
    const sign = second < 0 ? -1 : 1;
    const normal = list(manifold.mWorldSpaceNormal).map((component) => sign * component);
    for (let k = 0; k < manifold.mRelativeContactPointsOn1.size(); k++) {
      const points = [list(manifold.GetWorldSpaceContactPointOn1(k)), list(manifold.GetWorldSpaceContactPointOn2(k))];
      const [point_a, point] = sign > 0 ? points.reverse() : points;
      const own = { bodies: sign > 0 ? [second, first] : [first, second], point_a, point, normal };
      touching.push({ ...own, gap: -manifold.mPenetrationDepth, restitution: scene.surface.restitution });
    }
  };
  const listener = new J.ContactListenerJS();
  listener.OnContactValidate = () => J.ValidateResult_AcceptAllContactsForThisBodyPair;
  listener.OnContactAdded = listener.OnContactPersisted = told;
  listener.OnContactRemoved = () => {};
  system.SetContactListener(listener);
  return {
    step: () => {
      touching = [];
      jolt.Step(scene.h, 1);
    },
    contacts: () => touching,
    states: () =>
      bodies.map((body) => {
        const q = body.GetRotation();
        return [list(body.GetCenterOfMassPosition()), [q.GetW(), q.GetX(), q.GetY(), q.GetZ()], list(body.GetLinearVelocity()), list(body.GetAngularVelocity())];
      }),
  };
};

(async () => {
  const { default: load } = await import(require.resolve("jolt-physics"));
  await serve(versionOf("jolt-physics"), process.argv[2] === "--version" ? null : make(await load()));
})();
