"""Newton, by its Python package on Warp, in binary32 on a processor. It tells where bodies touch, not its impulses. Needs: pip install newton mujoco-warp"""

from importlib.metadata import version

import newton
import numpy as np
import warp

from etalon.engine import Engine, State, body_entry, rotation

warp.config.quiet = True
SOLVERS = {
    "": ("defaults: XPBD", lambda model: newton.solvers.SolverXPBD(model)),
    "restitution": ("XPBD with restitution", lambda model: newton.solvers.SolverXPBD(model, enable_restitution=True)),
    # By default the room for contacts is guessed from the start, where a stack has none yet.
    "mujoco": (
        f"MuJoCo Warp {version('mujoco-warp')}, room for 200 contacts; Newton's extra asks for MuJoCo 3.17",
        lambda model: newton.solvers.SolverMuJoCo(model, njmax=1000, nconmax=200),
    ),
    "kamino": ("Kamino", lambda model: newton.solvers.SolverKamino(model)),
}


class Newton(Engine):
    name = "newton"
    can = frozenset({"stacks", "space"})
    variants = {key: words for key, (words, _) in SOLVERS.items()}
    declines = {("stack of 10", "kamino"): "a step takes about 0.1 s, and there are 3600"}

    def __init__(self, gravity, h, surface, variant=""):
        super().__init__(gravity, h, surface, variant)
        self.builder = newton.ModelBuilder(gravity=tuple(map(float, gravity)))
        self.cover = newton.ModelBuilder.ShapeConfig(density=0.0, mu=surface.mu, restitution=surface.restitution)
        self.bodies = []

    @classmethod
    def features(cls, variant):
        return cls.can | {"restitution"} if variant == "restitution" else cls.can

    @staticmethod
    def version():
        return version("newton")

    def ground(self):
        self.builder.add_ground_plane(cfg=self.cover)

    def add(self, body):
        w, x, y, z = body.orientation
        place = warp.transform(body.position, warp.quat(x, y, z, w))
        inertia = warp.mat33(*np.diag(body.inertia).ravel())
        own = self.builder.add_body(xform=place, mass=body.mass, inertia=inertia, lock_inertia=True)
        if body.shape == "box":
            self.builder.add_shape_box(own, hx=body.size[0], hy=body.size[1], hz=body.size[2], cfg=self.cover)
        else:
            self.builder.add_shape_sphere(own, radius=body.size[0], cfg=self.cover)
        self.bodies.append(body)
        return own

    def start(self):
        self.model = self.builder.finalize(device="cpu")
        moving = np.array([[*body.velocity, *body.spin] for body in self.bodies], dtype=np.float32)
        # Solvers in joint coordinates start from those of the free joints, the others from the bodies.
        self.model.joint_qd.assign(moving.ravel())
        self.solver = SOLVERS[self.variant][1](self.model)
        self.states = [self.model.state(), self.model.state()]
        self.states[0].body_qd.assign(moving)
        self.control = self.model.control()
        self.touching = self.model.contacts()

    def step(self):
        now, then = self.states
        now.clear_forces()
        self.model.collide(now, self.touching)
        self.solver.step(now, then, self.control, self.touching, self.h)
        self.states = [then, now]

    def get(self, handle):
        place, moving = self.states[0].body_q.numpy()[handle], self.states[0].body_qd.numpy()[handle].astype(float)
        x, y, z, w = place[3:].astype(float)
        return State(place[:3].astype(float), rotation((w, x, y, z)), moving[:3], moving[3:])

    def watch(self):
        self.before = [self.get(i) for i in range(len(self.bodies))]
        self.model.collide(self.states[0], self.touching)
        self.found = list(self._contacts())

    def _contacts(self):
        """Those of Newton's own collision detection at the start of the step; normals point from the first shape to the second."""
        bodies, count = self.model.shape_body.numpy(), int(self.touching.rigid_contact_count.numpy()[0])
        names = ("shape0", "shape1", "point0", "point1", "normal", "margin0", "margin1")
        arrays = [getattr(self.touching, "rigid_contact_" + name).numpy()[:count] for name in names]
        for shape, other, point, other_point, normal, margin, other_margin in zip(*arrays):
            pair, normal = [int(bodies[other]), int(bodies[shape])], normal.astype(float)
            ends = [self._place(pair[0], other_point) - other_margin * normal, self._place(pair[1], point) + margin * normal]
            if pair[0] < 0:
                pair, ends, normal = pair[::-1], ends[::-1], -normal
            if pair[0] >= 0:
                middle = (ends[0] + ends[1]) / 2
                gap = float((ends[0] - ends[1]) @ normal)
                yield {"bodies": pair, "point": middle.tolist(), "normal": normal.tolist(), "gap": gap, "mu": self.surface.mu}

    def _place(self, body, point):
        if body < 0:
            return point.astype(float)
        return self.before[body].position + self.before[body].rotation @ point.astype(float)

    def record(self, name):
        after = [self.get(i) for i in range(len(self.bodies))]
        entries = [body_entry(body, was, now, self.gravity) for body, was, now in zip(self.bodies, self.before, after)]
        engine = {"name": "newton", "version": self.version(), "settings": self.variants[self.variant]}
        return {
            "format": "etalon-step/1", "name": name, "engine": engine, "precision": "f32", "dimension": 3,
            "h": float(np.float32(self.h)), "when": "start", "law": "coulomb",
            "model": "position-based" if self.variant in ("", "restitution") else "convex",
            "bodies": entries, "contacts": self.found,
        }  # fmt: skip


ENGINE = Newton
