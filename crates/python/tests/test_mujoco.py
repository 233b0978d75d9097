"""Steps of MuJoCo: what is read, what is judged, what is not, and that a step can be run again."""

import dataclasses
import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the engine mujoco is not installed: pip install mujoco")

import step_reference  # noqa: E402

import etalon.mujoco  # noqa: E402
from etalon.mujoco import _read, _scope, _verdict  # noqa: E402

#: The smallest scene of a fixed point of PGS at the apex of an elliptic cone.
APEX = """<mujoco><option cone="elliptic" solver="PGS"/><worldbody><geom type="plane" size="1 1 .1"/>
<body name="ball" pos="0 0 .099"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
<geom type="sphere" size=".1" mass="1"/></body></worldbody><keyframe><key qvel="1 0 .5"/></keyframe></mujoco>"""

#: Everything that has a kind of row: equality, friction loss, limits, contacts of every dimension, tendons.
RICH = """<mujoco model="rich"><option timestep=".004" {option}/><worldbody><geom type="plane" size="5 5 .1" condim="1"/>
<body name="arm" pos="0 0 .6"><joint name="a" axis="0 1 0" range="-30 30" limited="true" frictionloss=".2" damping=".1"/>
<geom type="capsule" size=".04" fromto="0 0 0 .4 0 0" mass="1"/><body pos=".4 0 0"><joint name="b" axis="0 1 0" damping=".1"/>
<geom type="capsule" size=".04" fromto="0 0 0 .3 0 -.2" mass=".5"/></body></body>
<body name="one" pos="0 .5 .19" euler="5 3 20"><freejoint/><geom type="box" size=".1 .1 .1" condim="4" friction=".6 .01 .001" mass="1"/></body>
<body name="two" pos=".5 .5 .11"><freejoint/><geom type="sphere" size=".1" condim="6" friction=".7 .02 .01" mass="1"/></body>
<body name="three" pos=".8 .5 .12"><freejoint/><geom type="sphere" size=".1" condim="1" mass="1"/></body></worldbody>
<equality><connect body1="two" body2="three" anchor=".15 0 0"/></equality>
<tendon><fixed name="t" limited="true" range="-.2 .2" frictionloss=".05"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>
<actuator><motor joint="a"/><motor joint="b"/></actuator></mujoco>"""


def started(xml, **options):
    """A model, its data, and the scene; at key frame 0 where there is one."""
    model = mujoco.MjModel.from_xml_string(xml)
    for key, value in options.items():
        setattr(model.opt, key, value)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    return model, data


def run(model, steps=1, start=True, controls=0.0, data=None, **arguments):
    """A judge after some steps."""
    data = data or mujoco.MjData(model)
    judge = etalon.mujoco.Judge(model, **arguments)
    if start:
        judge.start(data)
    random = np.random.default_rng(3)
    for _ in range(steps):
        data.ctrl[:] = random.uniform(-controls, controls, model.nu)
        mujoco.mj_step(model, data)
        judge(data)
    return judge


def test_pgs_at_the_apex_of_a_cone_is_off_and_calls_itself_converged():
    model, data = started(APEX)
    judge = run(model, data=data)
    worst = judge.worst
    low, high = worst.verdict.distance
    assert worst.verdict.word == "off" and not worst.verdict
    assert low <= 4.455962044807519 + 1e-9 and 4.455962044807519 - 1e-9 <= high and high - low < 1e-9
    assert "converged-and-wrong" in worst.verdict.flags
    assert worst.replayed and not judge.accepted
    assert worst.blame == "contact of world and ball"


@pytest.mark.parametrize("solver", [1, 2])
def test_cg_and_newton_are_right_there(solver):
    model, data = started(APEX, solver=solver)
    judge = run(model, data=data)
    assert judge.worst.verdict.word in ("exact", "accepted") and judge.accepted


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast", "RK4"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_newton_is_never_off(cone, integrator, jacobian):
    option = f'cone="{cone}" integrator="{integrator}" jacobian="{jacobian}" tolerance="0" impratio="10"'
    judge = run(mujoco.MjModel.from_xml_string(RICH.format(option=option)), 60, controls=1.0)
    assert judge.words["off"] == judge.words["undecided"] == judge.words["not judged"] == 0, judge.table()
    assert judge.words.total() == 60 and judge.worst.replayed


