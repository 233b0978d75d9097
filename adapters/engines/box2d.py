"""Box2D, in the plane x, z and in binary32. Continuous physics is off, since it solves a step twice. Needs: pip install Box2D (and swig)"""

from importlib.metadata import version

import Box2D
import numpy as np

from etalon.engine import Engine, State, planar_entry

VELOCITY, POSITION = 8, 3  # iterations, as its manual has them


class Listener(Box2D.b2ContactListener):
    """Points are those of the start of the step (PreSolve), impulses come after it (PostSolve)."""

    def __init__(self):
        super().__init__()
        self.points, self.contacts = {}, []

    def PreSolve(self, contact, old):
        # What the manifold points to lives as long as it does.
        manifold = contact.worldManifold
        points = [tuple(point) for point in manifold.points[: contact.manifold.pointCount]]
        self.points[key(contact)] = (points, (manifold.normal.x, manifold.normal.y))

    def PostSolve(self, contact, impulse):
        points, normal = self.points[key(contact)]
        bodies = (contact.fixtureA.body, contact.fixtureB.body)
        for at, point in enumerate(points):
            self.contacts.append((bodies, point, normal, impulse.normalImpulses[at], impulse.tangentImpulses[at]))


def key(contact):
    return tuple(int(fixture.body.userData if fixture.body.userData is not None else -1) for fixture in (contact.fixtureA, contact.fixtureB))


class Plane(Engine):
    name = "box2d"
    can = frozenset({"stacks", "restitution", "hinge"})
    variants = {"": "8 velocity and 3 position iterations, without continuous physics and sleep"}

    def __init__(self, gravity, h, surface, variant=""):
        super().__init__(gravity, h, surface, variant)
        self.listener = Listener()
        pull = (float(gravity[0]), float(gravity[2]))
        self.world = Box2D.b2World(gravity=pull, doSleep=False, contactListener=self.listener)
        self.world.continuousPhysics = False
        self.bodies = []

    @staticmethod
    def version():
        return version("Box2D")

    def _fixture(self, own, shape, density):
        own.CreateFixture(shape=shape, density=density, friction=self.surface.mu, restitution=self.surface.restitution)

    def ground(self):
        own = self.world.CreateStaticBody(position=(0, -1))
        self._fixture(own, Box2D.b2PolygonShape(box=(20, 1)), 0)

    def add(self, body):
        w, _, y, _ = body.orientation
        place = {"position": (body.position[0], body.position[2]), "angle": -2 * np.arctan2(y, w)}
        own = self.world.CreateDynamicBody(**place, userData=len(self.bodies))
        shape = Box2D.b2PolygonShape(box=(body.size[0], body.size[2])) if body.shape == "box" else Box2D.b2CircleShape(radius=body.size[0])
        self._fixture(own, shape, 1)
        # Balls are solid balls, not discs: mass and inertia are those of the scene.
        own.massData = Box2D.b2MassData(mass=body.mass, I=float(body.inertia[1]), center=(0, 0))
        own.linearVelocity = (body.velocity[0], body.velocity[2])
        own.angularVelocity = -body.spin[1]
        if body.hinge is not None:
            post = self.world.CreateStaticBody(position=(0, 0))
            anchor = (body.hinge.anchor[0], body.hinge.anchor[2])
            self.world.CreateRevoluteJoint(bodyA=post, bodyB=own, anchor=anchor)
        self.bodies.append((own, body))
        return len(self.bodies) - 1

    def step(self):
        self.listener.points.clear()
        self.listener.contacts.clear()
        self.world.Step(self.h, VELOCITY, POSITION)

    def get(self, handle):
        own = self.bodies[handle][0]
        turn, (x, z), (u, w) = -own.angle, own.worldCenter, own.linearVelocity
        c, s = np.cos(turn), np.sin(turn)
        rotation = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        return State(np.array([x, 0, z]), rotation, np.array([u, 0, w]), np.array([0, -own.angularVelocity, 0]))

    def watch(self):
        self.before = [self.get(i) for i in range(len(self.bodies))]

    def record(self, name):
        entries = []
        for i, (own, body) in enumerate(self.bodies):
            # Mass and inertia are those that Box2D computes with, in binary32.
            entries.append(planar_entry(body, self.before[i], self.get(i), self.gravity) | {"mass": own.mass, "inertia": own.inertia})
        contacts = []
        for (first, second), point, normal, along, across in self.listener.contacts:
            # The normal points from the first body to the second, the tangent is the normal turned to the right.
            pair, sign = [index(second), index(first)], 1.0
            if pair[0] < 0:
                pair, sign = pair[::-1], -1.0
            n = [sign * component for component in normal]
            entry = {"bodies": pair, "point": point, "normal": n, "tangents": [[n[1], -n[0]]], "mu": self.surface.mu}
            contacts.append(entry | {"gap": 0.0, "restitution": self.surface.restitution, "impulse": [along, across]})
        engine = {"name": "Box2D", "version": self.version(), "settings": self.variants[self.variant]}
        return {
            "format": "etalon-step/1", "name": name, "engine": engine, "precision": "f32", "dimension": 2,
            "h": float(np.float32(self.h)), "when": "start", "law": "box", "model": "hard", "bodies": entries, "contacts": contacts,
        }  # fmt: skip


def index(body):
    return -1 if body.userData is None else int(body.userData)


ENGINE = Plane
