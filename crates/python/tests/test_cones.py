"""Problems with friction cones: made from numpy arrays, judged, written and read."""

import json

import numpy as np
import pytest

import etalon


def box(law="coulomb", mu=1.0):
    return etalon.Problem(
        np.eye(3), [-1, 1.5, 2.0], name="box", cones=[{"rows": np.arange(3), "mu": np.float64(mu), "law": law}]
    )


def test_a_contact_is_judged_by_its_law():
    problem = box()
    assert "1 friction cones" in repr(problem)
    assert problem.cones == [{"rows": [0, 1, 2], "mu": 1, "law": "coulomb"}]
    # |r_T| = 1 = mu r_N, against a slip of (0.9, 1.2).
    right = etalon.check(problem, ["1", "-3/5", "-4/5"])
    assert right.verdict == "exact" and right.accepted
    wrong = etalon.check(problem, [1, 0.6, 0.8])
    assert wrong.verdict == "rejected" and wrong.block_error > 0.5
    assert "cone 0" in wrong.reason
    assert etalon.check(box("convex"), ["1", "-3/5", "-4/5"]).verdict == "rejected"


def test_records_keep_cones():
    problem = box(mu=0.25)
    again = etalon.Problem.from_json(problem.to_json())
    assert again == problem and again.cones == problem.cones
    assert json.loads(problem.to_json())["cones"][0]["law"] == "coulomb"
    assert etalon.Problem([[1]], [-1]).cones == []


def test_block_errors_are_asked_for_elsewhere():
    problem = etalon.Problem([[1]], [-1])
    assert etalon.check(problem, [1.1]).block_error is None
    assert etalon.check(problem, [1.1], measure="block").block_error > 0.01
    with pytest.raises(etalon.ArgumentError, match="natural, componentwise, block"):
        etalon.check(problem, [1], measure="other")


def test_blocks_and_scale_are_taken_and_given_back():
    # A body's force in rows 0 to 2 and a contact; row 0 is the difference of quantities of size 1.
    z = [1e-12, -1, 0, 1, -0.6, -0.8]
    data = np.eye(6), [0, 1, 0, -1, 1.5, 2.0], [-np.inf] * 3 + [0] * 3
    cones = [{"rows": [3, 4, 5], "mu": 1}]
    alone = etalon.Problem(*data, cones=cones)
    assert alone.blocks == [] and alone.scale is None
    whole = etalon.Problem(*data, cones=cones, blocks=[np.arange(3), (3, 4, 5)], scale=np.array([1, 0, 0, 0, 0, 0.5]))
    assert whole.blocks == [[0, 1, 2], [3, 4, 5]]
    assert whole.scale.dtype == np.float64 and whole.scale.tolist() == [1, 0, 0, 0, 0, 0.5]
    assert json.loads(whole.to_json())["blocks"] == whole.blocks
    again = etalon.Problem.from_json(whole.to_json())
    assert again == whole and again.blocks == whole.blocks and list(again.scale) == list(whole.scale)
    # Row 0 by itself is wrong by all it has; beside what its vector holds it is nothing.
    assert etalon.check(alone, z).block_error > 0.4
    assert etalon.check(whole, z).block_error < 1e-11
    # Without cones, too.
    assert etalon.Problem(np.eye(2), [0, 0], scale=[0.5, 1], blocks=[[0, 1]]).blocks == [[0, 1]]


def test_bad_blocks_and_scales_are_named():
    def problem(**more):
        return etalon.Problem(np.eye(2), [0, 0], **more)

    for blocks, words in [(3, "list of lists"), ([3], r"blocks\[0\]"), ([[0], [-1]], r"blocks\[1\]\[0\]"), ([[0.5]], "no row")]:
        with pytest.raises(etalon.DtypeError, match=words):
            problem(blocks=blocks)
    for blocks in ([[0, 0]], [[0], [0]], [[2]]):
        with pytest.raises(etalon.InputError, match="blocks"):
            problem(blocks=blocks)
    with pytest.raises(etalon.InputError, match="scale"):
        problem(scale=[1, -1])
    with pytest.raises(etalon.InputError, match="scale"):
        problem(scale=[1])
    with pytest.raises(etalon.NotFiniteError, match=r"scale\[1\]"):
        problem(scale=[1, np.nan])


def test_bad_cones_are_named():
    with pytest.raises(etalon.RecordError, match=r"cones\[0\]"):
        etalon.Problem(np.eye(2), [0, 0], cones=[{"rows": [0]}])
    with pytest.raises(etalon.InputError, match=r"cones\[0\].mu: -1 is negative"):
        etalon.Problem(np.eye(2), [0, 0], cones=[{"rows": [0, 1], "mu": -1}])


def test_they_are_solved_or_it_is_said_that_they_are_not():
    assert etalon.check(box(), etalon.solve(box())).accepted
    claim = etalon.solve(box(), method="exact-lemke")
    assert claim.status == "failed" and "friction cones" in claim.message
