"""DART, by its Python package. Needs: pip install dartpy"""

from importlib.metadata import version

import dartpy
import numpy as np

from etalon.engine import Engine, State, body_entry, rotation


class Dart(Engine):
    name = "dart"
    can = frozenset({"stacks", "space", "restitution", "hinge", "pin", "ellipsoid"})
    variants = {"": "defaults: Dantzig's method"}

    def __init__(self, gravity, h, surface, variant=""):
        super().__init__(gravity, h, surface, variant)
        self.world = dartpy.simulation.World()
        self.world.setGravity(np.array(gravity, dtype=float))
        self.world.setTimeStep(h)
        self.nodes = []

    @staticmethod
    def version():
        return version("dartpy")

    def _cover(self, node, shape):
        part = node.createShapeNode(shape)
        part.createCollisionAspect()
        aspect = part.createDynamicsAspect()
        aspect.setFrictionCoeff(self.surface.mu)
        aspect.setRestitutionCoeff(self.surface.restitution)

    def ground(self):
        skeleton = dartpy.dynamics.Skeleton("ground")
        _, node = skeleton.createWeldJointAndBodyNodePair()
        # A box: contacts of boxes with planes are not implemented by the default collision detector.
        self._cover(node, dartpy.dynamics.BoxShape([20, 20, 2]))
        place = dartpy.math.Isometry3()
        place.set_translation([0, 0, -1])
        node.getShapeNode(0).setRelativeTransform(place)
        self.world.addSkeleton(skeleton)
        self.floor = node

    def add(self, body):
        skeleton = dartpy.dynamics.Skeleton(f"body {len(self.nodes)}")
        place = dartpy.math.Isometry3()
        place.set_rotation(rotation(body.orientation))
        place.set_translation(body.position)
        if body.hinge is None:
            joint, node = skeleton.createFreeJointAndBodyNodePair()
        elif body.hinge.axis is None:
            joint, node = skeleton.createBallJointAndBodyNodePair()
        else:
            joint, node = skeleton.createRevoluteJointAndBodyNodePair()
        shapes = {"box": dartpy.dynamics.BoxShape, "ellipsoid": dartpy.dynamics.EllipsoidShape}
        size = np.multiply(2, body.size)
        self._cover(node, dartpy.dynamics.SphereShape(body.size[0]) if body.shape == "ball" else shapes[body.shape](size))
        x, y, z = body.inertia
        node.setInertia(dartpy.dynamics.Inertia(body.mass, np.zeros(3), np.diag([x, y, z])))
        if body.hinge is None:
            joint.setRelativeTransform(place)
            joint.setLinearVelocity(np.array(body.velocity))
            joint.setAngularVelocity(np.array(body.spin))
        else:
            self._hang(joint, body)
        self.world.addSkeleton(skeleton)
        self.nodes.append((node, body))
        return len(self.nodes) - 1

    def _hang(self, joint, body):
        """A joint at the anchor, with the orientation that the body begins with."""
        turn = rotation(body.orientation)
        post, arm = dartpy.math.Isometry3(), dartpy.math.Isometry3()
        post.set_rotation(turn)
        post.set_translation(body.hinge.anchor)
        arm.set_translation(turn.T @ np.subtract(body.hinge.anchor, body.position))
        joint.setTransformFromParentBodyNode(post)
        joint.setTransformFromChildBodyNode(arm)
        if body.hinge.axis is None:
            joint.setVelocities(turn.T @ body.spin)
        else:
            joint.setAxis(turn.T @ np.array(body.hinge.axis, dtype=float))
            joint.setVelocity(0, float(np.dot(body.spin, body.hinge.axis)))

    def step(self):
        self.world.step()

    def get(self, handle):
        node, _ = self.nodes[handle]
        place = node.getWorldTransform()
        return State(place.translation(), place.rotation(), node.getLinearVelocity(), node.getAngularVelocity())

    def watch(self):
        self.before = [self.get(i) for i in range(len(self.nodes))]

    def record(self, name):
        """The force of a contact is that on its first body, in the world, with friction."""
        index = {node.getName() + node.getSkeleton().getName(): i for i, (node, _) in enumerate(self.nodes)}
        after = [self.get(i) for i in range(len(self.nodes))]
        entries = [body_entry(body, was, now, self.gravity) for (_, body), was, now in zip(self.nodes, self.before, after)]
        contacts = []
        for contact in self.world.getLastCollisionResult().getContacts():
            pair = [self._body(contact.collisionObject1, index), self._body(contact.collisionObject2, index)]
            normal, force = np.array(contact.normal), np.array(contact.force) * self.h
            if pair[0] < 0:
                pair, normal, force = pair[::-1], -normal, -force
            first = np.cross([0.0, 1.0, 0.0] if abs(normal[1]) < 0.9 else [1.0, 0.0, 0.0], normal)
            first /= np.linalg.norm(first)
            sides = [first, np.cross(normal, first)]
            contacts.append({
                "bodies": pair, "point": np.array(contact.point).tolist(), "normal": normal.tolist(),
                "tangents": [side.tolist() for side in sides], "gap": -contact.penetrationDepth, "mu": self.surface.mu,
                "restitution": self.surface.restitution, "impulse": [force @ normal, *(float(force @ side) for side in sides)],
            })  # fmt: skip
        engine = {"name": "dartpy", "version": self.version(), "settings": self.variants[self.variant]}
        return {
            "format": "etalon-step/1", "name": name, "engine": engine, "precision": "f64", "dimension": 3, "h": self.h,
            "when": "start", "law": "box", "model": "hard", "bodies": entries, "contacts": contacts,
        }  # fmt: skip

    def _body(self, thing, index):
        node = thing.getShapeFrame().asShapeNode().getBodyNodePtr()
        return index.get(node.getName() + node.getSkeleton().getName(), -1)


ENGINE = Dart
