"""The pytest plugin, run as a user runs it."""

import pytest

import etalon
from etalon.pytest import Capabilities, etalon_suite

SOLVER = """
import numpy as np
import etalon
from etalon.pytest import etalon_suite

def right(M, q, **extra):
    return etalon.solve(M, q, **extra)

def wrong(M, q):
    return np.full(len(q), 123.0)

def broken(M, q):
    raise RuntimeError("no idea")
"""


def test_one_test_per_golden_of_a_suite(pytester):
    pytester.makepyfile(SOLVER + "test_right = etalon_suite(right, suites='statics')")
    count = len(etalon.goldens("statics"))
    can = Capabilities.of(etalon.solve)
    skipped = sum(can.lacks(problem) is not None for problem in etalon.goldens("statics"))
    result = pytester.runpytest_subprocess("-v")
    result.assert_outcomes(passed=count - skipped, skipped=skipped)
    result.stdout.fnmatch_lines(["*test_right?statics:*PASSED*", "*verdicts of etalon*", "statics *"])


def test_cases_are_chosen_with_k(pytester):
    pytester.makepyfile(SOLVER + "test_right = etalon_suite(right, suites=['statics', 'games'], capabilities='boxes exact unsolvable friction')")
    games = len(etalon.goldens("games"))
    statics = len(etalon.goldens("statics"))
    pytester.runpytest_subprocess("-k", "games").assert_outcomes(passed=games, deselected=statics)
    pytester.runpytest_subprocess("-k", "not games").assert_outcomes(passed=statics, deselected=games)


def test_a_wrong_solver_fails_and_says_why(pytester):
    pytester.makepyfile(SOLVER + "test_wrong = etalon_suite(wrong, suites='games')")
    asked = [problem for problem in etalon.goldens("games") if Capabilities("unsolvable").lacks(problem) is None]
    assert asked
    result = pytester.runpytest_subprocess("-rf")
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == len(asked)
    result.stdout.fnmatch_lines(["*rejected*", "*reason *", "*error *", "*rejected*"])


def test_an_exception_fails_the_test(pytester):
    pytester.makepyfile(SOLVER + "test_broken = etalon_suite(broken, problems=list(etalon.generate('murty', 3)))")
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*RuntimeError: no idea*"])


def test_known_failures_must_fail(pytester):
    pytester.makepyfile(
        SOLVER
        + "problems = list(etalon.generate('murty', 3, count=4))\n"
        + "test_wrong = etalon_suite(wrong, problems=problems, known_failures={'murty/*': 'issue 7'})\n"
        + "test_right = etalon_suite(right, problems=problems, known_failures=['murty/n3/s1/2'])\n"
    )
    result = pytester.runpytest_subprocess("-rx")
    result.assert_outcomes(xfailed=4, passed=3, failed=1)
    result.stdout.fnmatch_lines(["*XPASS(strict)*"])
    with pytest.raises(etalon.ArgumentError, match="no-such"):
        etalon_suite(lambda M, q: None, known_failures=["no-such-problem"])


def test_capabilities_decide_what_is_asked():
    def lacks(words, *args, **kwargs):
        return Capabilities(words).lacks(etalon.Problem(*args, **kwargs))

    pure = ([[1, 0], [0, 1]], [-1, 1])
    assert lacks("pure", *pure) is None
    assert lacks("pure", *pure, upper=1) == "boxes"
    assert lacks("boxes", *pure, upper=1) is None
    assert lacks("boxes", *pure, friction=[(1, 0, 1)]) == "friction rows"
    assert lacks("friction", *pure, friction=[(1, 0, 1)]) is None
    assert lacks("n<=1", *pure) == "more than 1 rows"
    assert lacks("pure", [["1/3"]], [1]) == "exact data"
    assert lacks(["exact"], [["1/3"]], [1]) is None
    assert lacks("psd", [[1, 1], [-1, 1]], [1, 1]) is not None
    assert lacks("psd", *pure) is None
    unsolvable = next(p for p in etalon.goldens() if p.expect["status"] == "unsolvable" and Capabilities("unsolvable").lacks(p) is None)
    assert Capabilities().lacks(unsolvable) == "unsolvable"
    contact = {"normal": 0, "discs": [{"rows": [1], "mu": 1}], "law": "convex"}
    rolling = {"normal": 0, "discs": [{"rows": [1], "mu": 1}, {"rows": [2], "mu": 1}]}
    cone = lambda own: {"cones": [own]}
    assert lacks("boxes friction", *pure, **cone(contact)) == "friction cones under the convex law"
    assert lacks("cones", *pure, **cone(contact)) == "friction cones under the convex law"
    assert lacks("cones-convex", *pure, **cone(contact)) is None
    three = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1, 1, 1])
    assert lacks("cones", *three, **cone(rolling)) == "friction cones of several discs"
    assert lacks("cones cones-product", *three, **cone(rolling)) is None
    # Without a word nobody is asked about cones.
    assert all(Capabilities("boxes friction exact").lacks(p) for p in etalon.goldens("cone/edge"))
    with pytest.raises(etalon.ArgumentError, match="boxs"):
        Capabilities("boxs")
    assert Capabilities(["n<=30", "exact", "boxes"]) == Capabilities("boxes, n<=30 exact")
    assert str(Capabilities("exact")) == "exact" and str(Capabilities()) == "pure"
    assert Capabilities("n<=1").with_what_lacks(etalon.Problem(*pure)) is None


