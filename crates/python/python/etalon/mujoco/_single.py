"""Steps of MuJoCo in binary32: MJX and MuJoCo Warp, judged on their own arrays.

>>> judged = etalon.mujoco.judge_mjx(mjx_model, mjx_data)        # doctest: +SKIP
>>> judged = etalon.mujoco.judge_warp(warp_model, warp_data)     # doctest: +SKIP

The problem is that of `Step`. Both keep D = 1/R in place of R: the record has 1/D as a fraction, so that nothing is rounded. Rows
that no joint feels are padding there, and left out. Accepted is up to 1e-4, what binary32 is good for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from importlib.metadata import version
from typing import Any

import mujoco
import numpy as np

from .. import _etalon
from .._errors import ArgumentError
from ._read import _SET_OF, BOX, ELLIPTIC, NORMAL, TANGENT, Step, scattered
from ._record import sets, sparse
from ._verdict import StepVerdict, not_judged

_RK4 = int(mujoco.mjtIntegrator.mjINT_RK4)
#: Relative distance of an accepted step in binary32.
TOL = 1e-4
#: What each package calls a mass matrix, constraint rows and contacts.
_ROWS = ("J", "D", "aref", "force", "type", "frictionloss")


def judge_mjx(model: Any, data: Any, tol: float = TOL) -> StepVerdict:
    """The verdict on the step that MJX data hold after `mjx.forward` or `mjx.step`; `model` is MJX's."""
    from mujoco import mjx

    own = data._impl
    rows = {name: _array(getattr(own, "efc_" + name)) for name in _ROWS}
    contact = {name: _array(getattr(own.contact, name)) for name in ("efc_address", "dim", "friction")}
    free = {"M": _array(mjx.full_m(model, data)), "smooth": _array(data.qfrc_smooth), "acceleration": _array(data.qacc)}
    return _judge("mujoco-mjx", model.opt, rows, contact, free, tol)


def judge_warp(model: Any, data: Any, world: int = 0, tol: float = TOL) -> StepVerdict:
    """The verdict on a world of MuJoCo Warp, after `mujoco_warp.forward` or `mujoco_warp.step`; `model` is Warp's."""
    own, nv = data.efc, int(model.nv)
    count = int(_array(data.nefc).ravel()[world])
    rows = {name: _array(getattr(own, name))[world][:count] for name in _ROWS if name != "J"}
    rows["J"] = _warp_jacobian(own, world, count, nv)
    mine = np.flatnonzero(_array(data.contact.worldid)[: int(_array(data.nacon).ravel()[0])] == world)
    address, dim, friction = (_array(getattr(data.contact, name))[mine] for name in ("efc_address", "dim", "friction"))
    contact = {"efc_address": address.reshape(len(mine), -1)[:, 0], "dim": dim, "friction": friction}
    free = {
        "M": _warp_inertia(model, data, world, nv),
        "smooth": _array(data.qfrc_smooth)[world][:nv],
        "acceleration": _array(data.qacc)[world][:nv],
    }
    return _judge("mujoco-warp", model.opt, rows, contact, free, tol)


def _array(own: Any) -> np.ndarray:
    """As numpy has it; Warp's arrays have a method for that."""
    return np.asarray(own.numpy() if hasattr(own, "numpy") else own)


def _warp_jacobian(own: Any, world: int, count: int, nv: int) -> np.ndarray:
    J = _array(own.J)[world]
    if J.shape[0] < count or J.shape[-1] < nv:
        raise ArgumentError("the Jacobian is sparse: put the model with jacobian=dense")
    return J[:count, :nv]


def _warp_inertia(model: Any, data: Any, world: int, nv: int) -> np.ndarray:
    """M, dense: Warp has the lower triangle by rows."""
    rows = (_array(own) for own in (data.M[world], model.M_rownnz, model.M_rowadr, model.M_colind))
    lower = scattered(nv, nv, *rows)
    return lower + np.tril(lower, -1).T


def _judge(
    engine: str,
    option: Any,
    rows: Mapping[str, np.ndarray],
    contact: Mapping[str, np.ndarray],
    free: Mapping[str, np.ndarray],
    tol: float,
) -> StepVerdict:
    if int(option.integrator) == _RK4:
        return not_judged("RK4: after a step the rows are of the last stage, and qacc is not")
    fields = record_single(engine, float(np.asarray(_array(option.timestep)).ravel()[0]), rows, contact, free)
    if fields is None:
        return not_judged("non-finite: a number of the problem or of the answer is infinite or no number")
    found = _etalon.judge_step(json.dumps(fields), level="A", tol=tol)[0]
    distance, energy = (tuple(found[key]) if key in found else None for key in ("distance", "joule"))
    flags = tuple(found.get("flags", ()))
    return StepVerdict(found["verdict"], distance, energy, found.get("reason"), flags, found.get("worst_row"), found.get("by", ""))


def record_single(
    engine: str,
    h: float,
    rows: Mapping[str, np.ndarray],
    contact: Mapping[str, np.ndarray],
    free: Mapping[str, np.ndarray],
) -> dict[str, Any] | None:
    """The record of a step in binary32; None where a number is not finite."""
    kinds = _SET_OF[rows["type"].astype(int)]
    parameter = np.where(kinds == BOX, rows["frictionloss"], 0).astype(float)
    keep = rows["J"].any(axis=1)
    for first, dim, friction in zip(contact["efc_address"], contact["dim"], contact["friction"], strict=True):
        if 0 <= first < len(kinds) and kinds[first] == NORMAL and rows["type"][first] == ELLIPTIC:
            own = slice(first + 1, first + dim)
            kinds[own], parameter[own] = TANGENT, friction[: dim - 1]
            keep[first : first + dim] = keep[first : first + dim].any()
    wide = {name: rows[name][keep].astype(float) for name in ("J", "D", "aref", "force")}
    own = {name: array.astype(float) for name, array in free.items()}
    if not all(np.isfinite(array).all() for array in (*wide.values(), *own.values())) or not (wide["D"] > 0).all():
        return None
    step = Step(
        own["M"], wide["J"], wide["D"], wide["aref"], own["smooth"], own["acceleration"], wide["force"], kinds[keep], parameter[keep]
    )
    return {
        "format": "etalon-step/1",
        "name": engine,
        "engine": {"name": engine, "version": version(engine)},
        "precision": "f32",
        "model": "soft-convex",
        "h": h,
        "M": sparse(step.M),
        "force": step.smooth.tolist(),
        "J": sparse(step.J),
        "R": [str(1 / Fraction(own)) for own in step.R.tolist()],
        "target": step.target.tolist(),
        "sets": sets(step),
        "answer": {"acceleration": step.acceleration.tolist(), "force": step.force.tolist()},
    }
