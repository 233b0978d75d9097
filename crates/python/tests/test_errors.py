"""Bad input is a typed exception that names the place, never a panic."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

import etalon

NAN, INF = float("nan"), float("inf")


class Liar:
    """Says that it is a sequence."""

    def __len__(self):
        return 2

    def __getitem__(self, i):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("M", "q", "error", "place"),
    [
        ([[1, NAN], [0, 1]], [1, 1], etalon.NotFiniteError, "M[0, 1]"),
        (np.array([[1, 0], [INF, 1]]), np.ones(2), etalon.NotFiniteError, "M[1, 0]"),
        (np.array([[1, 0], [NAN, 1]], dtype=np.float32), [1, 1], etalon.NotFiniteError, "M[1, 0]"),
        ([[1]], [-INF], etalon.NotFiniteError, "q[0]"),
        ([[1]], ["nan"], etalon.NotFiniteError, "q[0]"),
        ([[np.longdouble("nan")]], [1], etalon.NotFiniteError, "M[0, 0]"),
        ([[1, 2], [3]], [1, 1], etalon.ShapeError, "M[1]"),
        ([[1, 2]], [1], etalon.ShapeError, "M[0]"),
        (np.ones((2, 3)), [1, 1], etalon.ShapeError, "2 x 3"),
        (np.ones(4), [1, 1], etalon.ShapeError, "1 dimensions"),
        (np.array(1.0), [1], etalon.ShapeError, "0 dimensions"),
        (np.ones((1, 1, 1)), [1], etalon.ShapeError, "3 dimensions"),
        ([1, 2], [1, 1], etalon.ShapeError, "M[0]"),
        (np.eye(2), [1, 1, 1], etalon.ShapeError, "q has 3"),
        (np.eye(2), np.ones((2, 1)), etalon.ShapeError, "q has 2 dimensions"),
        (np.eye(2) * 1j, [1, 1], etalon.DtypeError, "complex128"),
        (np.eye(2, dtype=bool), [1, 1], etalon.DtypeError, "bool"),
        (np.eye(2).astype(np.longdouble), [1, 1], etalon.DtypeError, "M"),
        (np.array([["a"]], dtype="S1"), [1], etalon.DtypeError, "S1"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), [1], etalon.DtypeError, "datetime64"),
        ([[True]], [1], etalon.DtypeError, "bool"),
        ([[None]], [1], etalon.DtypeError, "M[0, 0]"),
        ([[1j]], [1], etalon.DtypeError, "complex"),
        ("M", [1], etalon.DtypeError, "str"),
        (None, [1], etalon.DtypeError, "NoneType"),
        (Liar(), [1, 1], etalon.DtypeError, "Liar"),
        ({1: 2}, [1], etalon.DtypeError, "dict"),
        ([["1/0"]], [1], etalon.NumberError, "zero denominator"),
        ([["one"]], [1], etalon.NumberError, "M[0, 0]"),
        ([["1e999999999"]], [1], etalon.LimitError, "exponent"),
        ([[1 << 5_000_000]], [1], etalon.LimitError, "bits"),
        ([[Fraction(1, 1 << 5_000_000)]], [1], etalon.LimitError, "bits"),
        (np.broadcast_to(0.0, (10**7, 10**7)), [1], etalon.LimitError, "10000000 rows"),
        ([[0.0]] * 20_000, [1], etalon.LimitError, "20000 rows"),
        (np.ma.masked_array([[1.0]], mask=[[True]]), [1], etalon.DtypeError, "masked"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_no_problem(M, q, error, place):
    for function in (etalon.Problem, etalon.solve, etalon.certify, etalon.enumerate):
        with pytest.raises(error) as caught:
            function(M, q)
        assert place in str(caught.value)
        assert isinstance(caught.value, etalon.EtalonError)
    with pytest.raises(error):
        etalon.solve(M, q, method="fast-auto")
    with pytest.raises(error):
        etalon.check(M, q, [0])


def test_exceptions_are_those_of_python_too():
    assert issubclass(etalon.InputError, ValueError)
    assert issubclass(etalon.DtypeError, TypeError)
    assert issubclass(etalon.BudgetError, RuntimeError)
    with pytest.raises(ValueError, match="not square"):
        etalon.solve(np.ones((2, 3)), [1, 1])


@pytest.mark.parametrize(
    ("extra", "error"),
    [
        ({"lower": [NAN]}, etalon.NotFiniteError),
        ({"lower": [1, 2]}, etalon.ShapeError),
        ({"lower": INF}, etalon.BoundsError),
        ({"lower": 2, "upper": 1}, etalon.BoundsError),
        ({"lower": [None]}, etalon.DtypeError),
        ({"lower": np.zeros((1, 1))}, etalon.ShapeError),
        ({"friction": 3}, etalon.DtypeError),
        ({"friction": [(0, 1)]}, etalon.ShapeError),
        ({"friction": [(0, -1, 1)]}, etalon.DtypeError),
        ({"friction": [(0, 7, 1)]}, etalon.BoundsError),
        ({"friction": [{"row": 0, "normal": 0}]}, etalon.ShapeError),
        ({"friction": [(0, 0, NAN)]}, etalon.NotFiniteError),
        ({"method": "simplex"}, etalon.ArgumentError),
        ({"time_limit": NAN}, etalon.ArgumentError),
        ({"time_limit": -1}, etalon.ArgumentError),
        ({"pivots": -1}, OverflowError),
    ],
)
def test_what_else_is_wrong(extra, error):
    with pytest.raises(error):
        etalon.solve([[1]], [1], **extra)


def test_arguments_that_contradict_each_other():
    problem = etalon.Problem([[1]], [1])
    with pytest.raises(etalon.ArgumentError, match="already"):
        etalon.solve(problem, [1])
    with pytest.raises(etalon.ArgumentError, match="already"):
        etalon.check(problem, [1], [1])
    with pytest.raises(etalon.ArgumentError, match="q is missing"):
        etalon.solve([[1]])
    for wrong in (1, -1e-9, "nonsense", NAN):
        with pytest.raises(etalon.InputError):
            etalon.check(problem, [1], tol=wrong)
    with pytest.raises(etalon.ArgumentError, match="no answer"):
        etalon.check(problem, "maybe")
    with pytest.raises(etalon.ArgumentError):
        etalon.generate("no-such-family", 3)
    with pytest.raises(etalon.ArgumentError):
        etalon.generate("murty", 0)
    with pytest.raises(etalon.ArgumentError):
        etalon.goldens("no-such-suite")
    with pytest.raises(etalon.ArgumentError):
        etalon.Claim("solved")
    with pytest.raises(etalon.RecordError, match="column"):
        etalon.Problem.from_json("{")
    with pytest.raises(etalon.RecordError, match="status"):
        etalon.Claim.from_json('{"name": "p", "status": "perhaps"}')


def test_an_empty_problem_has_the_empty_solution():
    for method, _ in etalon.methods():
        claim = etalon.solve(np.zeros((0, 0)), np.zeros(0), method=method)
        assert claim.solved and claim.z.shape == (0,)
    assert etalon.check([], [], [])


def test_exceptions_travel_between_processes():
    with pytest.raises(etalon.ShapeError) as caught:
        etalon.solve(np.ones((2, 3)), [1, 1])
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is etalon.ShapeError and str(again) == str(caught.value)
