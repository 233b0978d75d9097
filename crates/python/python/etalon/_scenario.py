"""Scenes of rigid bodies in contact: at rest their problem and forces, in motion a trajectory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ._errors import ArgumentError
from ._etalon import Problem, scenarios, scene, step_problem, trajectory

_FRACTION = re.compile(r"-?\d+(/\d+)?")
#: Fields that are names or proofs, whatever their text looks like.
_TEXT = {"contact", "kind", "status", "unique", "motion", "certificate", "message"}


@dataclass(frozen=True)
class Scene:
    """A scene at rest, and what comes of it."""

    #: The scenario's name.
    name: str
    #: The complementarity problem of its contact forces (or impulses).
    problem: Problem
    #: The answer as `etalon scenario run --json` gives it; numbers are floats, or Fractions with exact=True.
    answer: dict[str, Any] = field(repr=False)

    @property
    def status(self) -> str:
        """"solved", "indeterminate" (several answers), "inconsistent" (none, with a proof) or "failed"."""
        return self.answer["status"]

    def __repr__(self) -> str:
        return f"<Scene {self.problem.name!r}, n = {self.problem.n}: {self.status}>"


@dataclass(frozen=True)
class Trajectory:
    """A scene in motion: a header and a line a step, as in etalon-trajectory/1."""

    #: The scenario's name.
    name: str
    #: Scenario, parameters, step size, coordinates, arithmetic.
    header: dict[str, Any] = field(repr=False)
    #: A dict a step; exact numbers stand in strings.
    steps: list[dict[str, Any]] = field(repr=False)
    #: Whether the arrays hold Fractions.
    exact: bool = False

    @property
    def t(self) -> np.ndarray:
        """The time of each step, shape (k,)."""
        return self._array("t")

    @property
    def q(self) -> np.ndarray:
        """Positions after each step, shape (k, m)."""
        return self._array("q")

    @property
    def v(self) -> np.ndarray:
        """Velocities after each step, shape (k, m)."""
        return self._array("v")

    def _array(self, key: str) -> np.ndarray:
        convert = _exact if self.exact else _rounded
        dtype = object if self.exact else np.float64
        return np.array([convert(step[key]) for step in self.steps], dtype=dtype)

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.steps)

    def __getitem__(self, k: int) -> dict[str, Any]:
        return self.steps[k]

    def problem(self, k: int = 1) -> Problem:
        """The complementarity problem of step k of the exact run, for other solvers."""
        settings = [(key, str(value)) for key, value in self.header["parameters"].items()]
        return step_problem(self.name, settings, k)

    def __repr__(self) -> str:
        return f"<Trajectory {self.name!r}, {len(self)} steps>"


def scenario(
    name: str,
    *,
    solver: str | Callable[..., Any] = "exact",
    kind: str | None = None,
    steps: int | None = None,
    exact: bool = False,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
    **settings: Any,
) -> Scene | Trajectory:
    """Run a named scene of the literature; `scenarios()` lists them with their parameters.

    Parameters
    ----------
    name : str
    solver : str or callable
        "exact", or an exact method of `methods()`; for a scene in motion also "fast", a binary64 method, or a function as
        `etalon.pytest.etalon_suite` takes it, which then drives the simulation in binary64.
    kind : str, optional
        "rest" or "motion", where a scenario is both; a scene at rest where nothing is said.
    steps : int, optional
        How many steps of a trajectory, in place of what the parameters say.
    exact : bool
        Whether numbers are Fractions instead of floats.
    **settings
        Values of parameters: numbers, or strings such as "1/3", taken exactly. A float means the decimal that it is written as:
        0.01 is one hundredth.

    Returns
    -------
    Scene or Trajectory

    Examples
    --------
    >>> import etalon
    >>> etalon.scenario("ladder", mu_wall=0)
    <Scene 'ladder/mu_wall=0', n = 3: solved>
    """
    values = [(key, _setting(value)) for key, value in settings.items()]
    kinds = [entry["kind"] for entry in scenarios() if entry["name"] == name]
    if kind not in (None, "rest", "motion"):
        raise ArgumentError(f'a scenario is taken as kind="rest" or kind="motion", not {kind!r}')
    kind = kind or next(iter(kinds), "rest")
    budget: dict[str, Any] = {"pivots": pivots, "bits": bits, "time_limit": time_limit}
    if kind == "world":
        raise ArgumentError(f"{name} is a world of the engine: the command `etalon scenario run {name}` runs it")
    if kind == "motion":
        lines = [json.loads(line) for line in trajectory(name, values, solver, steps, **budget)]
        return Trajectory(name, lines[0], lines[1:], exact)
    if steps is not None:
        moves = f'take {name} with kind="motion"' if "motion" in kinds else "`scenarios()` lists those in motion"
        raise ArgumentError(f"{name} is a scene at rest, which takes no steps: {moves}")
    if not isinstance(solver, str):
        solver = "callable"
    problem, answer = scene(name, values, solver, **budget)
    return Scene(name, problem, _numbers(json.loads(answer), exact))


def _setting(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    return str(int(value)) if isinstance(value, bool) else str(value)


def _exact(value: Any) -> Any:
    return [_exact(entry) for entry in value] if isinstance(value, list) else Fraction(value)


def _rounded(value: Any) -> Any:
    return [_rounded(entry) for entry in value] if isinstance(value, list) else float(Fraction(value))


def _numbers(value: Any, exact: bool) -> Any:
    """The same with fractions in strings as numbers."""
    if isinstance(value, dict):
        return {key: entry if key in _TEXT else _numbers(entry, exact) for key, entry in value.items()}
    if isinstance(value, list):
        return [_numbers(entry, exact) for entry in value]
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        return _exact(value) if exact else _rounded(value)
    return value
