"""What an engine is for the scenes and the logs: a few methods, in one file for each engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np


class State(NamedTuple):
    """Where a body is, and how it moves."""

    #: The centre, (3,), in metres.
    position: np.ndarray
    #: The rotation from the body to the world, (3, 3).
    rotation: np.ndarray
    #: The velocity of the centre, (3,), in the world.
    velocity: np.ndarray
    #: The angular velocity, (3,), in the world.
    spin: np.ndarray


@dataclass(frozen=True)
class Hinge:
    """A hinge between a body and the world; without an axis a pin, about which the body turns freely."""

    anchor: tuple[float, float, float]
    axis: tuple[float, float, float] | None


@dataclass(frozen=True)
class Body:
    """A rigid body of a scene. Its mass is spread evenly."""

    #: "box" with its half sizes, "ball" with its radius, or "ellipsoid".
    shape: str
    #: Half sizes (3 numbers), or the radius (1 number), in metres.
    size: tuple[float, ...]
    #: In kilograms.
    mass: float
    position: tuple[float, float, float]
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    #: Angular velocity in the world.
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    #: Orientation as a quaternion (w, x, y, z).
    orientation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    #: What it hangs on, if not nothing.
    hinge: Hinge | None = None

    @property
    def half(self) -> tuple[float, float, float]:
        """The half sizes of the box about it."""
        return self.size * 3 if len(self.size) == 1 else self.size  # type: ignore[return-value]

    @property
    def inertia(self) -> np.ndarray:
        """The principal moments of inertia of a solid of even density, (3,)."""
        if self.shape == "ball":
            return np.full(3, 0.4 * self.mass * self.size[0] ** 2)
        share = 1 / 3 if self.shape == "box" else 1 / 5
        squares = np.square(self.half)
        return share * self.mass * (squares.sum() - squares)


@dataclass(frozen=True)
class Surface:
    """What all surfaces of a scene have in common."""

    #: Coulomb's coefficient of friction.
    mu: float
    #: Newton's coefficient of restitution.
    restitution: float = 0.0
    #: Radius of the patch against turning about the normal, mu times which is the torque per normal force; 0 for points.
    torsion: float = 0.0
    #: A second coefficient, along y, where friction is elliptic.
    mu_y: float | None = None


class Engine:
    """A world of an engine: made with a scene's settings, filled with a ground and bodies, then stepped.

    Subclasses set `name`, `version` and `can`, and implement what follows. Everything else is the engine's default.
    """

    #: The name on the command line; `name:variant` chooses settings.
    name = ""
    #: What it can do beyond boxes, balls and friction: "restitution", "torsion", "elliptic", "hinge", "pin", "ellipsoid",
    #: "stacks" (boxes on boxes), "space" (three dimensions).
    can: frozenset[str] = frozenset({"space"})
    #: The variants: a name and what it sets, in words.
    variants: dict[str, str] = {"": "defaults"}
    #: Why a variant is not asked a scene that it could be: by the names of both.
    declines: dict[tuple[str, str], str] = {}

    def __init__(self, gravity: tuple[float, ...], h: float, surface: Surface, variant: str = "") -> None:
        self.gravity, self.h, self.surface, self.variant = np.array(gravity, dtype=float), h, surface, variant

    @classmethod
    def features(cls, variant: str) -> frozenset[str]:
        """What a variant can do."""
        return cls.can

    @staticmethod
    def version() -> str:
        """The version of the engine that is installed."""
        raise NotImplementedError

    def ground(self) -> None:
        """Adds the half space z <= 0, with the surface of the scene."""
        raise NotImplementedError

    def add(self, body: Body) -> Any:
        """Adds a body, and returns a handle of it."""
        raise NotImplementedError

    def start(self) -> None:
        """Called once, when everything is there."""

    def step(self) -> None:
        """Makes a step of h."""
        raise NotImplementedError

    def get(self, handle: Any) -> State:
        """The state of a body."""
        raise NotImplementedError

    def record(self, name: str) -> dict[str, Any] | None:
        """The last step as a record of `etalon-step/1`, where the engine tells enough; call `watch` before the step."""
        return None

    def watch(self) -> None:
        """Called before a step that is recorded."""


def rotation(quaternion: Any) -> np.ndarray:
    """The matrix of a quaternion (w, x, y, z)."""
    w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def body_entry(body: Body, before: State, after: State, gravity: np.ndarray) -> dict[str, Any]:
    """A body of a record: its mass, inertia in the world and centre, and its velocities, at the start of the step."""
    turned = before.rotation @ np.diag(body.inertia) @ before.rotation.T
    return {
        "mass": body.mass,
        "inertia": turned.tolist(),
        "com": before.position.tolist(),
        "v0": [*before.velocity.tolist(), *before.spin.tolist()],
        "v1": [*after.velocity.tolist(), *after.spin.tolist()],
        "force": [*(body.mass * gravity).tolist(), 0.0, 0.0, 0.0],
    }


def planar_entry(body: Body, before: State, after: State, gravity: np.ndarray) -> dict[str, Any]:
    """As `body_entry`, in the plane x, z: a velocity is (x, z, turn to the left)."""
    start, end = (np.array([state.velocity[0], state.velocity[2], -state.spin[1]]) for state in (before, after))
    return {
        "mass": body.mass,
        "inertia": float(body.inertia[1]),
        "com": before.position[[0, 2]].tolist(),
        "v0": start.tolist(),
        "v1": end.tolist(),
        "force": [*(body.mass * gravity[[0, 2]]).tolist(), 0.0],
    }
