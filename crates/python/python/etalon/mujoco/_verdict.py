"""The verdict on a step, as Python has it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from .. import _etalon
from ._read import Step

#: Words of a step that is as it should be.
ACCEPTED = ("exact", "accepted")
#: The words in the order of the table.
WORDS = ("exact", "accepted", "off", "undecided", "not judged")


@dataclass(frozen=True)
class StepVerdict:
    """What is known of one step's answer. True where it is accepted."""

    #: "exact", "accepted", "off", "undecided" or "not judged".
    word: str
    #: The relative distance from the exact answer, |a - a*|_M / max(|a|_M, |a0|_M), is proved to be between these.
    distance: tuple[float, float] | None = None
    #: The same as an energy, (h |a - a*|_M)^2 / 2 in joule.
    energy: tuple[float, float] | None = None
    #: Why it is not judged, or off.
    reason: str | None = None
    #: "converged-and-wrong", "iteration-limit", "unfelt", "degenerate", "forces-off".
    flags: tuple[str, ...] = ()
    #: The row that is worst, where one is named.
    worst_row: int | None = None
    #: The verdict as the judge gave it.
    answer: dict[str, Any] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return self.word in ACCEPTED

    def __str__(self) -> str:
        parts = [self.word]
        if self.distance is not None:
            parts.append("distance " + interval(self.distance))
        if self.reason:
            parts.append(self.reason)
        return "; ".join([*parts, *self.flags])


def not_judged(reason: str) -> StepVerdict:
    """The verdict on a step that the judge must not be asked about."""
    return StepVerdict("not judged", reason=reason)


def judge_arrays(step: Step, h: float, tol: float | None, iterations: tuple[int, int]) -> StepVerdict:
    """The verdict of the judge on a step in memory: the filter, and where that is not enough the reference solution."""
    answer = _etalon.judge_step_arrays(
        h,
        step.M,
        step.J,
        step.R,
        step.target,
        step.smooth,
        step.acceleration,
        step.force,
        step.kinds,
        step.parameter,
        tol=tol,
        iterations=iterations[0],
        iteration_limit=iterations[1],
    )
    return of(answer)


def judge_record(record: dict[str, Any], tol: float | None = None, full: bool = False) -> StepVerdict:
    """The verdict of the judge on a record of `etalon-step/1` in generalised form, level A."""
    answers = _etalon.judge_step(json.dumps(record), level="A", tol=tol, full=full)
    return of(answers[0])


def of(answer: dict[str, Any]) -> StepVerdict:
    """A verdict line of level A."""
    pair = lambda key: tuple(answer[key]) if answer.get(key) is not None else None  # noqa: E731
    return StepVerdict(
        word=answer["verdict"],
        distance=pair("distance"),
        energy=pair("energy"),
        reason=answer.get("reason"),
        flags=tuple(answer.get("flags", ())),
        worst_row=answer.get("worst_row"),
        answer=answer,
    )


def interval(bounds: tuple[float, float]) -> str:
    """Two bounds to four digits; one number where they agree to that."""
    low, high = (f"{bound:.4g}" for bound in bounds)
    return low if low == high else f"[{low}, {high}]"
