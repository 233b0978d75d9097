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

__all__ = ["Capabilities", "ask", "etalon_suite"]

_WORDS = {"pure", "boxes", "friction", "cones", "cones-convex", "cones-product", "unsolvable", "psd", "exact"}
_WORD_OF_LAW = {"coulomb": "cones", "convex": "cones-convex"}


class Capabilities:
    """What a solver can do, so that it is asked nothing else.

    Parameters
    ----------
    words : str or iterable of str
        Any of "boxes" (bounds other than z >= 0, free rows among them), "friction" (rows bounded by another row),
        "cones" (friction cones of one disc under Coulomb's law), "cones-convex" (under the convex law), "cones-product" (of several discs), "unsolvable"
        (it notices that there is no solution), "psd" (symmetric positive semidefinite M only), "exact" (data that are no doubles,
        as Fractions), "n<=30" (no more rows than that), "pure" (none of these: the default).
    """

    def __init__(self, words: str | Iterable[str] = "pure") -> None:
        self.max_rows: int | None = None
        self.words: set[str] = set()
        for word in words.replace(",", " ").split() if isinstance(words, str) else words:
            if word.startswith("n<=") and word[3:].isdigit():
                self.max_rows = int(word[3:])
            elif word in _WORDS:
                self.words.add(word)
            else:
                raise ArgumentError(f"{word!r} is no capability; they are {', '.join(sorted(_WORDS))} and n<=N")

    def lacks(self, problem: _etalon.Problem) -> str | None:
        """Why the problem is not for such a solver, or None."""
        if "exact" not in self.words and not problem.is_binary64:
            return "exact data"
        if self.max_rows is not None and problem.n > self.max_rows:
            return f"more than {self.max_rows} rows"
        if "friction" not in self.words and problem.friction:
            return "friction rows"
        if "boxes" not in self.words and problem.has_bounds:
            return "boxes"
        for cone in problem.cones:
            law = cone.get("law", "coulomb")
            if _WORD_OF_LAW[law] not in self.words:
                return f"friction cones under the {law} law"
            if len(cone.get("discs", ())) > 1 and "cones-product" not in self.words:
                return "friction cones of several discs"
        expect = problem.expect
        if "unsolvable" not in self.words and expect is not None and expect["status"] == "unsolvable":
            return "unsolvable"
        if "psd" in self.words and not problem.is_symmetric_psd:
            return "M is not symmetric positive semidefinite"
        return None


def etalon_suite(
    solver: Callable[..., Any],
    *,
    capabilities: str | Iterable[str] = "pure",
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
    capabilities : str or iterable of str
        See `Capabilities`. Problems beyond them are skipped, and say why.
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
    can = Capabilities(capabilities)
    if not isinstance(known_failures, Mapping):
        known_failures = dict.fromkeys(known_failures, "known failure")
    unused = set(known_failures)
    cases = []
    for problem in problems:
        marks = []
        if (why := can.lacks(problem)) is not None:
            marks.append(pytest.mark.skip(reason=f"not for this solver: {why}"))
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
