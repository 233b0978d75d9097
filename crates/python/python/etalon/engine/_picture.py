"""Motions drawn over the truth, as SVG."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import numpy as np

from ._measures import Motion

WIDTH, HEIGHT, LEFT, BELOW, ABOVE, KEY = 760, 300, 56, 34, 12, 150
POINTS = 120
COLOURS = ("#1b6ca8", "#c0392b", "#218c74", "#8e44ad", "#d68910", "#2c3e50", "#16a085", "#a04000", "#7f8c8d", "#6c3483")


def _energy(motion: Motion, _: dict[str, Any]) -> np.ndarray:
    with_height = bool(np.any(motion.gravity))
    energies = np.array([motion.energy(states, with_height) for states in motion.states])
    return energies / energies[0]


def _way(motion: Motion, _: dict[str, Any]) -> np.ndarray:
    places = motion.positions()
    return np.hypot(*(places - places[0])[:, :2].T)


def _heading(motion: Motion, _: dict[str, Any]) -> np.ndarray:
    way = (motion.positions() - motion.positions()[0])[:, :2]
    u, v = motion.velocities()[0][:2]
    return np.degrees(np.arctan2(u * way[:, 1] - v * way[:, 0], u * way[:, 0] + v * way[:, 1]))


def _azimuth(motion: Motion, _: dict[str, Any]) -> np.ndarray:
    places = motion.positions()
    angles = np.unwrap(np.arctan2(places[:, 1], places[:, 0]))
    return angles - angles[0]


#: What is drawn over time for a measure, and its name on the axis. The last value is the measure, where the truth has a band.
TRACES: dict[str, tuple[str, Callable[[Motion, dict[str, Any]], np.ndarray]]] = {
    "distance": ("way, m", _way),
    "along_x": ("way, m", lambda motion, _: (motion.positions() - motion.positions()[0])[:, 0]),
    "heading": ("heading, degrees", _heading),
    "speed": ("speed, m/s", lambda motion, _: np.hypot(*motion.velocities()[:, :2].T)),
    "velocity_x": ("speed, m/s", lambda motion, figure: motion.velocities(figure.get("body", 0))[:, 0]),
    "spin_deceleration": ("spin, rad/s", lambda motion, _: motion.spins()[:, 2]),
    "height": ("height, m", lambda motion, figure: motion.positions(figure.get("body", 0))[:, 2]),
    "bounce": ("height, m", lambda motion, _: motion.positions()[:, 2] - motion.bodies[0].size[0]),
    "energy_ratio": ("energy of the start", _energy),
    "largest_energy_ratio": ("energy of the start", _energy),
    "period": ("place, m", lambda motion, _: motion.positions()[:, 0]),
    "azimuth": ("angle, rad", _azimuth),
    "momentum_x": ("energy of the start", _energy),
}
#: Measures whose band is one of the drawn quantity at the end.
_ENDS = {"distance", "along_x", "heading", "speed", "velocity_x", "height", "energy_ratio", "azimuth"}


def picture(figure: dict[str, Any], motions: dict[str, Motion]) -> str | None:
    """The motions of engines, with the interval of the truth as a band; None where nothing is drawn for the measure."""
    if figure["measure"] not in TRACES or not motions:
        return None
    axis, trace = TRACES[figure["measure"]]
    lines = {}
    for label, motion in motions.items():
        values = np.asarray(trace(motion, figure), dtype=float)
        at = np.unique(np.linspace(0, len(values) - 1, POINTS).astype(int))
        lines[label] = (at * motion.h, np.nan_to_num(values[at], nan=0.0, posinf=0.0, neginf=0.0))
    band = (figure["low"], figure["high"]) if figure["measure"] in _ENDS and figure["low"] is not None else None
    return _svg(axis, lines, band)


def _svg(axis: str, lines: dict[str, tuple[np.ndarray, np.ndarray]], band: tuple[float, float] | None) -> str:
    low, high = _range(lines, band)
    end = max(times[-1] for times, _ in lines.values())
    right, bottom = WIDTH - KEY, HEIGHT - BELOW

    def x(time: float) -> float:
        return LEFT + time / end * (right - LEFT)

    def y(value: float) -> float:
        return bottom - (min(max(value, low), high) - low) / (high - low) * (bottom - ABOVE)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">']
    parts.append(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>')
    if band:
        top, base = y(band[1]), y(band[0])
        parts.append(f'<rect x="{LEFT}" y="{top:.1f}" width="{right - LEFT}" height="{max(base - top, 1):.1f}" fill="#cfe8cf"/>')
    parts.append(f'<path d="M{LEFT} {ABOVE}V{bottom}H{right}" fill="none" stroke="#333"/>')
    for value in (low, (low + high) / 2, high):
        parts.append(f'<text x="{LEFT - 5}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.3g}</text>')
    parts.append(f'<text x="{right}" y="{bottom + 16}" text-anchor="end">{end:.3g} s</text>')
    parts.append(f'<text x="{LEFT}" y="{bottom + 16}">{axis}</text>')
    for at, (label, (times, values)) in enumerate(lines.items()):
        colour, dash = COLOURS[at % len(COLOURS)], ' stroke-dasharray="5 3"' if at >= len(COLOURS) else ""
        points = "L".join(f"{x(time):.0f} {y(value):.1f}" for time, value in zip(times, values, strict=True))
        parts.append(f'<path d="M{points}" fill="none" stroke="{colour}"{dash}/>')
        parts.append(f'<text x="{right + 10}" y="{ABOVE + 14 * at + 8}" fill="{colour}">{html.escape(label)}</text>')
    return "".join([*parts, "</svg>\n"])


def _range(lines: dict[str, tuple[np.ndarray, np.ndarray]], band: tuple[float, float] | None) -> tuple[float, float]:
    """From the least to the largest value, but no more than 5 times the middle half beyond it: one engine that flies off hides no other."""
    ends = np.array([values[-1] for _, values in lines.values()])
    everything = np.concatenate([values for _, values in lines.values()])
    low, high = float(everything.min()), float(everything.max())
    if band:
        width = max(band[1] - band[0], abs(band[1]), float(np.median(np.abs(ends))))
        low, high = max(low, band[0] - 2 * width), min(high, band[1] + 2 * width)
        low, high = min(low, band[0]), max(high, band[1])
    return (low, high) if high > low else (low - 1, low + 1)
