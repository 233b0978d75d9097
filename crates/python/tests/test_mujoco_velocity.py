"""The update of the velocity after MuJoCo's solver, (M - h D)(v+ - v)/h = q + J'f, by a verdict of its own."""

import json

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the engine mujoco is not installed: pip install mujoco")

import etalon.mujoco  # noqa: E402
from etalon.engine.__main__ import main  # noqa: E402
from etalon.mujoco._velocity import judge_velocity  # noqa: E402

SCENE = """<mujoco><option timestep=".004" {option}/><worldbody><geom type="plane" size="5 5 .1"/>
<body pos="0 0 .6"><joint name="a" axis="0 1 0" damping="{damping}"/><geom type="capsule" size=".04" fromto="0 0 0 .4 0 0" mass="1"/>
<body pos=".4 0 0"><joint name="b" axis="0 1 0" range="-20 20" limited="true" damping="{damping}"/>
<geom type="capsule" size=".04" fromto="0 0 0 .3 0 -.2" mass=".5"/></body></body>
<body pos="0 .5 .11" euler="5 3 20"><freejoint/><geom type="box" size=".1 .05 .2" mass="1"/></body></worldbody>
<tendon><fixed name="t" damping=".3"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>
<actuator><position joint="b" kp="20" kv="1"/></actuator></mujoco>"""


def model(integrator, damping=".5", more=""):
    return mujoco.MjModel.from_xml_string(SCENE.format(option=f'integrator="{integrator}" {more}', damping=damping))


def run(own, steps=40, change=None, **arguments):
    """A judge after some steps; `change` is made after each step, before it is judged."""
    data = mujoco.MjData(own)
    data.qvel[-3:] = 3, 5, 1
    judge = etalon.mujoco.Judge(own, velocity=True, **arguments)
    judge.start(data)
    random = np.random.default_rng(2)
    for k in range(steps):
        data.ctrl[:] = random.uniform(-1, 1, own.nu)
        mujoco.mj_step(own, data)
        if change:
            change(k, data)
        judge(data)
    return judge


@pytest.mark.parametrize("damping", ["0", ".5", "30"])
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_the_engine_solves_for_its_velocity(integrator, damping):
    judge = run(model(integrator, damping))
    assert judge.velocity_words["exact"] + judge.velocity_words["accepted"] == 40, judge.table()
    (tally,) = judge.tallies.values()
    # By implicitfast derivatives of gyroscopic forces may be left out, where the step is accepted without them.
    assert tally.velocity_worst[1].distance[1] < (1e-5 if integrator == "implicitfast" else 1e-11)


def test_where_nothing_is_implicit_the_velocity_follows_the_acceleration_of_the_solver():
    # After two iterations of CG that is not what its forces do.
    judge = run(model("Euler", "0", 'solver="CG" iterations="2" tolerance="0"'))
    assert judge.velocity_words["exact"] + judge.velocity_words["accepted"] == 40, judge.table()


def test_by_the_mass_alone_a_damped_step_would_be_off():
    # What is proved of M - h D is not true of M: the second row is another problem.
    own = model("Euler", "30")
    data = mujoco.MjData(own)
    mujoco.mj_step(own, data)
    before = data.qvel.copy()
    mujoco.mj_step(own, data)
    assert judge_velocity(own, data, before, 1e-5)
    damping = np.array(own.dof_damping)
    own.dof_damping[:] = 0
    assert judge_velocity(own, data, before, 1e-5).word == "off"
    own.dof_damping[:] = damping


@pytest.mark.parametrize(("integrator", "word"), [("Euler", "off"), ("implicitfast", "off"), ("implicit", "undecided")])
def test_a_velocity_that_is_another_is_found(integrator, word):
    def change(k, data):
        if k == 7:
            data.qvel[0] += 1e-4

    judge = run(model(integrator), 8, change)
    assert judge.velocity_words[word] == 1 and not judge.accepted, judge.table()
    (tally,) = judge.tallies.values()
    step, worst = tally.velocity_worst
    low, high = worst.distance
    assert step == 7 and high > 1e-5 and (low > 1e-5) == (word == "off")
    assert f"1 {word}; worst step 7, distance" in judge.table()
    found = json.loads(judge.to_json())[0]["velocity"]
    assert found["verdicts"][word] == 1 and found["worst"]["step"] == 7


