"""A failing step as files: the scene, the record, and lines of Python that need mujoco and numpy only."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from ._noslip import FLAG as NOSLIP
from ._read import Step, iterations, read
from ._scene import is_text, spec_of, with_options
from ._state import cold, is_same, replay, to_hex
from ._verdict import StepVerdict, judge_arrays

if TYPE_CHECKING:
    from ._worst import Worst

#: The script. The objective is what the engine says that it minimises, by its own functions: a lower value is a proof.
SCRIPT = '''\
# MuJoCo {version}, {solver}: {summary}
# Needs mujoco and numpy, and {scene} beside it.
import mujoco, numpy as np
m = mujoco.MjModel.{load}("{scene}"); d = mujoco.MjData(m)
{start}
mujoco.mj_forward(m, d)
exact = np.array({exact})  # acceleration, {proof}
def objective(a):  # of the solver: |a - qacc_smooth|^2/2 in the norm of M, and the cost of the constraints
    rows, cost, difference, product = np.zeros(d.nefc), np.zeros(1), a - d.qacc_smooth, np.zeros(m.nv)
    mujoco.mj_mulM(m, d, product, difference); mujoco.mj_mulJacVec(m, d, rows, a)
    mujoco.mj_constraintUpdate(m, d, rows - d.efc_aref, cost, 0)
    return difference @ product / 2 + cost[0], np.array(d.efc_force)
print("engine: force", np.array(d.efc_force), "objective", objective(np.array(d.qacc))[0], "iterations", d.solver_niter[0])
print("exact:  force", objective(exact)[1], "objective", objective(exact)[0])
'''


@dataclass(frozen=True)
class Evidence:
    """What a failing step is saved from."""

    #: The record of the step.
    record: dict[str, Any]
    #: The exact verdict.
    exact: StepVerdict
    #: The model.
    model: Any
    #: The scene as MJCF, where it is at hand.
    xml: str | None
    #: The integration state before the step; None for key frame 0 of the scene.
    state: np.ndarray | None


def save(worst: Worst, stem: Path) -> list[Path]:
    """Writes a worst step; the scene's text where that gives the step again bit for bit, else the compiled model."""
    xml = next((text for text in _texts(worst) if _repeats(text, worst.step, worst.state)), None)
    return write(Evidence(worst.record(), worst.exact(), worst.model, xml, worst.state), stem)


def _texts(worst: Worst) -> Iterator[str]:
    """The scene as it was given, and with the options of the model and the folders of its meshes."""
    if worst.scene is None:
        return
    own = worst.scene
    yield own if is_text(own) else Path(own).read_text(encoding="utf-8", errors="replace")
    if hasattr(mujoco, "MjSpec"):
        spec = with_options(spec_of(own), worst.model)
        spec.compile()
        yield spec.to_xml()


def _repeats(xml: str, step: Step, state: np.ndarray | None) -> bool:
    """Whether a scene's text gives the step again, bit for bit."""
    if state is None:
        return False
    try:
        model = mujoco.MjModel.from_xml_string(xml)
    except ValueError:
        return False
    fits = len(state) == mujoco.mj_stateSize(model, int(mujoco.mjtState.mjSTATE_INTEGRATION))
    return fits and is_same(step, replay(model, state))


def write(evidence: Evidence, stem: Path) -> list[Path]:
    """Writes STEM.xml (or STEM.mjb), STEM.json and, but of a noslip stage, STEM.py."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    scene = stem.with_suffix(".mjb" if evidence.xml is None else ".xml")
    if evidence.xml is None:
        mujoco.mj_saveModel(evidence.model, str(scene), None)
    else:
        scene.write_text(evidence.xml, encoding="utf-8")
    script, log = stem.with_suffix(".py"), stem.with_suffix(".json")
    how = evidence.record.get("replay", {}) | {"scene": scene.name}
    files = [scene, log]
    if NOSLIP not in evidence.exact.flags:
        script.write_text(_script(evidence, scene.name), encoding="utf-8")
        how["command"] = f"python {script.name}"
        files.append(script)
    verdict = {key: value for key, value in asdict(evidence.exact).items() if value is not None}
    record = evidence.record | {"replay": how | {"verdict": verdict}}
    log.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return files


def _script(evidence: Evidence, scene: str) -> str:
    own = evidence.record["engine"]["settings"]
    start = "mujoco.mj_resetDataKeyframe(m, d, 0)"
    if evidence.state is not None:
        numbers = " ".join(to_hex(evidence.state))
        start = f'state = np.array([float.fromhex(word) for word in "{numbers}".split()])\n'
        start += "mujoco.mj_setState(m, d, state, int(mujoco.mjtState.mjSTATE_INTEGRATION))"
    acceleration, proof = right_answer(evidence)
    return SCRIPT.format(
        version=mujoco.__version__,
        solver=f"{own['solver']}, {own['cone']} cones",
        summary=str(evidence.exact),
        scene=scene,
        load="from_xml_path" if scene.endswith(".xml") else "from_binary_path",
        start=start,
        exact=acceleration.tolist(),
        proof=proof,
    )


def right_answer(evidence: Evidence) -> tuple[np.ndarray, str]:
    """An acceleration that is right, and what is proved of it: the engine's own Newton method without a tolerance, judged."""
    model = copy.copy(evidence.model)
    model.opt.solver, model.opt.tolerance = int(mujoco.mjtSolver.mjSOL_NEWTON), 0.0
    model.opt.iterations, model.opt.ls_iterations = 1000, 1000
    if evidence.state is None:
        data = cold(model, model.key_qpos[0], model.key_qvel[0])
    else:
        data = replay(model, evidence.state)
    limits = (iterations(data.solver_niter), int(model.opt.iterations))
    found = judge_arrays(read(model, data), float(model.opt.timestep), 1e-6, limits)
    bound = found.distance[1] if found.distance else float("inf")
    return np.array(data.qacc), f"proved to be within {bound:.1e} of the exact one"