def test_rows_have_their_sets():
    model = mujoco.MjModel.from_xml_string(RICH.format(option='cone="elliptic"'))
    data = mujoco.MjData(model)
    for _ in range(40):
        mujoco.mj_step(model, data)
    step = _read.read(model, data)
    kind = np.array(data.efc_type)
    assert (step.kinds[kind == 0] == _read.FREE).all() and (kind == 0).sum() == 3
    assert sorted(step.parameter[step.kinds == _read.BOX]) == [0.05, 0.2]
    normals = np.flatnonzero(step.kinds == _read.NORMAL)
    lengths = [int(np.argmax(np.append(step.kinds[row + 1 :], 0) != _read.TANGENT)) for row in normals]
    assert sorted(set(lengths)) == [3, 5]
    six = normals[lengths.index(5)]
    np.testing.assert_array_equal(step.parameter[six + 1 : six + 6], [1, 1, 0.02, 0.01, 0.01])
    fields = etalon.mujoco.record(step, "rich", model, 3)
    rows = [row for own in fields["sets"] for row in rows_of(own)]
    assert sorted(rows) == list(range(step.R.size))


def rows_of(own):
    if own["kind"] == "equality":
        return range(*own["rows"])
    if own["kind"] == "cone":
        return range(own["first"], own["first"] + len(own["mu"]) + 1)
    return own["rows"]


def test_the_record_of_the_apex_is_its_mathematics():
    model, data = started(APEX)
    mujoco.mj_step(model, data)
    fields = json.loads(json.dumps(etalon.mujoco.record(_read.read(model, data), "apex", model, 1)))
    assert fields["M"]["entries"] == [[i, i, 1.0] for i in range(3)]
    assert fields["R"] == [0.052631578947368474] * 3 and fields["sets"] == [{"kind": "cone", "first": 0, "mu": [1.0, 1.0]}]
    assert fields["answer"]["force"] == [0, 0, 0] and fields["engine"]["settings"]["solver"] == "pgs"


def test_the_exact_force_at_the_apex_is_the_closed_form():
    # f = (|x_t| - x_n)/(2 + R_n + R_t) along the normal and against the motion: the conditions hold in fractions.
    model, data = started(APEX)
    mujoco.mj_step(model, data)
    step = _read.read(model, data)
    exact = lambda values: [Fraction(float(value)) for value in np.ravel(values)]  # noqa: E731
    free = [q for q in exact(step.smooth)]
    J, R, target = step.J, exact(step.R), exact(step.target)
    x = [sum(Fraction(float(j)) * a for j, a in zip(row, free)) - r for row, r in zip(J, target)]
    size = (abs(x[2]) - x[0]) / (2 + R[0] + R[2])
    f = [size, Fraction(0), size if x[2] < 0 else -size]
    a = [q + sum(Fraction(float(J[i, k])) * f[i] for i in range(3)) for k, q in enumerate(free)]
    w = [sum(Fraction(float(j)) * own for j, own in zip(row, a)) + r * force - t for row, r, force, t in zip(J, R, f, target)]
    assert f[0] > 0 and w[0] >= abs(w[2]) and w[1] == 0 and sum(p * q for p, q in zip(f, w)) == 0
    distance = sum((own - Fraction(float(b))) ** 2 for own, b in zip(a, step.acceleration))
    scale = max(sum(Fraction(float(b)) ** 2 for b in step.acceleration), sum(b * b for b in free))
    verdict = _verdict.judge_arrays(step, 0.002, 1e-5, (1, 100))
    low, high = (Fraction(bound) for bound in verdict.distance)
    assert low**2 <= distance / scale <= high**2


def test_rk4_is_judged_before_the_step_or_not_at_all():
    model = mujoco.MjModel.from_xml_string(RICH.format(option='integrator="RK4"'))
    judge = run(model, 5, start=False)
    assert judge.words == {"not judged": 1, "accepted": 4}
    (reason,) = next(iter(judge.tallies.values())).reasons
    assert reason.startswith("RK4") and "judge.start" in reason


def test_a_step_over_the_limit_is_not_judged():
    judge = run(mujoco.MjModel.from_xml_string(RICH.format(option="")), 1, limit=5)
    assert judge.words == {"not judged": 1}


def test_a_state_that_breaks_down_is_not_judged():
    model, data = started(APEX)
    judge = etalon.mujoco.Judge(model)
    judge.start(data)
    data.qvel[0] = np.nan
    mujoco.mj_step(model, data)
    assert judge(data).reason.startswith("reset")
    mujoco.mj_step(model, data)
    data.qacc[0] = np.inf
    assert judge(data).reason.startswith("non-finite")


@pytest.mark.skipif(not hasattr(mujoco.mjtIntegrator, "mjINT_DISCRETE"), reason="the integrator discrete came with 3.17")
def test_the_discrete_metric_is_judged_with_joints_tendons_and_actuators():
    xml = RICH.format(option='integrator="discrete" tolerance="0"').replace('limited="true" range="-.2 .2"', 'stiffness="3" damping=".2"')
    xml = xml.replace("<tendon>", '<tendon><fixed name="s"><joint joint="a" coef="1"/></fixed>')
    xml = xml.replace('<motor joint="b"/>', '<position joint="b" kp="20" kv="1"/>')
    judge = run(mujoco.MjModel.from_xml_string(xml), 60, controls=0.5)
    assert judge.words["off"] == judge.words["not judged"] == 0, judge.table()
    wet = run(mujoco.MjModel.from_xml_string(xml.replace("<option", '<option density="1000"')), 3, controls=0.5)
    assert wet.words["off"] == 0 and wet.words["not judged"] >= 2


