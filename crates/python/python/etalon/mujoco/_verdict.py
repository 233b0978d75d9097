"""The verdict on a step, as Python has it."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _etalon
from ._read import Arrays, Step

#: Words of a step that is as it should be.
ACCEPTED = ("exact", "accepted")
#: The words in the order of the table.
WORDS = ("exact", "accepted", "loose", "off", "undecided", "not judged")


@dataclass(slots=True)
class StepVerdict:
    """What is known of one step's answer. True where it is accepted."""

    #: "exact", "accepted", "loose", "off", "undecided" or "not judged".
    word: str
    #: The relative distance from the exact answer, |a - a*|_M / max(|a|_M, |a0|_M), is proved to be between these.
    distance: tuple[float, float] | None = None
    #: The same as an energy, (h |a - a*|_M)^2 / 2 in joule.
    energy: tuple[float, float] | None = None
    #: Why it is not judged, or off.
    reason: str | None = None
    #: "converged-and-wrong", "iteration-limit", "unfelt", "degenerate", "forces-off", "noslip".
    flags: tuple[str, ...] = ()
    #: The row that is worst, where one is named.
    worst_row: int | None = None
    #: How the judge came to it: "filter", "certificate", "reference" or "exact solution".
    by: str = ""

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


def by_bound(arrays: Arrays, h: float, tol: float, used: int, allowed: int) -> StepVerdict | None:
    """The verdict by the bound in binary64, where that accepts the step: most steps end here.

    `arrays`: those of a `Step`, in its order. `used`, `allowed`: iterations of the solver.
    """
    found = _etalon.bound_step_arrays(arrays, h, tol)
    if found is None:
        return None
    distance, energy, row, is_unfelt, is_degenerate = found
    flags: tuple[str, ...] = ("iteration-limit",) if used >= allowed else ()
    if is_unfelt:
        flags = (*flags, "unfelt")
    if is_degenerate:
        flags = (*flags, "degenerate")
    return StepVerdict("accepted", (0.0, distance), (0.0, energy), None, flags, row, "filter")


def judge_arrays(
    step: Step, h: float, tol: float, iterations: tuple[int, int], full: bool = False, stop_gap: float | None = None
) -> StepVerdict:
    """The verdict of the judge on a step in memory: the bound in binary64, and where that is not enough exact arithmetic.

    `iterations`: how many the solver used, and how many it may use. `stop_gap`: see `Step.stop_gap`.
    """
    found = None if full else by_bound(step.arrays, h, tol, *iterations)
    if found is not None:
        return found
    word, distance, energy, reason, flags, row, way = _etalon.judge_step_arrays(step, h, tol, iterations, full, stop_gap)
    return StepVerdict(word, distance, energy, reason, tuple(flags), row, way)


def interval(bounds: tuple[float, float]) -> str:
    """Two bounds to four digits; one number where they agree to that."""
    low, high = (f"{bound:.4g}" for bound in bounds)
    return low if low == high else f"[{low}, {high}]"
