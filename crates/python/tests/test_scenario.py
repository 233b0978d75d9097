"""Scenes at rest and in motion."""

from fractions import Fraction

import numpy as np
import pytest

import etalon


def test_scenarios_are_listed():
    listed = etalon.scenarios()
    names = {entry["name"] for entry in listed}
    assert {"stack", "painleve-inconsistent", "rod", "blocks"} <= names
    kinds = [entry["kind"] for entry in listed if entry["name"] == "painleve-inconsistent"]
    assert kinds == ["rest", "motion"]
    assert all(entry["trajectory"] == (entry["kind"] != "rest") for entry in listed)
    assert all({"name", "default", "unit", "meaning", "range"} == set(p) for entry in listed for p in entry["parameters"])


def test_a_scene_at_rest():
    scene = etalon.scenario("stack", blocks=2, mass_ratio="100", mass_step=0, exact=True)
    assert scene.problem.n == 2 and scene.status == "solved"
    forces = [contact["normal"] for contact in scene.answer["forces"]["contacts"]]
    assert all(type(force) is Fraction for force in forces)
    assert list(etalon.solve(scene.problem, exact=True).z) == forces
    rounded = etalon.scenario("stack", blocks=2, mass_ratio=np.int64(100), mass_step=0.0)
    assert [contact["normal"] for contact in rounded.answer["forces"]["contacts"]] == [float(force) for force in forces]
    assert repr(scene).startswith("<Scene 'stack/")


def test_a_scene_without_forces_comes_with_its_proof():
    scene = etalon.scenario("painleve-inconsistent")
    assert scene.status == "inconsistent"
    assert etalon.certify(scene.problem, certificate=scene.answer["certificate"]).status == "unsolvable"


def test_what_is_meant_is_said():
    assert len(etalon.scenario("painleve-inconsistent", kind="motion", h="1/20", steps=3)) == 3
    for bad in ({"h": "1/20"}, {"steps": 3}):
        with pytest.raises(etalon.ArgumentError, match='kind="motion"'):
            etalon.scenario("painleve-inconsistent", **bad)
    with pytest.raises(etalon.ArgumentError, match="is not a scene in motion"):
        etalon.scenario("stack", kind="motion")
    with pytest.raises(etalon.ArgumentError, match="scene at rest"):
        etalon.scenario("stack", steps=3)
    with pytest.raises(etalon.ArgumentError, match="world"):
        etalon.scenario("blocks")
    with pytest.raises(etalon.ArgumentError, match="kind"):
        etalon.scenario("stack", kind="standing")


def test_a_trajectory():
    slide = etalon.scenario("incline", mu="1/2", exact=True)
    again = etalon.scenario("incline", mu=0.5, steps=3)
    assert slide.q[-1, 0] == Fraction(-2409, 15625)
    assert len(again) == 3 and again.q.dtype == np.float64
    assert np.array_equal(again.q, slide.q[:3].astype(float))
    assert slide.t.shape == (len(slide),) and slide.v.shape == slide.q.shape
    assert slide.header["format"] == "etalon-trajectory/1" and [step["k"] for step in again] == [1, 2, 3]
    problem = slide.problem(2)
    assert etalon.check(problem, etalon.solve(problem, exact=True))


def test_a_solver_of_ones_own_drives_the_simulation():
    asked = []

    def lemke(M, q):
        asked.append(len(q))
        return etalon.solve(M, q, method="fast-lemke").z

    own = etalon.scenario("incline", solver=lemke, steps=5)
    assert len(asked) >= 5
    assert np.allclose(own.q, etalon.scenario("incline", steps=5).q, atol=1e-12)

    def broken(M, q):
        raise ZeroDivisionError("no idea")

    with pytest.raises(etalon.ArgumentError, match="no idea"):
        etalon.scenario("incline", solver=broken, steps=5)


def test_what_is_no_scenario():
    for bad in ({"name": "no-such"}, {"name": "stack", "colour": 3}, {"name": "stack", "blocks": "many"}, {"name": "stack", "blocks": 10**9}):
        with pytest.raises(etalon.ArgumentError):
            etalon.scenario(**bad)
    with pytest.raises(etalon.ArgumentError):
        etalon.scenario("stack", solver="fast")
    with pytest.raises(etalon.ArgumentError):
        etalon.scenario("rod", solver="simplex")
