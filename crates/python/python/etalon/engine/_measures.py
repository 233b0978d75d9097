"""What is measured on a motion: one function a figure, of the states of all bodies after each step."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._world import Body, State


@dataclass(frozen=True)
class Motion:
    """A scene's motion: `states[k][i]` is body i after k steps of h."""

    states: list[list[State]]
    bodies: list[Body]
    h: float
    gravity: np.ndarray

    def positions(self, body: int = 0) -> np.ndarray:
        """The centre of a body, (steps + 1, 3)."""
        return np.array([states[body].position for states in self.states])

    def velocities(self, body: int = 0) -> np.ndarray:
        """The velocity of a body, (steps + 1, 3)."""
        return np.array([states[body].velocity for states in self.states])

    def spins(self, body: int = 0) -> np.ndarray:
        """The angular velocity of a body, (steps + 1, 3)."""
        return np.array([states[body].spin for states in self.states])

    def momentum(self, states: list[State]) -> np.ndarray:
        """The linear momentum of all bodies."""
        return sum((body.mass * state.velocity for body, state in zip(self.bodies, states, strict=True)), np.zeros(3))

    def energy(self, states: list[State], with_height: bool = False) -> float:
        """The kinetic energy of all bodies, with the potential one if asked for."""
        total = 0.0
        for body, state in zip(self.bodies, states, strict=True):
            spin = state.rotation.T @ state.spin
            total += body.mass * (state.velocity @ state.velocity) / 2 + (body.inertia * spin) @ spin / 2
            if with_height:
                total -= body.mass * float(self.gravity @ state.position)
        return float(total)


def measure(motion: Motion, figure: dict[str, Any]) -> float | str:
    """The figure of a motion."""
    return MEASURES[figure["measure"]](motion, figure)


def _way(motion: Motion) -> np.ndarray:
    places = motion.positions()
    return places[-1] - places[0]


def _heading(motion: Motion, _: dict[str, Any]) -> float:
    """The angle between the way and the velocity at first, in degrees."""
    (x, y, _z), (u, v, _w) = _way(motion), motion.velocities()[0]
    return float(np.degrees(np.arctan2(u * y - v * x, u * x + v * y)))


def _spin_deceleration(motion: Motion, figure: dict[str, Any]) -> float:
    start, end = (round(time / motion.h) for time in figure["window"])
    spin = motion.spins()[:, 2]
    return float((spin[start] - spin[end]) / ((end - start) * motion.h))


def _bounce(motion: Motion, _: dict[str, Any]) -> float:
    """The height of the ball's lowest point after it was lowest."""
    height = motion.positions()[:, 2] - motion.bodies[0].size[0]
    lowest = int(np.argmin(height[: round(0.6 / motion.h)]))
    return float(height[lowest:].max())


def _angular_momentum_ratio(motion: Motion, _: dict[str, Any]) -> float:
    def length(state: State) -> float:
        return float(np.linalg.norm(state.rotation @ (motion.bodies[0].inertia * (state.rotation.T @ state.spin))))

    return length(motion.states[-1][0]) / length(motion.states[0][0])


def _crossings(values: np.ndarray, h: float) -> np.ndarray:
    """The times at which the values change sign, by straight lines between steps."""
    at = np.flatnonzero(values[:-1] * values[1:] < 0)
    return (at + values[at] / (values[at] - values[at + 1])) * h


def _flip(motion: Motion, figure: dict[str, Any]) -> float:
    """The mean time between two flips: changes of sign of the spin about an axis of the body."""
    spins = np.array([(states[0].rotation.T @ states[0].spin)[figure["start_axis"]] for states in motion.states])
    times = _crossings(spins, motion.h)
    return float(np.diff(times).mean()) if len(times) > 1 else math.inf


def _period(motion: Motion, _: dict[str, Any]) -> float:
    """Twice the mean time between two passages through the lowest place."""
    times = _crossings(motion.positions()[:, 0], motion.h)
    return float(2 * np.diff(times).mean()) if len(times) > 1 else math.inf


def _azimuth(motion: Motion, _: dict[str, Any]) -> float:
    """The angle by which the centre has gone round the vertical, in radians."""
    places = motion.positions()
    angles = np.unwrap(np.arctan2(places[:, 1], places[:, 0]))
    return float(angles[-1] - angles[0])


def _largest_energy_ratio(motion: Motion, _: dict[str, Any]) -> float:
    energies = [motion.energy(states, with_height=True) for states in motion.states]
    return float(max(energies[1:]) / energies[0])


def _cradle_class(motion: Motion, _: dict[str, Any]) -> str:
    """How the impulse went through: which balls move at the end."""
    speeds = np.array([state.velocity[0] for state in motion.states[-1]])
    if motion.energy(motion.states[-1]) < 0.98 * motion.energy(motion.states[0]):
        return "lossy"
    return "sequential" if speeds[-1] > 0.99 and np.abs(speeds[:-1]).max() < 0.01 else "simultaneous"


MEASURES: dict[str, Callable[[Motion, dict[str, Any]], float | str]] = {
    "distance": lambda motion, _: float(np.hypot(*_way(motion)[:2])),
    "heading": _heading,
    "along_x": lambda motion, _: float(_way(motion)[0]),
    "speed": lambda motion, _: float(np.hypot(*motion.velocities()[-1][:2])),
    "velocity_x": lambda motion, figure: float(motion.velocities(figure.get("body", 0))[-1][0]),
    "spin_deceleration": _spin_deceleration,
    "height": lambda motion, figure: float(motion.positions(figure.get("body", 0))[-1][2]),
    "bounce": _bounce,
    "momentum_x": lambda motion, _: float(motion.momentum(motion.states[-1])[0]),
    "energy_ratio": lambda motion, _: motion.energy(motion.states[-1]) / motion.energy(motion.states[0]),
    "angular_momentum_ratio": _angular_momentum_ratio,
    "flip": _flip,
    "period": _period,
    "azimuth": _azimuth,
    "largest_energy_ratio": _largest_energy_ratio,
    "cradle_class": _cradle_class,
}
