"""What a run of judged steps comes to: counts, distances, times, as a table and as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._verdict import WORDS, StepVerdict, interval
from ._worst import Worst


@dataclass
class Tally:
    """What was found under one choice of solver, cone and integrator."""

    #: The settings of the solver.
    settings: dict[str, Any]
    #: How many steps have each verdict.
    words: Counter[str] = field(default_factory=Counter)
    #: Why steps were not judged, and how many.
    reasons: Counter[str] = field(default_factory=Counter)
    #: How many steps carry each flag.
    flags: Counter[str] = field(default_factory=Counter)
    #: Of each judged step: its number, and the two bounds of the distance.
    distances: list[tuple[int, float, float]] = field(default_factory=list)
    #: The worst judged step, and how bad it is: whether it is off, and the two bounds of the distance.
    worst: Worst | None = None
    badness: tuple[bool, tuple[float, float]] | None = None
    #: The model with these settings.
    model: Any = field(default=None, repr=False)
    #: Seconds that each judged step took to judge.
    seconds: list[float] = field(default_factory=list)
    #: Of the update of the velocity: how many steps have each verdict, why not, and the worst with its step.
    velocity: Counter[str] = field(default_factory=Counter)
    velocity_reasons: Counter[str] = field(default_factory=Counter)
    velocity_worst: tuple[int, StepVerdict] | None = None
    #: Seconds that each step took to make, where the caller measures them.
    stepping: list[float] = field(default_factory=list)


def summary(tally: Tally) -> dict[str, Any]:
    """The tally as JSON has it. Distances are the proved upper bounds of the judged steps, the worst is an interval."""
    upper = np.array([high for _, _, high in tally.distances])
    worst = tally.worst
    found: dict[str, Any] = {
        "settings": tally.settings,
        "steps": sum(tally.words.values()),
        "verdicts": {word: tally.words[word] for word in WORDS},
        "not_judged": dict(tally.reasons),
        "flags": dict(tally.flags),
        "distance": None,
        "worst": None,
        "seconds": {"judging": _median(tally.seconds), "stepping": _median(tally.stepping)},
    }
    if len(upper):
        found["distance"] = {"median": float(np.median(upper)), "99%": float(np.quantile(upper, 0.99))}
    if tally.velocity:
        found["velocity"] = _velocity(tally)
    if worst is not None:
        found["worst"] = {
            "step": worst.index,
            "time": worst.time,
            "verdict": worst.verdict.word,
            "distance": worst.verdict.distance,
            "energy": worst.verdict.energy,
            "iterations": worst.iterations,
            "iteration_limit": tally.settings["iterations"],
            "at": worst.blame,
            "flags": list(worst.verdict.flags),
            "replayed": worst.replayed,
        }
    return found


def _velocity(tally: Tally) -> dict[str, Any]:
    """The second row: the update of the velocity."""
    found: dict[str, Any] = {
        "verdicts": {word: tally.velocity[word] for word in WORDS if word != "loose"},
        "not_judged": dict(tally.velocity_reasons),
        "worst": None,
    }
    if tally.velocity_worst is not None:
        step, verdict = tally.velocity_worst
        found["worst"] = {"step": step, "verdict": verdict.word, "distance": verdict.distance, "energy": verdict.energy}
    return found


def _median(seconds: list[float]) -> float | None:
    return float(np.median(seconds)) if seconds else None


def table(tallies: list[Tally]) -> str:
    """A block of lines for each choice of settings."""
    if not tallies:
        return "no step was judged"
    return "\n\n".join("\n".join(f"{key:<16}{value}" for key, value in lines(summary(tally))) for tally in tallies)


def _velocity_lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    counts = [f"{count} {word}" for word, count in found["verdicts"].items() if count]
    worst = found["worst"]
    said = f"; worst step {worst['step']}, distance {interval(worst['distance'])}" if worst else ""
    lines = [("velocity", ", ".join(counts) + said)]
    return lines + [("", f"{count}: {reason}") for reason, count in found["not_judged"].items()]


def lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    """A summary as lines of a name and a value."""
    own = found["settings"]
    lines = [("solver", f"{own['solver']}, {own['cone']} cones, {own['integrator']}")]
    counts = [f"{count} {word}" for word, count in found["verdicts"].items() if count]
    lines.append(("steps", f"{found['steps']}: {', '.join(counts)}"))
    lines += [("not judged", f"{count}: {reason}") for reason, count in found["not_judged"].items()]
    lines += [("flag", f"{count}: {flag}") for flag, count in found["flags"].items()]
    if "velocity" in found:
        lines += _velocity_lines(found["velocity"])
    spread, worst = found["distance"], found["worst"]
    if spread is None or worst is None:
        return lines
    lines.append(("distance", f"median {spread['median']:.2g}, 99 % {spread['99%']:.2g} (proved upper bounds)"))
    said = f"step {worst['step']}, time {worst['time']:.4g}: {worst['verdict']}, distance {interval(worst['distance'])}"
    lines.append(("worst", said))
    limit = worst["iteration_limit"]
    again = "replayed bit for bit" if worst["replayed"] else "not replayed"
    lines.append(("", f"at {worst['at']}; {worst['iterations']} of {limit} iterations; {again}"))
    judging, stepping = found["seconds"]["judging"], found["seconds"]["stepping"]
    times = f"judging {judging * 1e6:.0f} µs"
    if stepping:
        times += f", stepping {stepping * 1e6:.0f} µs: {judging / stepping:.2g} of a step"
    lines.append(("median time", times))
    return lines
