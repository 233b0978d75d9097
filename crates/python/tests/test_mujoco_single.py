"""Steps of MuJoCo in binary32: MJX and MuJoCo Warp where they are installed, and their form of a step where they are not."""

import json

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the engine mujoco is not installed: pip install mujoco")

import etalon.mujoco  # noqa: E402
from etalon.mujoco import _read, _single  # noqa: E402

SCENE = """<mujoco><option {option}/><worldbody><geom type="plane" size="5 5 .1"/>
<body pos="0 0 .0999"><freejoint/><geom type="sphere" size=".1" condim="4" mass="1"/></body>
<body pos="0 1 .5"><joint axis="0 1 0" frictionloss=".1" range="-10 1" limited="true"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body>
</worldbody></mujoco>"""


def thrown(option):
    model = mujoco.MjModel.from_xml_string(SCENE.format(option=option))
    data = mujoco.MjData(model)
    data.qvel[0:3] = 1.0, 0.4, -0.1
    return model, data


def record(monkeypatch, cone, change=lambda rows, free: None):
    """A step as MJX has it: in binary32, with D = 1/R, and a row of padding."""
    monkeypatch.setattr(_single, "version", lambda engine: "0")
    model, data = thrown(f'cone="{cone}"')
    mujoco.mj_step(model, data)
    step, single = _read.read(model, data), np.float32
    rows = {"J": step.J, "D": 1 / step.R, "aref": step.target, "force": step.force, "frictionloss": data.efc_frictionloss}
    rows = {name: np.concatenate([own, np.zeros((1, *own.shape[1:]))]).astype(single) for name, own in rows.items()}
    rows["type"] = np.append(data.efc_type, data.efc_type[-1])
    contact = {"efc_address": data.contact.efc_address, "dim": data.contact.dim, "friction": data.contact.friction.astype(single)}
    free = {"M": step.M, "smooth": step.smooth, "acceleration": step.acceleration}
    free = {name: own.astype(single) for name, own in free.items()}
    change(rows, free)
    return _single.record_single("mujoco-mjx", 0.002, rows, contact, free)


def word(fields):
    return etalon.judge_step(json.dumps(fields), level="A")[0]["verdict"]


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_a_step_in_binary32_is_accepted_and_faults_are_off(monkeypatch, cone):
    fields = record(monkeypatch, cone)
    kinds = [own["kind"] for own in fields["sets"]]
    assert ("cone" in kinds) == (cone == "elliptic") and "box" in kinds and fields["precision"] == "f32"
    assert word(fields) == "accepted"

    def push(rows, free):
        free["acceleration"][0] += np.float32(0.01)

    assert word(record(monkeypatch, cone, push)) == "off"

    def break_down(rows, free):
        free["acceleration"][0] = np.nan

    assert record(monkeypatch, cone, break_down) is None


def test_mjx_is_judged_on_its_own_arrays():
    mjx = pytest.importorskip("mujoco.mjx", reason="MuJoCo XLA is not installed: pip install mujoco-mjx")
    model, data = thrown("")
    model, data = mjx.put_model(model), mjx.put_data(model, data)
    data = mjx.forward(model, data)
    assert etalon.mujoco.judge_mjx(model, data)
    assert etalon.mujoco.judge_mjx(model, data.replace(qacc=data.qacc.at[0].add(0.01))).word == "off"


def test_warp_is_judged_on_its_own_arrays():
    warp = pytest.importorskip("mujoco_warp", reason="MuJoCo Warp is not installed: pip install mujoco-warp")
    model, data = thrown('jacobian="dense"')
    model, data = warp.put_model(model), warp.put_data(model, data)
    warp.forward(model, data)
    assert etalon.mujoco.judge_warp(model, data)
