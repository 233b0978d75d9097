"""Drake: a discrete plant with point contact. Needs: pip install drake"""

from importlib.metadata import version

import numpy as np
from pydrake.geometry import AddContactMaterial, Box, Ellipsoid, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction, DiscreteContactApproximation
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.tree import FixedOffsetFrame, RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from etalon.engine import Engine, State, body_entry, rotation

SHAPES = {"box": lambda size: Box(*np.multiply(2, size)), "ball": lambda size: Sphere(*size), "ellipsoid": lambda size: Ellipsoid(*size)}


class Drake(Engine):
    name = "drake"
    can = frozenset({"space", "hinge", "ellipsoid"})
    variants = {"": "defaults: lagged", "sap": "SAP", "similar": "similar"}

    def __init__(self, gravity, h, surface, variant=""):
        super().__init__(gravity, h, surface, variant)
        self.builder = DiagramBuilder()
        self.plant, self.scene = AddMultibodyPlantSceneGraph(self.builder, time_step=h)
        self.plant.mutable_gravity_field().set_gravity_vector(np.array(gravity, dtype=float))
        kinds = {"": "kLagged", "sap": "kSap", "similar": "kSimilar"}
        self.plant.set_discrete_contact_approximation(getattr(DiscreteContactApproximation, kinds[variant]))
        self.bodies = []

    @staticmethod
    def version():
        return version("drake")

    def _collide(self, body, place, shape, name):
        properties = ProximityProperties()
        AddContactMaterial(properties=properties, friction=CoulombFriction(self.surface.mu, self.surface.mu))
        self.plant.RegisterCollisionGeometry(body, place, shape, name, properties)

    def ground(self):
        self._collide(self.plant.world_body(), RigidTransform(), HalfSpace(), "ground")

    def add(self, body):
        mass, (x, y, z) = body.mass, body.inertia / body.mass
        inertia = SpatialInertia(mass, np.zeros(3), UnitInertia(x, y, z))
        own = self.plant.AddRigidBody(f"body {len(self.bodies)}", inertia)
        if body.shape == "box":
            # Point contact knows a box by its corners only where spheres stand there.
            for corner in np.ndindex(2, 2, 2):
                place = np.multiply(np.multiply(2, corner) - 1, np.subtract(body.size, RADIUS))
                self._collide(own, RigidTransform(place), Sphere(RADIUS), f"corner {corner}")
        else:
            self._collide(own, RigidTransform(), SHAPES[body.shape](body.size), "shape")
        self.bodies.append((own, body))
        if body.hinge is not None:
            self._hang(own, body)
        return len(self.bodies) - 1

    def _hang(self, own, body):
        turn = RotationMatrix(rotation(body.orientation))
        post = RigidTransform(turn, np.array(body.hinge.anchor))
        arm = RigidTransform(rotation(body.orientation).T @ np.subtract(body.hinge.anchor, body.position))
        frames = [self.plant.AddFrame(FixedOffsetFrame("post", self.plant.world_frame(), post))]
        frames.append(self.plant.AddFrame(FixedOffsetFrame("arm", own.body_frame(), arm)))
        axis = rotation(body.orientation).T @ np.array(body.hinge.axis, dtype=float)
        self.plant.AddJoint(RevoluteJoint("hinge", *frames, axis))

    def start(self):
        self.plant.Finalize()
        self.diagram = self.builder.Build()
        self.simulator = Simulator(self.diagram)
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for own, body in self.bodies:
            if body.hinge is None:
                place = RigidTransform(RotationMatrix(rotation(body.orientation)), np.array(body.position))
                self.plant.SetFreeBodyPose(self.context, own, place)
                moving = SpatialVelocity(np.array(body.spin), np.array(body.velocity))
                self.plant.SetFreeBodySpatialVelocity(self.context, own, moving)
        self.simulator.Initialize()
        self.steps = 0

    def step(self):
        self.steps += 1
        self.simulator.AdvanceTo(self.steps * self.h)

    def get(self, handle):
        own = self.bodies[handle][0]
        place = self.plant.EvalBodyPoseInWorld(self.context, own)
        moving = self.plant.EvalBodySpatialVelocityInWorld(self.context, own)
        return State(place.translation(), place.rotation().matrix(), moving.translational(), moving.rotational())

    def watch(self):
        self.before = [self.get(i) for i in range(len(self.bodies))]

    def record(self, name):
        """The contact results after a step are those of that step: force on B, point, depth."""
        results = self.plant.get_contact_results_output_port().Eval(self.context)
        index = {own.index(): i for i, (own, _) in enumerate(self.bodies)}
        after = [self.get(i) for i in range(len(self.bodies))]
        entries = [body_entry(body, was, now, self.gravity) for (_, body), was, now in zip(self.bodies, self.before, after)]
        contacts = []
        for i in range(results.num_point_pair_contacts()):
            info = results.point_pair_contact_info(i)
            pair = [index.get(info.bodyB_index(), -1), index.get(info.bodyA_index(), -1)]
            normal, force = -info.point_pair().nhat_BA_W, np.array(info.contact_force()) * self.h
            if pair[0] < 0:
                pair, normal, force = pair[::-1], -normal, -force
            first = np.cross([0.0, 1.0, 0.0] if abs(normal[1]) < 0.9 else [1.0, 0.0, 0.0], normal)
            first /= np.linalg.norm(first)
            sides = [first, np.cross(normal, first)]
            contacts.append({
                "bodies": pair, "point": np.array(info.contact_point()).tolist(), "normal": normal.tolist(),
                "tangents": [side.tolist() for side in sides], "gap": -info.point_pair().depth, "mu": self.surface.mu,
                "impulse": [float(force @ normal), *(float(force @ side) for side in sides)],
            })  # fmt: skip
        engine = {"name": "drake", "version": self.version(), "settings": self.variants[self.variant]}
        return {
            "format": "etalon-step/1", "name": name, "engine": engine, "precision": "f64", "dimension": 3, "h": self.h,
            "when": "start", "law": "coulomb", "model": "convex" if self.variant == "sap" else "lagged",
            "bodies": entries, "contacts": contacts,
        }  # fmt: skip


RADIUS = 1e-3
ENGINE = Drake
