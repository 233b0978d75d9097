"""Bullet, by its Python package. Its damping (0.04 by default) is set to 0, as other engines have it. Needs: pip install pybullet"""

import pybullet
from importlib.metadata import version

import numpy as np

from etalon.engine import Engine, State, body_entry, rotation

SLOP, ERP = 1e-5, 0.08  # of contacts, by default


class Bullet(Engine):
    name = "pybullet"
    can = frozenset({"stacks", "space", "restitution"})
    variants = {"": "defaults, without damping"}

    def __init__(self, gravity, h, surface, variant=""):
        super().__init__(gravity, h, surface, variant)
        self.client = pybullet.connect(pybullet.DIRECT)
        self.on = {"physicsClientId": self.client}
        pybullet.setGravity(*gravity, **self.on)
        pybullet.setTimeStep(h, **self.on)
        self.bodies = {}

    @staticmethod
    def version():
        return version("pybullet")

    def ground(self):
        shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[20, 20, 1], **self.on)
        self.floor = pybullet.createMultiBody(0, shape, -1, (0, 0, -1), **self.on)
        # Bullet multiplies the coefficients of the two bodies.
        pybullet.changeDynamics(self.floor, -1, lateralFriction=1, restitution=1, **self.on)

    def add(self, body):
        kind = {"box": pybullet.GEOM_BOX, "ball": pybullet.GEOM_SPHERE}[body.shape]
        size = {"halfExtents": body.size} if body.shape == "box" else {"radius": body.size[0]}
        shape = pybullet.createCollisionShape(kind, **size, **self.on)
        w, x, y, z = body.orientation
        handle = pybullet.createMultiBody(body.mass, shape, -1, body.position, [x, y, z, w], **self.on)
        settings = {"lateralFriction": self.surface.mu, "restitution": self.surface.restitution}
        pybullet.changeDynamics(handle, -1, linearDamping=0, angularDamping=0, **settings, **self.on)
        pybullet.resetBaseVelocity(handle, body.velocity, body.spin, **self.on)
        self.bodies[handle] = body
        return handle

    def step(self):
        pybullet.stepSimulation(**self.on)

    def get(self, handle):
        position, (x, y, z, w) = pybullet.getBasePositionAndOrientation(handle, **self.on)
        velocity, spin = pybullet.getBaseVelocity(handle, **self.on)
        return State(np.array(position), rotation((w, x, y, z)), np.array(velocity), np.array(spin))

    def watch(self):
        self.before = {handle: self.get(handle) for handle in self.bodies}

    def record(self, name):
        """Contact points after a step are those of its start: point on A, point on B, gap, and forces along normal and two tangents."""
        index = {handle: i for i, handle in enumerate(self.bodies)}
        bodies = []
        for handle, body in self.bodies.items():
            entry = body_entry(body, self.before[handle], self.get(handle), self.gravity)
            before = self.before[handle]
            # The gyroscopic torque is that of the start of the step.
            entry["force"][3:] = np.cross(before.rotation @ np.diag(body.inertia) @ before.rotation.T @ before.spin, before.spin).tolist()
            bodies.append(entry)
        contacts = []
        for _, a, b, *_, on_a, on_b, normal, gap, n, t1, along1, t2, along2 in pybullet.getContactPoints(**self.on):
            target = (gap - -SLOP) / self.h if gap > -SLOP else ERP * (gap + SLOP) / self.h
            contacts.append(
                {
                    "bodies": [index.get(a, -1), index.get(b, -1)],
                    "point_a": on_a,
                    "point": on_b,
                    "normal": normal,
                    "tangents": [along1, along2],
                    "gap": gap,
                    "mu": self.surface.mu,
                    "restitution": self.surface.restitution,
                    "target": -target,
                    "impulse": [n * self.h, t1 * self.h, t2 * self.h],
                }
            )
        engine = {"name": "pybullet", "version": self.version(), "settings": {"erp": ERP, "slop": SLOP}}
        return {
            "format": "etalon-step/1", "name": name, "engine": engine, "precision": "f64", "h": self.h, "dimension": 3,
            "when": "start", "law": "coulomb", "model": "hard", "bodies": bodies, "contacts": contacts,
        }  # fmt: skip


ENGINE = Bullet