def test_a_solver_is_asked_what_it_can_do():
    """The default is that of the command line and of the kit: problems without a solution, and bounds if it solves one."""

    def ignores_bounds(M, q, lower=None, upper=None):
        return -q

    def raises(M, q):
        raise RuntimeError("no idea")

    assert Capabilities.of(etalon.solve) == Capabilities("boxes,unsolvable")
    for solver in (ignores_bounds, raises, lambda M, q: None):
        assert Capabilities.of(solver) == Capabilities("unsolvable")
    asked = [case.values[0] for case in etalon_suite(etalon.solve).pytestmark[0].args[1] if not case.marks]
    assert any(problem.has_bounds for problem in asked) and not any(problem.friction or problem.cones for problem in asked)


def test_what_was_not_asked_is_counted_with_what_sends_it(pytester):
    pytester.makepyfile(
        SOLVER
        + "problems = [etalon.Problem([[1]], [-1], name='a'), etalon.Problem([[1]], [-1], upper=2, name='b'),"
        + " etalon.Problem([[1]], [-1], upper=3, name='c'), etalon.Problem([['1/3']], [1], name='d')]\n"
        + "test_mine = etalon_suite(lambda M, q: [1.0], problems=problems)\n"
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, skipped=3)
    result.stdout.fnmatch_lines(
        [
            '2 not sent: boxes; capabilities="boxes,unsolvable" sends them',
            '1 not sent: exact data; capabilities="unsolvable,exact" sends them',
        ]
    )


def test_cones_are_sent_to_those_who_ask_for_them(pytester):
    contact = etalon.Problem([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-1, 0, 0], name="contact", cones=[{"rows": [0, 1, 2], "mu": 1}])
    assert Capabilities("boxes,friction,unsolvable,exact").lacks(contact) == "friction cones"
    assert str(Capabilities("psd").with_what_lacks(contact)) == "psd,cones"
    assert Capabilities("cones").lacks(contact) is None
    asked = {}

    def solver(M, q, **extra):
        asked.update(extra)
        return [1.0, 0.0, 0.0]

    test = etalon_suite(solver, problems=[contact], capabilities="cones")
    [case] = test.pytestmark[0].args[1]
    test(*case.values, record_property=lambda key, value: None)
    assert asked == {"cones": contact.cones}


def test_bounds_and_friction_come_as_keywords(pytester):
    asked = {}

    def solver(M, q, **extra):
        asked[len(q)] = extra
        return etalon.solve(M, q, **extra)

    problems = [
        etalon.Problem([[1]], [-1], name="a"),
        etalon.Problem([[1, 0], [0, 1]], [-1, 1], upper=2, name="b"),
        etalon.Problem([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-1, 1, 1], friction=[(1, 0, 1)], name="c"),
        etalon.Problem([[1, 0], [0, 1]], [1, 1], cones=[{"rows": [0, 1], "mu": 1}], name="d"),
    ]

    def solver_of_cones(M, q, cones=None, **extra):
        if cones:
            asked["cones"] = cones
            return [0, 0]
        return solver(M, q, **extra)

    test = etalon_suite(solver_of_cones, problems=problems, capabilities="boxes friction cones")
    [mark] = test.pytestmark
    for case in mark.args[1]:
        test(*case.values, record_property=lambda key, value: None)
    assert asked[1] == {} and list(asked[2]) == ["lower", "upper"] and list(asked[3]) == ["friction"]
    assert asked["cones"] == [{"rows": [0, 1], "mu": 1, "law": "coulomb"}]


def test_own_solver_passes_all_goldens():
    """The right answers to all goldens, through numpy and back."""
    wrong = []
    for problem in etalon.goldens():
        if problem.n > 30 or problem.cones:
            continue
        if not etalon.check(problem, etalon.solve(problem), accept_perturbed=True):
            wrong.append(problem.name)
    assert not wrong
