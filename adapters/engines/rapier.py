"""Rapier, by its Python package, in binary32. Needs: pip install rapier3d"""

from importlib.metadata import version

import numpy as np
import rapier3d as rapier

from etalon.engine import Engine, State, body_entry, rotation

SUBSTEPS = 4  # num_solver_iterations, by default: impulses are totals over them


def array(vector):
    return np.array([vector.x, vector.y, vector.z], dtype=float)


class Rapier(Engine):
    name = "rapier"
    can = frozenset({"stacks", "space", "restitution", "hinge", "pin"})
    variants = {"": "defaults (friction SIMPLIFIED), without sleep", "coulomb": "friction COULOMB, without sleep"}

    def __init__(self, gravity, h, surface, variant=""):
        super().__init__(gravity, h, surface, variant)
        self.world = rapier.PhysicsWorld(gravity=tuple(gravity))
        self.world.integration_parameters.dt = h
        if variant == "coulomb":
            self.world.integration_parameters.friction_model = rapier.FrictionModel.COULOMB
        self.bodies, self.floor = [], None

    @staticmethod
    def version():
        return version("rapier3d")

    def _collider(self, collider):
        return collider.friction(self.surface.mu).restitution(self.surface.restitution)

    def ground(self):
        self.floor = self.world.add_collider(self._collider(rapier.Collider.halfspace((0, 0, 1))))

    def add(self, body):
        shape = rapier.Collider.cuboid(*body.size) if body.shape == "box" else rapier.Collider.ball(*body.size)
        turn = axis_angle(body.orientation)
        builder = rapier.RigidBody.dynamic(translation=body.position, linvel=body.velocity, angvel=body.spin, can_sleep=False)
        handle = self.world.add_body(builder.rotation(turn), colliders=[self._collider(shape).mass(body.mass)])
        self.bodies.append((handle, body))
        if body.hinge is not None:
            self._hang(handle, body)
        return handle

    def _hang(self, handle, body):
        post = self.world.add_body(rapier.RigidBody.fixed(translation=body.hinge.anchor))
        turn = rotation(body.orientation).T
        arm = tuple(turn @ np.subtract(body.hinge.anchor, body.position))
        if body.hinge.axis is None:
            joint = rapier.SphericalJointBuilder().local_anchor1((0, 0, 0)).local_anchor2(arm)
        else:
            joint = rapier.RevoluteJointBuilder(tuple(body.hinge.axis)).local_anchor1((0, 0, 0)).local_anchor2(arm)
        self.world.impulse_joints.insert(post, handle, joint.build(), True)

    def step(self):
        self.world.step()

    def get(self, handle):
        body = self.world.rigid_bodies[handle]
        turn = body.rotation
        quaternion = (turn.w, turn.i, turn.j, turn.k)
        return State(array(body.translation), rotation(quaternion), array(body.linvel), array(body.angvel))

    def watch(self):
        self.before = [self.get(handle) for handle, _ in self.bodies]

    def record(self, name):
        """Points are local points at the pose before the step; with n = +z the tangents are +y and +x.

        Impulses are totals over the substeps, in which levers turn by up to h |spin|: that much of them is declared.
        """
        after = [self.get(handle) for handle, _ in self.bodies]
        turn = self.h * max((np.linalg.norm(state.spin) for state in [*self.before, *after]), default=0.0)
        entries = [body_entry(body, was, now, self.gravity) for (_, body), was, now in zip(self.bodies, self.before, after)]
        engine = {"name": "rapier3d", "version": self.version(), "settings": self.variants[self.variant]}
        return {
            "format": "etalon-step/1", "name": name, "engine": engine, "precision": "f32", "dimension": 3,
            "declared_error": turn, "h": float(np.float32(self.h)), "substeps": SUBSTEPS, "when": "start", "law": "coulomb", "model": "soft-convex",
            "bodies": entries, "contacts": [contact for pair in self.world.narrow_phase.contact_pairs() for contact in self._contacts(pair)],
        }  # fmt: skip

    def _contacts(self, pair):
        first, second = self._body(pair.collider1), self._body(pair.collider2)
        for manifold in pair.manifolds:
            # The normal points from the first collider to the second: it pushes the second.
            normal = array(manifold.data.normal)
            pushed, other, side = (second, first, "local_p2") if second >= 0 else (first, second, "local_p1")
            normal = normal if second >= 0 else -normal
            for point in manifold.points:
                place = self.before[pushed].position + self.before[pushed].rotation @ array(getattr(point, side))
                yield {
                    "bodies": [pushed, other], "point": place.tolist(), "normal": normal.tolist(), "tangents": tangents(normal),
                    "gap": float(point.dist), "mu": self.surface.mu, "restitution": self.surface.restitution,
                    "impulse": [float(point.impulse), *map(float, point.tangent_impulse)],
                } | ({} if self.variant == "coulomb" else {"impulse_known": ["normal"]})  # fmt: skip

    def _body(self, collider):
        parent = self.world.colliders[collider].parent
        return next((i for i, (handle, _) in enumerate(self.bodies) if handle == parent), -1)


def tangents(normal):
    """For n = +z they are +y and +x, as the engine has them there."""
    x, y, z = normal
    if abs(z) > 0.99:
        return [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    first = np.cross([0, 0, 1], normal)
    first /= np.linalg.norm(first)
    return [first.tolist(), np.cross(normal, first).tolist()]


def axis_angle(quaternion):
    w, *vector = np.asarray(quaternion) / np.linalg.norm(quaternion)
    length = np.linalg.norm(vector)
    return tuple(np.zeros(3) if length == 0 else np.multiply(2 * np.arctan2(length, w) / length, vector))


ENGINE = Rapier
