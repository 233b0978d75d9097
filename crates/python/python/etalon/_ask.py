"""Asking somebody's solver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._etalon import Problem


def ask(solver: Callable[..., Any], problem: Problem) -> Any:
    """What the solver answers: `solver(M, q)`, with `lower`, `upper`, `friction` and `cones` as keywords where the problem has them.

    Arrays are float64; where the problem's data are no doubles they are arrays of Fractions.
    """
    M, q, lower, upper, friction = problem.data(exact=not problem.is_binary64)
    extra: dict[str, Any] = {}
    if lower is not None or upper is not None:
        extra |= {"lower": lower, "upper": upper}
    if friction:
        extra["friction"] = friction
    if cones := problem.cones:
        extra["cones"] = cones
    return solver(M, q, **extra)