@pytest.mark.skipif(not hasattr(mujoco.mjtEnableBit, "mjENBL_SLEEP"), reason="this version has no sleep")
def test_sleeping_trees_are_not_judged():
    xml = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    judge = run(mujoco.MjModel.from_xml_string(xml), 800, every=20)
    assert judge.words["off"] == 0 and judge.words["accepted"] > 0 and judge.words["not judged"] > 0


def test_a_contact_that_no_joint_feels_is_marked():
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 .1" condim="1"/><body pos="0 0 .099"><joint type="slide" axis="1 0 0"/>
    <geom type="sphere" size=".1" mass="1" condim="1"/></body></worldbody></mujoco>"""
    model, data = started(xml)
    mujoco.mj_step(model, data)
    verdict = run(model).worst.verdict
    assert "unfelt" in verdict.flags and verdict and _read.read(model, data).unfelt.tolist() == [0]


def test_raise_on_names_the_step():
    model, data = started(APEX)
    judge = etalon.mujoco.Judge(model, raise_on="off")
    mujoco.mj_step(model, data)
    with pytest.raises(etalon.mujoco.StepError, match="step 0, time 0.002: off; distance 4.456"):
        judge(data)


def test_every_judges_some_steps():
    assert run(mujoco.MjModel.from_xml_string(RICH.format(option="")), 10, every=4).words.total() == 3


@pytest.mark.parametrize("solver", [0, 1, 2])
def test_a_step_is_replayed_bit_for_bit_with_controls_set_before_it(solver):
    model = mujoco.MjModel.from_xml_string(RICH.format(option="iterations='3' tolerance='0'"))
    model.opt.solver = solver
    judge = run(model, 40, controls=2.0)
    assert judge.worst.index > 0 and judge.worst.replayed


def test_a_state_changed_behind_its_back_is_not_replayed():
    model, data = started(RICH.format(option=""))
    judge = etalon.mujoco.Judge(model)
    judge.start(data)
    data.qvel[:] = 1.0
    mujoco.mj_step(model, data)
    judge(data)
    assert not judge.worst.replayed and "not replayed" in judge.table()


def python(folder, script):
    """What a script prints in a process that has mujoco and numpy, and no etalon."""
    code = "import sys; sys.modules['etalon'] = None; exec(open(sys.argv[1]).read())"
    ran = subprocess.run([sys.executable, "-c", code, script], cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def objectives(text):
    lines = [line for line in text.splitlines() if "objective" in line]
    return [float(line.split("objective")[1].split()[0]) for line in lines]


def test_the_saved_step_runs_alone(tmp_path):
    model, data = started(APEX)
    judge = run(model, data=data, scene=APEX)
    files = judge.worst.save(tmp_path / "worst")
    assert [file.name for file in files] == ["worst.xml", "worst.json", "worst.py"]
    engine, exact = objectives(python(tmp_path, "worst.py"))
    assert exact < engine
    fields = json.loads((tmp_path / "worst.json").read_text())
    assert fields["replay"]["verdict"]["word"] == "off" and fields["replay"]["bit_equal"]
    assert len((tmp_path / "worst.py").read_text().splitlines()) <= 20


def test_without_a_scene_the_compiled_model_is_saved(tmp_path):
    model, data = started(APEX)
    files = run(model, data=data).worst.save(tmp_path / "worst")
    assert files[0].name == "worst.mjb"
    engine, exact = objectives(python(tmp_path, "worst.py"))
    assert exact < engine


@pytest.mark.skipif(not hasattr(getattr(mujoco, "MjSpec", None), "delete"), reason="MjSpec.delete came with 3.3")
def test_a_scene_shrinks_to_what_fails(tmp_path):
    more = """<body name="far" pos="2 0 1"><joint name="h" axis="0 1 0"/><geom type="capsule" size=".1" fromto="0 0 0 .3 0 0"/></body>
    <body name="box" pos="3 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
    <actuator><motor joint="h"/></actuator><sensor><jointpos joint="h"/></sensor>"""
    xml = APEX.replace("</worldbody>", more).replace('<key qvel="1 0 .5"/>', '<key qvel="1 0 .5 0 0 0 0 0 0 0"/>')
    model, data = started(xml)
    judge = run(model, data=data, scene=xml)
    shrunk = judge.worst.shrink(over=1e-3)
    assert shrunk.verdict.word == "off" and shrunk.model.nbody == 2 and shrunk.after[0] <= 3 < shrunk.before[0]
    shrunk.save(tmp_path / "small")
    engine, exact = objectives(python(tmp_path, "small.py"))
    assert exact < engine


def test_what_cannot_shrink_says_what_it_needs():
    model, data = started(APEX)
    with pytest.raises(etalon.ArgumentError, match="shrinking needs the scene"):
        run(model, data=data).worst.shrink()


def test_the_table_says_who_is_to_blame():
    model, data = started(APEX)
    table = run(model, data=data).table()
    for words in ("pgs, elliptic cones, euler", "1 off", "step 0", "contact of world and ball", "1 of 100 iterations", "bit for bit"):
        assert words in table, table


def test_sizes_that_do_not_fit_are_errors():
    model, data = started(APEX)
    mujoco.mj_step(model, data)
    step = _read.read(model, data).copy()
    for name, value, error in [
        ("R", step.R[:2], etalon.ShapeError),
        ("R", step.R * 0, etalon.ArgumentError),
        ("target", step.target * np.nan, etalon.NotFiniteError),
        ("kinds", np.full(3, 7, dtype=np.int32), etalon.ArgumentError),
        ("J", np.asfortranarray(step.J), etalon.ShapeError),
    ]:
        broken = dataclasses.replace(step, **{name: value})
        with pytest.raises(error):
            _verdict.judge_arrays(broken, 0.002, 1e-5, (1, 100))


def test_rows_at_the_floor_of_R_are_not_judged():
    # About the axis of its only hinge the box does not move up or down: the engine's R is at its floor.
    xml = """<mujoco><option cone="pyramidal"/><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .099">
    <joint axis="0 0 1"/><geom type="box" size=".1 .1 .1" mass="1" friction="1.5 0 0"/></body></worldbody></mujoco>"""
    model, data = started(xml)
    mujoco.mj_forward(model, data)
    assert data.efc_R.min() < 1e-14 and _scope.degenerate(data, _read.read(model, data)).startswith("degenerate")
    judge = run(model)
    assert judge.words["off"] == judge.words["undecided"] == 0
    model, data = started(APEX, cone=0)
    mujoco.mj_forward(model, data)
    step = _read.read(model, data).copy()
    assert _scope.flaw(step) is None and _scope.degenerate(data, step) is None
    step.R[0] = 0.0
    assert _scope.flaw(step).startswith("degenerate")


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
def test_the_interval_holds_the_distance_that_another_solver_finds(cone, solver):
    model = mujoco.MjModel.from_xml_string(RICH.format(option=f'cone="{cone}" solver="{solver}" iterations="4"'))
    data, checked = mujoco.MjData(model), 0
    for k in range(60):
        mujoco.mj_step(model, data)
        if k % 6 or not data.nefc:
            continue
        step = _read.read(model, data)
        right, left = step_reference.solve(step)
        if left > 1e-13:
            continue
        found = step_reference.distance(step, right)
        low, high = _verdict.judge_arrays(step, model.opt.timestep, 1e-9, (1, 4)).distance
        assert low <= found * (1 + 1e-6) + 1e-10 and found * (1 - 1e-6) - 1e-10 <= high
        checked += 1
    assert checked >= 5


@pytest.mark.parametrize(("solver", "tolerance"), [("CG", "1e-3"), ("Newton", "1e-1")])
def test_a_step_within_the_tolerance_of_the_engine_is_loose(solver, tolerance):
    # With such a tolerance the engine stops early, and may: no iteration could lower its objective by more.
    option = f'cone="elliptic" solver="{solver}" tolerance="{tolerance}"'
    model = mujoco.MjModel.from_xml_string(RICH.format(option=option))
    data, words = mujoco.MjData(model), {"loose": 0, "off": 0}
    judge = etalon.mujoco.Judge(model)
    for _ in range(30):
        mujoco.mj_step(model, data)
        verdict = judge(data)
        if verdict.word not in words:
            continue
        step = _read.read(model, data)
        right, left = step_reference.solve(step)
        gap = step_reference.objective(step, step.acceleration) - step_reference.objective(step, right)
        assert left < 1e-12 and (gap <= step.stop_gap(model, data)) == (verdict.word == "loose")
        words[verdict.word] += 1
    assert words["loose"] >= 5 and judge.accepted == (not words["off"]), words
    assert "loose" in judge.table() and not bool(judge.worst.verdict)
    found = etalon.judge_step(json.dumps(judge.worst.record()), level="A")
    assert found[0]["verdict"] == judge.worst.verdict.word and "objective_gap" in found[0]
