"""The noslip stage of MuJoCo: not judged unless asked, and then as a problem of its own."""

from fractions import Fraction

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the engine mujoco is not installed: pip install 'etalon[mujoco]'")

import step_reference  # noqa: E402

import etalon.mujoco  # noqa: E402
from etalon.mujoco import _read  # noqa: E402
from etalon.mujoco._noslip import judge_stage, stage  # noqa: E402
from etalon.mujoco._state import Before, replay  # noqa: E402

#: Friction of all kinds: contacts of 3, 4 and 6 dimensions, friction loss, beside a limit.
SCENE = """<mujoco model="slip"><option timestep=".004" {option}/><worldbody><geom type="plane" size="5 5 .1"/>
<body name="a" pos="0 0 .098" euler="3 2 10"><freejoint/><geom type="box" size=".1 .1 .1" condim="4" friction=".6 .02 .01" mass="1"/></body>
<body name="b" pos=".5 .5 .099"><freejoint/><geom type="sphere" size=".1" condim="6" friction=".4 .01 .02" mass="1"/></body>
<body name="c" pos="0 .5 .6"><joint axis="0 1 0" range="-30 10" limited="true" frictionloss=".2"/>
<geom type="capsule" size=".04" fromto="0 0 0 .4 0 0" mass="1"/></body></worldbody></mujoco>"""


def thrown(option):
    """The scene with its bodies thrown."""
    model = mujoco.MjModel.from_xml_string(SCENE.format(option=option))
    data = mujoco.MjData(model)
    data.qvel[0:2], data.qvel[6:8] = (1.0, 0.5), (0.7, -0.3)
    return model, data


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["PGS", "Newton"])
def test_the_interval_holds_the_distance_from_the_same_stage_run_to_its_end(cone, solver):
    option = f'cone="{cone}" solver="{solver}" noslip_iterations="2" noslip_tolerance="0"'
    model, data = thrown(option)
    before, checked, words = Before(model), 0, set()
    for k in range(40):
        before.keep(data)
        mujoco.mj_step(model, data)
        if k % 5 or not data.nefc:
            continue
        found = etalon.mujoco.Judge(model, noslip=True)(data)
        assert found.flags[-1] == "noslip" and found.by != "filter", found
        # From the same state the solver before gives the same normal forces, and they stay as they are.
        model.opt.noslip_iterations = 20_000
        far = replay(model, before.state(data))
        model.opt.noslip_iterations = 2
        end = judge_stage(*stage(model, far, _read.read(model, far)), 1e-5)
        assert end.distance[1] < 1e-3, end
        step, slack = _read.read(model, data), end.distance[1] + 1e-12
        apart = step_reference.distance(step, np.array(far.qacc))
        free = np.linalg.solve(step.M, step.smooth)
        # The stage's own scale has the normal forces in it, so distances are compared as they are.
        scale = max(np.sqrt(own @ step.M @ own) for own in (step.acceleration, free))
        low, high = (bound * scale_of(step, stage(model, data, step)) for bound in found.distance)
        assert low <= apart * scale + slack * scale and apart * scale <= high + slack * scale
        words.add(found.word)
        checked += 1
    assert checked >= 5 and words & {"off", "loose"}


def scale_of(step, found):
    """max(|a|_M, |a0|_M) of the stage, a0 with the forces that are given."""
    q = np.array([float(Fraction(own)) for own in found[0]["force"]])
    free = np.linalg.solve(step.M, q)
    return max(np.sqrt(own @ step.M @ own) for own in (step.acceleration, free))


def test_without_being_asked_it_is_not_judged():
    model, data = thrown('noslip_iterations="3"')
    judge = etalon.mujoco.Judge(model)
    for _ in range(5):
        mujoco.mj_step(model, data)
        judge(data)
    assert judge.words["not judged"] >= 4 and judge.accepted
    reasons = [reason for tally in judge.tallies.values() for reason in tally.reasons]
    assert all("`noslip` judges that stage alone" in reason for reason in reasons)


def test_where_no_row_has_friction_the_solver_is_judged():
    option = 'noslip_iterations="3"'
    scene = SCENE.format(option=option).replace("condim=", 'condim="1" name=').replace(' frictionloss=".2"', "")
    model = mujoco.MjModel.from_xml_string(scene)
    data, judge = mujoco.MjData(model), etalon.mujoco.Judge(model)
    for _ in range(10):
        mujoco.mj_step(model, data)
        judge(data)
    assert data.nefc and judge.words["accepted"] == 10, judge.table()


def test_a_wrong_motion_is_off_and_saved_without_a_script(tmp_path):
    model, data = thrown('cone="elliptic" noslip_iterations="20000" noslip_tolerance="0"')
    judge = etalon.mujoco.Judge(model, noslip=True, scene=SCENE)
    mujoco.mj_step(model, data)
    judge.start(data)
    mujoco.mj_step(model, data)
    assert judge(data), judge.table()
    data.qacc[0] += 0.1
    assert judge(data).word == "off"
    files = judge.worst.save(tmp_path / "worst")
    assert [file.suffix for file in files] == [".mjb", ".json"]
    found = etalon.judge_step(files[1].read_text(), level="A")
    assert found[0]["verdict"] == "off"
    with pytest.raises(etalon.ArgumentError, match="a noslip stage does not shrink"):
        judge.worst.shrink()