def test_the_interval_holds_the_distance():
    own = model("Euler")
    data = mujoco.MjData(own)
    mujoco.mj_step(own, data)
    before = data.qvel.copy()
    mujoco.mj_step(own, data)
    right = (data.qvel - before) / own.opt.timestep
    data.qvel[1] += 1e-3
    verdict = judge_velocity(own, data, before, 1e-9)
    M = etalon.mujoco._read.inertia(own, data)
    D = etalon.mujoco._velocity._derivative(own, data)[0]
    size = lambda a: np.sqrt(a @ (M - own.opt.timestep * D) @ a)  # noqa: E731
    answer = (data.qvel - before) / own.opt.timestep
    free = [np.linalg.solve(M - own.opt.timestep * D, force) for force in (data.qfrc_smooth, data.qfrc_constraint)]
    distance = size(answer - right) / max(size(answer), size(right), *map(size, free))
    low, high = verdict.distance
    assert low <= distance <= high and high < 1.01 * low


@pytest.mark.skipif(mujoco.__version__ < "4", reason="older versions leave gyroscopic forces of implicitfast explicit")
def test_implicitfast_is_right_by_the_derivative_of_gyroscopic_forces():
    own = model("implicitfast")
    data = mujoco.MjData(own)
    data.qvel[-3:] = 3, 5, 1
    judge = etalon.mujoco.Judge(own)
    judge.start(data)
    before = data.qvel.copy()
    mujoco.mj_step(own, data)
    # Without the state before the step that derivative is not known; with it the step is right, and a velocity that is another is not.
    assert judge_velocity(own, data, before, 1e-5).reason.startswith("implicitfast: which derivatives")
    assert judge_velocity(own, data, before, 1e-5, judge._before).distance[1] < 1e-11
    data.qvel[-1] += 1e-2
    assert not judge_velocity(own, data, before, 1e-5, judge._before)


def test_a_box_at_rest_is_no_false_alarm():
    # Its forces balance to rounding, so that its acceleration is noise.
    xml = """<mujoco><option integrator="{}"/><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .1"><freejoint/>
    <geom type="box" size=".1 .1 .1"/></body><body pos="1 0 1"><joint damping="1"/><geom size=".1" pos="0 0 -.3"/></body></worldbody></mujoco>"""
    for integrator in ("Euler", "implicit", "implicitfast"):
        own = mujoco.MjModel.from_xml_string(xml.format(integrator))
        data, judge = mujoco.MjData(own), etalon.mujoco.Judge(own, velocity=True, every=10)
        judge.start(data)
        for _ in range(1500):
            mujoco.mj_step(own, data)
            judge(data)
        assert set(judge.velocity_words) <= {"exact", "accepted"}, judge.table()


def test_what_is_not_judged_says_why():
    assert run(model("RK4"), 3).velocity_words == {"not judged": 3}

    def reason(judge):
        (tally,) = judge.tallies.values()
        (found,) = tally.velocity_reasons
        return found

    assert reason(run(model("RK4"), 3)).startswith("RK4: the velocity is a mean of stages")
    if hasattr(mujoco.mjtDisableBit, "mjDSBL_DAMPER"):
        more = '><flag damper="disable"/></option><option'
        assert reason(run(model("Euler", more=more), 3)).startswith("dampers are disabled")
    if hasattr(mujoco.mjtIntegrator, "mjINT_DISCRETE"):
        assert reason(run(model("discrete"), 3)).startswith("the metric of the solver")
    own = model("Euler")
    data, judge = mujoco.MjData(own), etalon.mujoco.Judge(own, velocity=True)
    mujoco.mj_step(own, data)
    judge(data)
    assert reason(judge).startswith("the state before the step is not known")


def test_a_state_that_was_changed_between_steps_is_no_fault_of_the_engine():
    own = model("Euler")
    data, judge = mujoco.MjData(own), etalon.mujoco.Judge(own, velocity=True)
    judge.start(data)
    data.qvel[:] = 1.0
    mujoco.mj_step(own, data)
    judge(data)
    (tally,) = judge.tallies.values()
    assert judge.velocity_words == {"not judged": 1} and "is not the one" in next(iter(tally.velocity_reasons))


def test_it_is_asked_for_by_name(tmp_path, capsys):
    assert "velocity" not in json.loads(etalon.mujoco.Judge(model("Euler")).to_json() or "[]")
    scene = tmp_path / "scene.xml"
    scene.write_text(SCENE.format(option='integrator="implicitfast"', damping=".5"))
    assert main(["mujoco", str(scene), "--steps", "3", "--velocity"]) == 0
    assert "velocity        3 accepted; worst step" in capsys.readouterr().out
    assert main(["mujoco", str(scene), "--steps", "3"]) == 0
    assert "velocity" not in capsys.readouterr().out
