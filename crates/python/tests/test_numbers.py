"""What goes in is taken exactly, and what comes out exactly is the same."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import etalon


def entry(value):
    """The entry of a problem of one row, as a Fraction."""
    M, q, *_ = etalon.Problem([[value]], [value]).data(exact=True)
    assert M.dtype == object and M.shape == (1, 1) and q.shape == (1,)
    assert M[0, 0] == q[0]
    return q[0]


@pytest.mark.parametrize(
    ("value", "meaning"),
    [
        (0.1, Fraction(0.1)),
        ("0.1", Fraction(1, 10)),
        ("-7/5", Fraction(-7, 5)),
        ("0x1.8p-3", Fraction(3, 16)),
        (3, Fraction(3)),
        (2**60 + 1, Fraction(2**60 + 1)),
        (-(10**400), Fraction(-(10**400))),
        (Fraction(1, 3), Fraction(1, 3)),
        (Fraction(10**50, 3), Fraction(10**50, 3)),
        (Decimal("0.1"), Fraction(1, 10)),
        (np.float64(0.1), Fraction(0.1)),
        (np.float32(0.1), Fraction(float(np.float32(0.1)))),
        (np.int64(-(2**63)), Fraction(-(2**63))),
        (np.uint64(2**64 - 1), Fraction(2**64 - 1)),
        (np.longdouble(1) / 3, Fraction(*(np.longdouble(1) / 3).as_integer_ratio())),
    ],
)
def test_numbers_are_taken_exactly(value, meaning):
    assert entry(value) == meaning


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", ">f8", "int64", "int8", "uint64", "object"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_any_type_and_layout(dtype, order):
    M = np.array([[2, 1, 0], [0, 2, 1], [1, 0, 3]]).astype(dtype, order=order)
    q = np.array([1, 2, 3]).astype(dtype)
    problem = etalon.Problem(M, q)
    assert np.array_equal(problem.M, M.astype(float)) and np.array_equal(problem.q, q.astype(float))
    assert problem.is_binary64
    big = np.zeros((6, 9), dtype=dtype)
    big[::2, ::3] = M
    assert etalon.Problem(big[::2, ::3], q[::-1]).M[0, 1] == 1
    assert np.array_equal(etalon.Problem(M.T, q[::-1]).q, q[::-1].astype(float))


def test_an_unaligned_array_is_read():
    raw = np.zeros(8 * 4 + 1, dtype=np.uint8)
    M = raw[1:].view(np.float64).reshape(2, 2)
    M[:] = [[2, 1], [1, 2]]
    assert not M.flags.aligned
    assert np.array_equal(etalon.Problem(M, [0, 0]).M, [[2, 1], [1, 2]])


def test_integers_beyond_doubles_stay_exact():
    q = np.array([2**63 - 1], dtype=np.int64)
    problem = etalon.Problem([[1]], q)
    assert problem.data(exact=True)[1][0] == 2**63 - 1
    assert not problem.is_binary64


def test_sparse_matrices_stay_sparse():
    sparse = pytest.importorskip("scipy.sparse")
    for kind in (sparse.csr_array, sparse.csc_matrix, sparse.coo_matrix, sparse.dia_array):
        problem = etalon.Problem(kind([[2.0, 0], [1, 3]]), [-1, -1])
        assert np.array_equal(problem.M, [[2, 0], [1, 3]])
        assert '"entries"' in problem.to_json()
    n = 200_000
    z = etalon.solve(sparse.diags_array(np.full(n, 2.0)), np.full(n, -1.0), method="fast-auto").z
    assert np.array_equal(z, np.full(n, 0.5))


def test_what_pandas_holds_is_read():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[2.0, 1.0], [1.0, 2.0]])
    assert etalon.solve(frame, pandas.Series([-5.0, -6.0])).solved


def test_bounds_may_be_infinite_or_one_for_all():
    problem = etalon.Problem([[1]], [1], lower=-np.inf, upper="inf")
    assert problem.lower[0] == -np.inf and problem.upper[0] == np.inf
    problem = etalon.Problem(np.eye(2), [-3, 3], [0, "-1/3"], 2)
    assert problem.data(exact=True)[2][1] == Fraction(-1, 3)
    assert list(etalon.solve(problem, exact=True).z) == [2, Fraction(-1, 3)]


def test_friction_rows():
    problem = etalon.Problem(np.eye(2), [-1, -1], [0, "-inf"], friction=[(1, 0, "1/2")])
    assert problem.friction == [(1, 0, 0.5)]
    same = etalon.Problem(np.eye(2), [-1, -1], [0, "-inf"], friction=[{"row": 1, "normal": 0, "mu": "1/2"}])
    assert problem == same
    assert list(etalon.solve(problem, exact=True).z) == [1, Fraction(1, 2)]


def test_exact_answers_are_fractions():
    claim = etalon.solve([["1/3", 0], [0, "1/7"]], [-1, -1], exact=True)
    assert claim.z.dtype == object and claim.z.shape == (2,)
    assert all(type(value) is Fraction for value in claim.z)
    assert list(claim.z) == [3, 7]
    assert etalon.solve([[3]], [-1]).z.dtype == np.float64
    assert etalon.solve([[3]], [-1]).z_exact[0] == Fraction(1, 3)
    assert etalon.solve([[3]], [-1], method="fast-auto", exact=True).z[0] == Fraction(1 / 3)
