"""Makes a failing scene small: what can go is deleted as long as the step stays off. The engine starts cold, without memory."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from .._errors import ArgumentError, EtalonError
from ._read import Step, iterations, read
from ._record import record
from ._save import Evidence, write
from ._scene import PARTS, find, name_all, names, spec_of, state_by_joint, state_in, with_options
from ._scope import LIMIT, is_staged, obstacle
from ._state import cold
from ._verdict import StepVerdict, judge_arrays

if TYPE_CHECKING:
    from ._worst import Worst

#: The tolerance of a step while a scene is made small; `over` decides what is kept.
TOL = 1e-5
States = dict[str, tuple[np.ndarray, np.ndarray]]


@dataclass
class Shrunk:
    """A small scene whose step from its key frame is off."""

    #: The scene as MJCF; its key frame 0 is the state.
    xml: str
    #: The verdict on `mj_forward` from the key frame.
    verdict: StepVerdict
    #: The problem of that step and the engine's answer.
    step: Step
    #: The model of the scene.
    model: Any
    #: Iterations of the solver.
    iterations: int
    #: Degrees of freedom and rows before, and after.
    before: tuple[int, int]
    after: tuple[int, int]
    #: How many scenes were tried, and in how many seconds.
    tries: int
    seconds: float

    def record(self) -> dict[str, Any]:
        """The step as a record of `etalon-step/1`."""
        return record(self.step, "shrunk", self.model, self.iterations, {"keyframe": 0})

    def save(self, stem: str | Path) -> list[Path]:
        """Writes STEM.xml, STEM.json and STEM.py."""
        used = (self.iterations, int(self.model.opt.iterations))
        exact = judge_arrays(self.step, float(self.model.opt.timestep), TOL, used, full=True)
        return write(Evidence(self.record(), exact, self.model, self.xml, None), Path(stem))


class _Search:
    """The search: a spec and a state that fail, and attempts to make them smaller."""

    def __init__(self, spec: Any, states: States, over: float, tries: int) -> None:
        self.spec, self.states, self.over, self.left, self.tried = spec, states, over, tries, 0

    def fails(self, spec: Any, states: States) -> bool:
        """Whether the scene is off by more than the limit."""
        if self.left <= 0:
            return False
        self.left, self.tried = self.left - 1, self.tried + 1
        try:
            model = spec.compile()
            found = verdict(model, *state_in(model, states))
        except (ValueError, KeyError, EtalonError, mujoco.FatalError):
            # Without the part the scene is none: something refers to it.
            return False
        return found.word == "off" and found.distance is not None and found.distance[0] > self.over

    def take(self, spec: Any, states: States) -> bool:
        """Goes on from the scene if it fails, too."""
        if not self.fails(spec, states):
            return False
        self.spec, self.states = spec, states
        return True

    def delete_parts(self) -> bool:
        """Deletes each part that can go; whether one did."""
        went = False
        for kind in PARTS:
            for name in names(self.spec, kind):
                spec = self.spec.copy()
                part = find(spec, kind, name)
                if part is None:
                    continue
                spec.delete(part)
                went |= self.take(spec, self.states)
        return went

    def simplify(self) -> None:
        """Free joints become slides, geoms spheres, numbers short."""
        for name in names(self.spec, "joints"):
            self._to_slides(name)
        for name in names(self.spec, "geoms"):
            spec = self.spec.copy()
            geom = find(spec, "geoms", name)
            if geom.type in (mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_PLANE):
                continue
            geom.type, geom.size, geom.fromto = mujoco.mjtGeom.mjGEOM_SPHERE, [max(geom.size), 0, 0], [np.nan] * 6
            self.take(spec, self.states)
        for digits in (1, 2, 3, 4, 6, 8):
            for name in list(self.states):
                p, v = self.states[name]
                short = self.states | {name: (_rounded(p, digits), _rounded(v, digits))}
                self.take(self.spec, short)

    def _to_slides(self, name: str) -> None:
        """A free joint as three slides at the body's place and orientation."""
        spec = self.spec.copy()
        joint = find(spec, "joints", name)
        if joint is None or joint.type != mujoco.mjtJoint.mjJNT_FREE:
            return
        body, (p, v) = joint.parent, self.states[name]
        spec.delete(joint)
        body.pos, body.quat = p[:3], p[3:]
        states = dict(self.states)
        for at, axis in enumerate(np.eye(3)):
            slide = f"{name}_{'xyz'[at]}"
            body.add_joint(name=slide, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
            states[slide] = (np.zeros(1), v[at : at + 1])
        self.take(spec, states)


def verdict(model: Any, qpos: np.ndarray, qvel: np.ndarray) -> StepVerdict:
    """The verdict on `mj_forward` from a state, without a warm start."""
    data = cold(model, qpos, qvel)
    reason = obstacle(model, model.opt, data, LIMIT)
    if reason is not None:
        return StepVerdict("not judged", reason=reason)
    return judge_arrays(read(model, data), float(model.opt.timestep), TOL, (iterations(data.solver_niter), int(model.opt.iterations)))


def shrink(worst: Worst, over: float, tries: int) -> Shrunk:
    """The smallest scene found that is off by more than `over`, from the state before a worst step."""
    if worst.stage is not None:
        raise ArgumentError("a noslip stage does not shrink: without the solver before it there is no such problem")
    if worst.scene is None or worst.state is None:
        missing = "the scene" if worst.scene is None else "the state before the step"
        raise ArgumentError(f"shrinking needs {missing}: Judge(model, scene=FILE), judge.start(data) before the first step")
    start = time.perf_counter()
    data = mujoco.MjData(worst.model)
    mujoco.mj_setState(worst.model, data, worst.state, int(mujoco.mjtState.mjSTATE_INTEGRATION))
    spec = name_all(with_options(spec_of(worst.scene), worst.model))
    if is_staged(worst.model.opt):
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    model = spec.compile()
    search = _Search(spec, state_by_joint(model, data.qpos, data.qvel), over, tries)
    if not search.fails(spec, search.states):
        raise ArgumentError("the step is not off when the engine starts without its memory of the step before: nothing to shrink")
    while search.delete_parts():
        pass
    search.simplify()
    return _result(search, (worst.step.J.shape[1], worst.step.rows), start)


def _result(search: _Search, before: tuple[int, int], start: float) -> Shrunk:
    """The scene with its state as a key frame, read back from its own text."""
    spec = search.spec.copy()
    qpos, qvel = state_in(spec.compile(), search.states)
    spec.add_key(qpos=qpos, qvel=qvel)
    spec.compile()
    xml = spec.to_xml()
    model = mujoco.MjModel.from_xml_string(xml)
    data = cold(model, model.key_qpos[0], model.key_qvel[0])
    step, used = read(model, data).copy(), iterations(data.solver_niter)
    found = judge_arrays(step, float(model.opt.timestep), TOL, (used, int(model.opt.iterations)))
    after = (model.nv, step.rows)
    return Shrunk(xml, found, step, model, used, before, after, search.tried, time.perf_counter() - start)


def _rounded(values: np.ndarray, digits: int) -> np.ndarray:
    """The values to that many decimals; a quaternion is normalised by the engine."""
    return np.round(values, digits)
