"""MuJoCo. Its contacts are soft and convex, and it has no coefficient of restitution. Needs: pip install mujoco"""

import mujoco
import numpy as np

from etalon.engine import Body, Engine, State, rotation

VARIANTS = {
    "": ("defaults: Newton, pyramidal cones", {}),
    "elliptic": ("elliptic cones", {"cone": 1}),
    "pgs": ("elliptic cones, PGS", {"cone": 1, "solver": 0}),
    "impratio": ("elliptic cones, impratio 100, implicitfast", {"cone": 1, "impratio": 100, "integrator": 3}),
}
TYPES = {"box": mujoco.mjtGeom.mjGEOM_BOX, "ball": mujoco.mjtGeom.mjGEOM_SPHERE, "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID}


class MuJoCo(Engine):
    name = "mujoco"
    can = frozenset({"stacks", "space", "torsion", "elliptic", "hinge", "pin", "ellipsoid"})
    variants = {key: words for key, (words, _) in VARIANTS.items()}

    def __init__(self, gravity, h, surface, variant=""):
        super().__init__(gravity, h, surface, variant)
        self.spec = mujoco.MjSpec()
        self.spec.option.gravity, self.spec.option.timestep = self.gravity, h
        for key, value in VARIANTS[variant][1].items():
            setattr(self.spec.option, key, value)
        self.bodies = []

    @staticmethod
    def version():
        return mujoco.__version__

    def _surface(self):
        # A condim of 4 has friction against turning, in metres.
        kind = 4 if self.surface.torsion else 3
        return {"friction": [self.surface.mu, self.surface.torsion * self.surface.mu, 0], "condim": kind}

    def ground(self):
        plane = mujoco.mjtGeom.mjGEOM_PLANE
        self.spec.worldbody.add_geom(type=plane, size=[10, 10, 1], name="ground", **self._surface())

    def add(self, body: Body):
        own = self.spec.worldbody.add_body(pos=body.position, quat=body.orientation, name=f"body {len(self.bodies)}")
        joint, turn = {"name": f"joint {len(self.bodies)}"}, rotation(body.orientation)
        if body.hinge is None:
            own.add_freejoint(**joint)
        elif body.hinge.axis is None:
            joint["type"] = mujoco.mjtJoint.mjJNT_BALL
            own.add_joint(pos=turn.T @ np.subtract(body.hinge.anchor, body.position), **joint)
        else:
            joint["type"] = mujoco.mjtJoint.mjJNT_HINGE
            place = turn.T @ np.subtract(body.hinge.anchor, body.position)
            own.add_joint(axis=turn.T @ np.array(body.hinge.axis, dtype=float), pos=place, **joint)
        size = [*body.size, 0, 0][:3]
        own.add_geom(type=TYPES[body.shape], size=size, mass=body.mass, name=f"geom {len(self.bodies)}", **self._surface())
        if self.surface.mu_y is not None:
            # On the ground, whose normal is +z, the first tangent of a contact is +y.
            pair = {"condim": 3, "friction": [self.surface.mu_y, self.surface.mu, 0, 0, 0]}
            self.spec.add_pair(geomname1="ground", geomname2=f"geom {len(self.bodies)}", **pair)
        self.bodies.append(body)
        return len(self.bodies) - 1

    def start(self):
        self.model = self.spec.compile()
        self.data = mujoco.MjData(self.model)
        for at, body in enumerate(self.bodies):
            spin = rotation(body.orientation).T @ body.spin
            v = self.model.joint(f"joint {at}").dofadr[0]
            if body.hinge is None:
                self.data.qvel[v : v + 3], self.data.qvel[v + 3 : v + 6] = body.velocity, spin
            elif body.hinge.axis is None:
                self.data.qvel[v : v + 3] = spin
            else:
                self.data.qvel[v] = np.dot(body.spin, body.hinge.axis)
        mujoco.mj_forward(self.model, self.data)

    def step(self):
        mujoco.mj_step(self.model, self.data)

    def get(self, handle):
        # Positions after the step are in qpos; the pose of bodies is computed from them.
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        velocity = np.zeros(6)
        mujoco.mj_comVel(self.model, self.data)
        mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_BODY, handle + 1, velocity, 0)
        rotation = np.array(self.data.xmat[handle + 1]).reshape(3, 3)
        return State(np.array(self.data.xipos[handle + 1]), rotation, velocity[3:], velocity[:3])

    def record(self, name):
        import etalon.mujoco

        used = int(self.data.solver_niter.max())
        return etalon.mujoco.record(etalon.mujoco.read(self.model, self.data), name, self.model, used)


ENGINE = MuJoCo
