"""The noslip stage of MuJoCo: not judged unless asked, and then as a problem of its own."""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the engine mujoco is not installed: pip install mujoco")

import etalon.mujoco  # noqa: E402
from etalon.mujoco import _read  # noqa: E402

PYRAMIDAL = int(mujoco.mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL)

#: Friction of all kinds: contacts of 3, 4 and 6 dimensions, friction loss, beside a limit.
SCENE = """<mujoco model="slip"><option timestep=".004" {option}/><worldbody><geom type="plane" size="5 5 .1"/>
<body name="a" pos="0 0 .098" euler="3 2 10"><freejoint/><geom type="box" size=".1 .1 .1" condim="4" friction=".6 .02 .01" mass="1"/></body>
<body name="d" pos="0 .02 .297"><freejoint/><geom type="box" size=".08 .08 .1" mass="5"/></body>
<body name="b" pos=".5 .5 .099"><freejoint/><geom type="sphere" size=".1" condim="6" friction=".4 .01 .02" mass="1"/></body>
<body name="c" pos="0 .5 .6"><joint axis="0 1 0" range="-30 10" limited="true" frictionloss=".2"/>
<geom type="capsule" size=".04" fromto="0 0 0 .4 0 0" mass="1"/></body></worldbody></mujoco>"""


def thrown(option):
    """The scene with its bodies thrown."""
    model = mujoco.MjModel.from_xml_string(SCENE.format(option=option))
    data = mujoco.MjData(model)
    data.qvel[0:2], data.qvel[12:14] = (1.0, 0.5), (0.7, -0.3)
    return model, data


def friction(step, kinds, contacts):
    """The motion of the stage by other means than the judge's, and q with the given forces. Tangential rows are taken times mu."""
    rows, balls, offset = [], [], np.array(step.smooth)
    row = 0
    while row < step.rows:
        f, kind = step.force[row], kinds[row]
        if kind in (_read.FRICTION[0], _read.FRICTION[1]):
            balls.append((len(rows), 1, step.parameter[row]))
            rows.append((step.J[row], step.target[row]))
            row += 1
        elif kind == PYRAMIDAL:
            mid = (f + step.force[row + 1]) / 2
            offset += mid * (step.J[row] + step.J[row + 1])
            balls.append((len(rows), 1, mid))
            rows.append((step.J[row] - step.J[row + 1], step.target[row] - step.target[row + 1]))
            row += 2
        elif kind == _read.ELLIPTIC:
            offset += f * step.J[row]
            mu = contacts[row]
            balls.append((len(rows), len(mu), f))
            rows += [(mu[k] * step.J[row + 1 + k], mu[k] * step.target[row + 1 + k]) for k in range(len(mu))]
            row += 1 + len(mu)
        else:
            offset += f * step.J[row]
            row += 1
    B, target = np.array([row for row, _ in rows]), np.array([own for _, own in rows])
    a, force = np.linalg.solve(step.M, offset), np.zeros(len(target))
    # Rows times mu are small beside others, and so must be what stands for R.
    share, rounds = (1e-8, 40) if contacts else (1e-6, 12)
    small = share * np.abs(B @ np.linalg.solve(step.M, B.T)).max()
    for _ in range(rounds):
        a, force = regularised(step.M, offset, B, target + small * force, small, balls, a)
    return a, offset


def regularised(M, q, B, target, small, balls, a):
    """Newton's method where `small` stands in each row for R: forces are -x/small, moved radially into their balls."""

    def law(a):
        x = B @ a - target
        force, slope = -x / small, np.eye(len(x)) / small
        for first, size, radius in balls:
            own = slice(first, first + size)
            length = np.linalg.norm(x[own])
            if length > small * radius:
                force[own] = -radius * x[own] / length
                slope[own, own] = radius / length * (np.eye(size) - np.outer(x[own], x[own]) / length**2)
        return force, slope, a @ M @ a / 2 - q @ a - force @ (small * force / 2 + x)

    for _ in range(100):
        force, slope, cost = law(a)
        change = -np.linalg.solve(M + B.T @ slope @ B, M @ a - q - B.T @ force)
        along = 1.0
        while along > 1e-9 and law(a + along * change)[2] > cost + 1e-15 * abs(cost):
            along /= 2
        a = a + along * change
        if np.abs(change).max() < 1e-13 * np.abs(a).max():
            break
    return a, law(a)[0]


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", ["PGS", "Newton"])
def test_the_interval_holds_the_distance_that_another_solver_finds(cone, solver):
    option = f'cone="{cone}" solver="{solver}" noslip_iterations="1" noslip_tolerance="0"'
    model, data = thrown(option)
    checked, words = 0, set()
    for k in range(40):
        mujoco.mj_step(model, data)
        if k % 8 or not data.nefc:
            continue
        found = etalon.mujoco.Judge(model, noslip=True)(data)
        assert found.flags[-1] == "noslip" and found.by != "filter", found
        step = _read.read(model, data)
        contacts = {int(own.efc_address): np.array(own.friction[: own.dim - 1]) for own in data.contact} if model.opt.cone else {}
        right, offset = friction(step, data.efc_type, contacts)
        size = lambda a: np.sqrt(a @ step.M @ a)  # noqa: E731
        scale = max(size(step.acceleration), size(np.linalg.solve(step.M, offset)))
        apart = size(step.acceleration - right) / scale
        slack = 1e-4 * apart + 1e-6
        low, high = found.distance
        assert low <= apart + slack and apart - slack <= high, (apart, slack, found)
        checked += apart > 1e-3
        words.add(found.word)
    assert checked >= 3 and "off" in words, checked


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
    scene = SCENE.format(option=option).replace('type="', 'condim="1" type="').replace(' condim="4"', "").replace(' condim="6"', "").replace(' frictionloss=".2"', "")
    model = mujoco.MjModel.from_xml_string(scene)
    data, judge = mujoco.MjData(model), etalon.mujoco.Judge(model)
    for _ in range(10):
        mujoco.mj_step(model, data)
        judge(data)
    assert data.nefc and judge.words["accepted"] == 10, judge.table()


def test_a_wrong_motion_is_off_and_saved_without_a_script(tmp_path):
    model, data = thrown('cone="elliptic" noslip_iterations="20000" noslip_tolerance="0"')
    judge = etalon.mujoco.Judge(model, noslip=True)
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
