"""One test per golden problem, for a solver of yours.

    # test_my_solver.py
    from etalon.pytest import etalon_suite

    def solve(M, q):          # numpy arrays, shapes (n, n) and (n,)
        return z              # shape (n,), or None where it gives up

    test_solver = etalon_suite(solve, known_failures={"badly-scaled/*": "issue 7"})

Then `pytest -k statics` runs those of one suite, and `pytest -k "baraff and not n20"` what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

import pytest

from . import _etalon
from ._ask import ask
from ._errors import ArgumentError
from ._etalon import Capabilities
from ._pytest_plugin import NOT_ASKED

__all__ = ["Capabilities", "ask", "etalon_suite"]


def etalon_suite(
    solver: Callable[..., Any],
    *,
    capabilities: str | Iterable[str] | Capabilities | None = None,
    problems: Iterable[_etalon.Problem] | None = None,
    suites: str | Iterable[str] | None = None,
    known_failures: Mapping[str, str] | Iterable[str] = (),
    accept_perturbed: bool = False,
    **options: Any,
) -> Callable[..., None]:
    """A test function with one case per golden problem. Assign it to a name that starts with ``test_``.

    Parameters
    ----------
    solver : callable
        ``solver(M, q)`` returns z of shape (n,), None where it gives up, "unsolvable", or a `Claim`. Bounds, friction rows
        and friction cones come as keywords, see `ask`. An exception fails the test.
    capabilities : str, iterable of str or Capabilities, optional
        See `Capabilities`. Problems beyond them are skipped, and say why. Without them the solver is asked what it can do, as the
        command line does it: see `Capabilities.of`.
    problems : iterable of Problem, optional
        Other problems than the goldens.
    suites : str or iterable of str, optional
        Only these suites of the goldens.
    known_failures : mapping of name or pattern (`*`, `?`) to reason, or names alone
        They are expected to fail: a test that passes all the same fails the run (strict xfail), and so does a name that no
        problem has.
    accept_perturbed : bool
        Whether to accept an answer to a neighbour of an unsolvable problem everywhere, not only where that is expected.
    **options
        As for `check`: tol, snap, prove, pivots, bits, time_limit.

    Each case has the id ``SUITE:NAME``, so that ``pytest -k`` selects by suite, family and name.
    """
    if problems is None:
        names = [suites] if isinstance(suites, str) else suites
        problems = _etalon.goldens() if names is None else [problem for name in names for problem in _etalon.goldens(name)]
    problems = list(problems)
    can = _capabilities(solver, capabilities)
    if not isinstance(known_failures, Mapping):
        known_failures = dict.fromkeys(known_failures, "known failure")
    unused = set(known_failures)
    cases = []
    for problem in problems:
        marks = []
        if (why := can.lacks(problem)) is not None:
            more = can.with_what_lacks(problem)
            hint = "" if more is None else f'; capabilities="{more}" sends them'
            marks.append(pytest.mark.skip(reason=f"{NOT_ASKED}{why}{hint}"))
        for pattern, reason in known_failures.items():
            if fnmatchcase(problem.name, pattern):
                unused.discard(pattern)
                marks.append(pytest.mark.xfail(reason=reason, strict=True))
        identity = f"{problem.suite}:{problem.name}" if problem.suite else problem.name
        cases.append(pytest.param(problem, id=identity, marks=marks))
    if unused:
        raise ArgumentError(f"known failures that no problem is named like: {', '.join(sorted(unused))}")

    @pytest.mark.parametrize("golden", cases)
    def judged(golden: _etalon.Problem, record_property: Callable[[str, object], None]) -> None:
        verdict = _etalon.check(golden, ask(solver, golden), accept_perturbed=accept_perturbed, **options)
        record_property("etalon_suite", golden.suite or "problems")
        record_property("etalon_verdict", verdict.verdict)
        if not verdict:
            pytest.fail(str(verdict), pytrace=False)

    judged.__doc__ = f"Golden problems, answered by {getattr(solver, '__name__', solver)}."
    return judged


def _capabilities(solver: Callable[..., Any], given: str | Iterable[str] | Capabilities | None) -> Capabilities:
    if given is None:
        return Capabilities.of(solver)
    return given if isinstance(given, Capabilities) else Capabilities(given)
