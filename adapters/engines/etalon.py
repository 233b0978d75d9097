"""Etalon's own planar engine, by the command etalon, in the plane x, z. Needs: etalon on the PATH, or its path in ETALON"""

import numpy as np

from etalon.engine import ScenarioEngine, State

VARIANTS = {"": ("defaults", {}), "near": ("a distance tolerance of 0.1 mm in place of 1 cm", {"distance_tolerance": 1e-4})}


class Etalon(ScenarioEngine):
    name = "etalon"
    can = frozenset({"restitution", "hinge", "stacks"})
    variants = {key: words for key, (words, _) in VARIANTS.items()}

    def __init__(self, gravity, h, surface, variant=""):
        super().__init__(gravity, h, surface, variant)
        # Gravity is downwards in this engine: the scene is turned instead, by this angle.
        self.pull = float(np.hypot(gravity[0], gravity[2]))
        self.tilt = float(np.arctan2(-gravity[0], -gravity[2])) if self.pull else 0.0
        self.bodies = []

    def _turned(self, x, z, sign=1.0):
        c, s = np.cos(self.tilt), np.sin(sign * self.tilt)
        return [c * x - s * z, s * x + c * z]

    def _surface(self):
        return {"friction": self.surface.mu, "elasticity": self.surface.restitution}

    def ground(self):
        slab = {"name": "ground", "path": rectangle(20, 1), "position": self._turned(0, -1), "angle": self.tilt}
        self.bodies.append(slab | self._surface())

    def add(self, body):
        w, _, y, _ = body.orientation
        name = f"body {len(self.bodies)}"
        self.bodies.append({
            "name": name, "mass": body.mass, "inertia": float(body.inertia[1]), **self._surface(),
            "path": rectangle(body.size[0], body.size[2]) if body.shape == "box" else circle(body.size[0]),
            "position": self._turned(body.position[0], body.position[2]), "angle": self.tilt - 2 * float(np.arctan2(y, w)),
            "velocity": self._turned(body.velocity[0], body.velocity[2]), "angular_velocity": -body.spin[1],
        })  # fmt: skip
        if body.hinge is not None:
            self.hinge = (name, body)
        return sum(own["name"].startswith("body") for own in self.bodies) - 1

    def _connectors(self):
        if not hasattr(self, "hinge"):
            return []
        name, body = self.hinge
        self.bodies.append({"name": "post"})
        self.bodies[-1] |= {"path": [], "position": [0.0, 0.0]}
        turn = next(own["angle"] for own in self.bodies if own["name"] == name)
        x, z = np.subtract(body.hinge.anchor, body.position)[[0, 2]]
        c, s = np.cos(turn), np.sin(turn)
        pin = {"kind": "joint", "body": name, "at": [c * x + s * z, c * z - s * x], "other": "post", "frame": "world"}
        anchor = [body.hinge.anchor[0], body.hinge.anchor[2]]
        return [pin | {"other_at": anchor, "normal": normal} for normal in ([1.0, 0.0], [0.0, 1.0])]

    def scene(self):
        connectors = self._connectors()
        return {
            "format": "etalon-world/1", "time": 0.0, "bodies": self.bodies, "connectors": connectors,
            "forces": [{"kind": "gravity", "g": self.pull}] if self.pull else [],
            "settings": {"time_step": self.h} | VARIANTS[self.variant][1],
        }  # fmt: skip

    def get(self, handle):
        x, z, angle = self.now["q"][3 * handle : 3 * handle + 3]
        u, w, turn = self.now["v"][3 * handle : 3 * handle + 3]
        place, velocity = self._turned(x, z, -1), self._turned(u, w, -1)
        c, s = np.cos(self.tilt - angle), np.sin(self.tilt - angle)
        rotation = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        return State(np.array([place[0], 0, place[1]]), rotation, np.array([velocity[0], 0, velocity[1]]), np.array([0, -turn, 0]))


def rectangle(a, b):
    corners = [[-a, -b], [a, -b], [a, b], [-a, b]]
    return [{"line": {"from": start, "to": end}} for start, end in zip(corners, corners[1:] + corners[:1])]


def circle(radius):
    start = [radius, 0.0]
    return [{"arc": {"center": [0.0, 0.0], "clockwise": False, "from": start, "outside_is_out": True, "to": start}}]


Etalon.require()
ENGINE = Etalon
