"""Scenes as `MjSpec`, with the options of a model and a name for everything, so that a part can be found in a copy."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from .._errors import ArgumentError

#: Options of a model that a scene takes over: those that decide on the answer of a step.
_OPTIONS = (
    "timestep", "impratio", "gravity", "wind", "magnetic", "density", "viscosity", "o_margin", "o_solref", "o_solimp",
    "o_friction", "integrator", "cone", "jacobian", "solver", "iterations", "tolerance", "ls_iterations", "ls_tolerance",
    "noslip_iterations", "noslip_tolerance", "ccd_iterations", "ccd_tolerance", "disableflags", "enableflags",
)  # fmt: skip
#: The lists of a spec whose parts may go, and where there is nothing to lose the whole body.
PARTS = ("bodies", "equalities", "tendons", "actuators", "sensors", "excludes", "pairs", "flexes", "joints", "geoms", "sites")


def spec_of(scene: str | Path) -> Any:
    """The spec of a scene's file, or of its text. Meshes and textures keep their folder."""
    if not hasattr(mujoco, "MjSpec") or not hasattr(mujoco.MjSpec, "delete"):
        raise ArgumentError(f"MuJoCo {mujoco.__version__} cannot take scenes apart: MjSpec.delete came with 3.3")
    if is_text(scene):
        return mujoco.MjSpec.from_string(scene)
    spec = mujoco.MjSpec.from_file(str(scene))
    folder = os.path.dirname(os.path.abspath(scene))
    for name in ("meshdir", "texturedir"):
        setattr(spec, name, os.path.join(folder, getattr(spec, name) or ""))
    return spec


def is_text(scene: str | Path) -> bool:
    """Whether this is MJCF itself and not the name of a file."""
    return isinstance(scene, str) and scene.lstrip().startswith("<")


def with_options(spec: Any, model: Any) -> Any:
    """The spec with the options of a model; its key frames go."""
    for name in _OPTIONS:
        if hasattr(spec.option, name) and hasattr(model.opt, name):
            value = getattr(model.opt, name)
            setattr(spec.option, name, np.array(value) if isinstance(value, np.ndarray) else value)
    for key in list(spec.keys):
        spec.delete(key)
    return spec


def name_all(spec: Any) -> Any:
    """The spec where each part that may go has a name."""
    for kind in PARTS:
        for at, part in enumerate(getattr(spec, kind)):
            if not part.name:
                part.name = f"{kind}_{at}"
    return spec


def names(spec: Any, kind: str) -> list[str]:
    """The names of the parts of a kind, the world aside."""
    return [part.name for part in getattr(spec, kind) if part.name != "world"]


def find(spec: Any, kind: str, name: str) -> Any:
    """The part of that name; None where it has gone with another."""
    return next((part for part in getattr(spec, kind) if part.name == name), None)


def state_by_joint(model: Any, qpos: np.ndarray, qvel: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Positions and velocities by the joint's name."""
    found = {}
    for j in range(model.njnt):
        joint = model.joint(j)
        p, v = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
        free = int(model.jnt_type[j])
        positions, velocities = {0: (7, 6), 1: (4, 3)}.get(free, (1, 1))
        found[joint.name] = (np.array(qpos[p : p + positions]), np.array(qvel[v : v + velocities]))
    return found


def state_in(model: Any, states: dict[str, tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """The positions and velocities of a model whose joints are among those of `states`."""
    qpos, qvel = np.array(model.qpos0), np.zeros(model.nv)
    for j in range(model.njnt):
        positions, velocities = states[model.joint(j).name]
        p, v = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
        qpos[p : p + len(positions)], qvel[v : v + len(velocities)] = positions, velocities
    return qpos, qvel
