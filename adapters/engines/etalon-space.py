"""Etalon's own steps of bodies in space, by the command etalon. Needs: etalon on the PATH, or its path in ETALON"""

import numpy as np

from etalon.engine import ScenarioEngine, State, rotation

VARIANTS = {
    "": ("defaults: Stewart and Trinkle's method, pyramids of 8 sides, exact arithmetic", ["stewart-trinkle", "pyramid:8"]),
    "circular": ("Stewart and Trinkle's method, the circular cone", ["stewart-trinkle", "circular"]),
    "moreau-jean": ("Moreau and Jean's method, the circular cone", ["moreau-jean", "circular"]),
}


class EtalonSpace(ScenarioEngine):
    name = "etalon-space"
    can = frozenset({"space", "stacks", "restitution", "torsion", "elliptic", "hinge", "pin"})
    variants = {key: words for key, (words, _) in VARIANTS.items()}
    # 40 contacts of 10 rows each.
    declines = {("stack of 10", ""): "a step takes about 1 s in exact arithmetic, and there are 3600"}

    def __init__(self, gravity, h, surface, variant=""):
        super().__init__(gravity, h, surface, variant)
        self.bodies, self.joints, self.surfaces = [], [], []
        self.moving = 0

    def ground(self):
        self.bodies.append({"name": "ground", "fixed": True, "shape": {"half_space": [0, 0, 1]}})

    def add(self, body):
        name = f"body {self.moving}"
        shape = {"box": list(body.size)} if body.shape == "box" else {"sphere": body.size[0]}
        self.bodies.append({
            "name": name, "mass": body.mass, "shape": shape, "position": list(body.position),
            "orientation": list(body.orientation), "velocity": list(body.velocity), "angular_velocity": list(body.spin),
        })  # fmt: skip
        if body.hinge is not None:
            post = f"post of {name}"
            self.bodies.append({"name": post, "fixed": True})
            kind = {"kind": "ball"} if body.hinge.axis is None else {"kind": "hinge", "axis": list(body.hinge.axis)}
            self.joints.append({"name": f"hinge of {name}", "first": name, "second": post, "point": list(body.hinge.anchor)} | kind)
        if self.surface.mu_y is not None:
            own = {"mu": self.surface.mu, "across": self.surface.mu_y, "along": [1, 0, 0]}
            self.surfaces.append({"first": name, "second": "ground"} | own)
        self.moving += 1
        return self.moving - 1

    def scene(self):
        motion = {"h": self.h, "mu": self.surface.mu, "restitution": self.surface.restitution}
        motion["torsion"] = self.surface.torsion * self.surface.mu
        motion["surfaces"] = self.surfaces
        joints = {"joints": self.joints} if self.joints else {}
        return {"name": "scene", "gravity": self.gravity.tolist(), "bodies": self.bodies, "motion": motion} | joints

    def words(self):
        method, cone = VARIANTS[self.variant][1]
        return ["--method", method, "--cone", cone]

    def get(self, handle):
        place, turn = np.split(np.array(self.now["q"][7 * handle : 7 * handle + 7], dtype=float), [3])
        velocity, spin = np.split(np.array(self.now["v"][6 * handle : 6 * handle + 6], dtype=float), 2)
        return State(place, rotation(turn), velocity, spin)


EtalonSpace.require()
ENGINE = EtalonSpace
