"""A step as a record of `etalon-step/1`, in generalised form."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ._read import BOX, EQUALITY, FREE, FRICTION, LIMITS, NONNEGATIVE, TANGENT, Step

SOLVERS = {int(getattr(mujoco.mjtSolver, "mjSOL_" + name)): name for name in ("PGS", "CG", "NEWTON")}
CONES = {int(getattr(mujoco.mjtCone, "mjCONE_" + name)): name.lower() for name in ("PYRAMIDAL", "ELLIPTIC")}
INTEGRATORS = {
    int(getattr(mujoco.mjtIntegrator, "mjINT_" + name)): name if name == "RK4" else name.lower()
    for name in ("EULER", "RK4", "IMPLICIT", "IMPLICITFAST", "DISCRETE")
    if hasattr(mujoco.mjtIntegrator, "mjINT_" + name)
}


def settings(model: Any) -> dict[str, Any]:
    """The settings that decide on the answer, by the words of MJCF."""
    option = model.opt
    return {
        "solver": SOLVERS[int(option.solver)].lower(),
        "cone": CONES[int(option.cone)],
        "integrator": INTEGRATORS[int(option.integrator)],
        "iterations": int(option.iterations),
        "tolerance": float(option.tolerance),
        "impratio": float(option.impratio),
        "noslip_iterations": int(option.noslip_iterations),
    }


def record(
    step: Step,
    name: str,
    model: Any,
    iterations: int,
    replay: dict[str, Any] | None = None,
    stop_gap: float | None = None,
) -> dict[str, Any]:
    """The step as a dict that `json.dumps` writes: binary64 numbers stand as they are. `stop_gap`: see `Step.stop_gap`."""
    fields: dict[str, Any] = {
        "format": "etalon-step/1",
        "name": name,
        "engine": {"name": "mujoco", "version": mujoco.__version__, "settings": settings(model)},
        "precision": "f64",
        "model": "soft-convex",
        "h": float(model.opt.timestep),
        "quantity": "acceleration",
        "M": sparse(step.M),
        "force": step.smooth.tolist(),
        "J": sparse(step.J),
        "R": step.R.tolist(),
        "target": step.target.tolist(),
        "sets": sets(step),
        "answer": {
            "acceleration": step.acceleration.tolist(),
            "force": step.force.tolist(),
            "iterations": iterations,
            "iteration_limit": int(model.opt.iterations),
        },
    }
    if stop_gap is not None:
        fields["answer"]["stop_gap"] = stop_gap
    if replay is not None:
        fields["replay"] = replay
    return fields


def sparse(matrix: np.ndarray) -> dict[str, Any]:
    """A matrix by its entries that are not zero."""
    entries = [[int(i), int(j), float(matrix[i, j])] for i, j in zip(*np.nonzero(matrix), strict=True)]
    return {"shape": list(matrix.shape), "entries": entries}


def sets(step: Step) -> list[dict[str, Any]]:
    """The sets of the forces: every row belongs to exactly one."""
    found: list[dict[str, Any]] = []
    for start, end in _runs(step.kinds):
        kind, parameter = int(step.kinds[start]), step.parameter[start:end].tolist()
        if kind == FREE:
            # A range, unlike the lists of the other kinds.
            found.append({"kind": "equality", "rows": [start, end]})
        elif kind == BOX:
            found.append({"kind": "box", "rows": list(range(start, end)), "bound": parameter})
        elif kind == NONNEGATIVE:
            found.append({"kind": "nonnegative", "rows": list(range(start, end))})
        elif kind == TANGENT:
            found.append({"kind": "cone", "first": start - 1, "mu": parameter})
    return found


def _runs(kinds: np.ndarray) -> list[tuple[int, int]]:
    """The ranges of rows of one kind."""
    cuts = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    return [(start, end) for start, end in zip(cuts, cuts[1:], strict=False) if start < end]


def place(model: Any, data: Any, row: int) -> str:
    """What a row belongs to, in words: bodies of a contact, a joint, a tendon, an equality."""
    kind, own = int(data.efc_type[row]), int(data.efc_id[row])
    if kind == EQUALITY:
        return f"equality {_name(model, 'mjOBJ_EQUALITY', own)}"
    if kind in (FRICTION[0], LIMITS[0]):
        # Friction loss names the degree of freedom, a limit the joint.
        joint = int(model.dof_jntid[own]) if kind == FRICTION[0] else own
        what = "friction loss of" if kind == FRICTION[0] else "limit of"
        return f"{what} joint {_name(model, 'mjOBJ_JOINT', joint)}"
    if kind in (FRICTION[1], LIMITS[1]):
        what = "friction loss of" if kind == FRICTION[1] else "limit of"
        return f"{what} tendon {_name(model, 'mjOBJ_TENDON', own)}"
    geoms = [int(geom) for geom in data.contact[own].geom]
    bodies = [_name(model, "mjOBJ_BODY", int(model.geom_bodyid[geom])) if geom >= 0 else "a flex" for geom in geoms]
    return f"contact of {bodies[0]} and {bodies[1]}"


def _name(model: Any, kind: str, index: int) -> str:
    name = mujoco.mj_id2name(model, int(getattr(mujoco.mjtObj, kind)), index)
    return name or f"{kind.removeprefix('mjOBJ_').lower()} {index}"
