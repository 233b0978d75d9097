"""The update of the velocity after the constraint solver: a linear problem of its own, (M - h D)(v+ - v)/h = q + J'f.

D is the derivative of the smooth forces by the velocity: the damping of the joints (Euler), or `qDeriv` (implicit, implicitfast).
Where nothing is implicit, v+ = v + h `qacc`.

Where H = M - h D is not symmetric, the judge is given its symmetric part S and the force S a - (H a - q'), so that the residual is the
engine's own. With S positive definite |a - a*|_S <= |H a - q'|_(S^-1), since x'Hx = |x|_S^2: the upper bound is a proof, a lower one is not
claimed.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import mujoco
import numpy as np

from .. import _etalon
from ._read import HAS_METRIC, inertia, is_discrete, scattered
from ._record import sparse
from ._scope import _SLEEP, is_staged
from ._state import Before
from ._verdict import StepVerdict, not_judged

_EULER, _FAST = int(mujoco.mjtIntegrator.mjINT_EULER), int(mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
_FREE, _BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
_EXPLICIT, _DAMPER = (int(getattr(mujoco.mjtDisableBit, name, 0)) for name in ("mjDSBL_EULERDAMP", "mjDSBL_DAMPER"))
#: Beyond this the products in fractions take longer than anything else.
LIMIT = 200
#: What is taken off a scale in binary64, so that neither its rounding nor that of a badly conditioned H decides.
_MARGIN = 1e-3


def judge_velocity(model: Any, data: Any, before: np.ndarray, tol: float, state: Before | None = None) -> StepVerdict:
    """The verdict on the velocity that a step ended with; `before` is the velocity that it began with.

    `implicitfast` takes the derivative of gyroscopic forces of free bodies in some versions and not in others, and `qDeriv` does not tell: by either of both the
    step is right. That derivative comes from a step by `implicit` on a copy, of which `state` keeps the start.
    """
    reason = _obstacle(model, data)
    if reason is not None:
        return not_judged(reason)
    D, is_explicit = _derivative(model, data)
    verdict = _judged(model, data, before, tol, (D, is_explicit))
    turning = _turning(model, before)
    if verdict.word not in ("off", "undecided") or model.opt.integrator != _FAST or not turning:
        return verdict
    if state is not None:
        blocks = _derivative(*state.implicit(data))[0]
        with_gyroscopic = D.copy()
        for first, _ in turning:
            own = slice(first, first + 3)
            with_gyroscopic[own, own] = blocks[own, own]
        other = _judged(model, data, before, tol, (with_gyroscopic, False))
        if other or all(is_alone for _, is_alone in turning):
            return other if other else verdict
    return not_judged("implicitfast: which derivatives of gyroscopic forces it takes is not told, and bodies on free or ball joints turn")


def _turning(model: Any, velocity: np.ndarray) -> list[tuple[int, bool]]:
    """The first rotational degree of freedom of each free or ball joint that turns, and whether its body is alone and free."""
    found = []
    for joint in range(model.njnt):
        kind, first = int(model.jnt_type[joint]), int(model.jnt_dofadr[joint])
        if kind not in (_FREE, _BALL):
            continue
        first += 3 if kind == _FREE else 0
        tree = int(model.dof_treeid[first])
        if np.any(velocity[first : first + 3]):
            found.append((first, kind == _FREE and int(model.tree_dofnum[tree]) == 6 if hasattr(model, "tree_dofnum") else kind == _FREE))
    return found


def _judged(model: Any, data: Any, before: np.ndarray, tol: float, derivative: tuple[np.ndarray, bool]) -> StepVerdict:
    h = float(model.opt.timestep)
    M, (D, is_explicit) = inertia(model, data), derivative
    H = M - h * D
    answer, force = (data.qvel - before) / h, data.qfrc_smooth + data.qfrc_constraint
    if not all(np.isfinite(array).all() for array in (H, answer, force, data.qacc)):
        return not_judged("non-finite: a number of the problem or of the answer is infinite or no number")
    is_symmetric, S = bool((H == H.T).all()), (H + H.T) / 2
    if is_explicit:
        given = [str(own) for own in _product(M, data.qacc)]
    elif is_symmetric:
        given = force.tolist()
    else:
        residual = [own - Fraction(q) for own, q in zip(_product(H, answer), force.tolist(), strict=True)]
        given = [str(own - left) for own, left in zip(_product(S, answer), residual, strict=True)]
    # The judge's scale is the acceleration of this problem, which is noise where forces balance: what they balance counts, too.
    scale = _scale(S, answer, data.qfrc_smooth, data.qfrc_constraint)
    if scale is None:
        return not_judged("indefinite: M - h D has no positive symmetric part, and no norm to measure by")
    # The judge takes tolerances below 1; the interval is held against the larger one below.
    verdict = _judge(S, given, answer, h, min(tol * scale * (1 - _MARGIN), 0.5))
    return _scaled(verdict, scale, tol, is_symmetric or is_explicit)


def _obstacle(model: Any, data: Any) -> str | None:
    option = model.opt
    if is_staged(option):
        return "RK4: the velocity is a mean of stages"
    if is_discrete(model) or (HAS_METRIC and data.efm_active):
        return "the metric of the solver is that of the velocity, too"
    if option.enableflags & _SLEEP:
        return "sleep: velocities may be set to zero after the step"
    if option.disableflags & _DAMPER:
        return "dampers are disabled, and what remains of D is not told"
    poly = getattr(model, "dof_dampingpoly", None)
    if option.integrator == _EULER and poly is not None and np.any(poly):
        return "damping is a polynomial of the velocity"
    return f"size: {model.nv} degrees of freedom are more than {LIMIT}" if model.nv > LIMIT else None


def _derivative(model: Any, data: Any) -> tuple[np.ndarray, bool]:
    """D, and whether nothing of the velocity is implicit."""
    if model.opt.integrator == _EULER:
        damping = np.asarray(model.dof_damping)
        is_explicit = bool(model.opt.disableflags & _EXPLICIT) or not damping.any()
        return np.diag(np.where(is_explicit, 0.0, -damping)), is_explicit
    holder = model if hasattr(model, "D_rownnz") else data
    return scattered(model.nv, model.nv, data.qDeriv, holder.D_rownnz, holder.D_rowadr, holder.D_colind), False


def _product(matrix: np.ndarray, vector: np.ndarray) -> list[Fraction]:
    """A matrix times a vector, exactly."""
    found = [Fraction(0)] * len(vector)
    own = [Fraction(value) for value in np.asarray(vector, dtype=float).tolist()]
    for i, j in zip(*np.nonzero(matrix), strict=True):
        found[i] += Fraction(float(matrix[i, j])) * own[j]
    return found


def _scale(S: np.ndarray, answer: np.ndarray, smooth: np.ndarray, constraint: np.ndarray) -> float | None:
    """How much larger the largest of a, S^-1 smooth and S^-1 constraint is than a, in the norm of S and at least 1."""
    try:
        factor = np.linalg.cholesky(S)
    except np.linalg.LinAlgError:
        return None
    forces = np.linalg.solve(factor, np.stack([smooth, constraint], axis=1))
    # The judge's own scale is that of this problem's forces where they are larger than the answer.
    own = max(np.linalg.norm(factor.T @ answer), np.linalg.norm(np.linalg.solve(factor, smooth + constraint)))
    largest = max(own, *np.linalg.norm(forces, axis=0))
    return float(largest / own) if own > 0 else 1.0


def _judge(S: np.ndarray, force: list[Any], answer: np.ndarray, h: float, tol: float) -> dict[str, Any]:
    fields = {
        "format": "etalon-step/1", "name": "velocity", "engine": {"name": "mujoco", "version": mujoco.__version__},
        "model": "soft-convex", "h": h, "M": sparse(S), "force": force, "J": {"shape": [0, len(answer)], "entries": []},
        "R": [], "target": [], "sets": [], "answer": {"acceleration": answer.tolist(), "force": []},
    }  # fmt: skip
    return _etalon.judge_step(json.dumps(fields), level="A", tol=tol)[0]


def _scaled(found: dict[str, Any], scale: float, tol: float, is_interval: bool) -> StepVerdict:
    """The verdict in the larger scale, whose rounding a margin takes out of the decision."""
    if "distance" not in found:
        return StepVerdict(found["verdict"], reason=found.get("reason"))
    low, high = found["distance"]
    low, high = low / scale * (1 - _MARGIN) if is_interval else 0.0, high / scale * (1 + _MARGIN)
    energy = tuple(found["joule"]) if "joule" in found else None
    if found["verdict"] in ("exact", "accepted") or high <= tol:
        word = "exact" if found["verdict"] == "exact" else "accepted"
    else:
        word = "off" if low > tol else "undecided"
    return StepVerdict(word, (low, high), energy, None if word in ("exact", "accepted") else found.get("reason"), by=found.get("by", ""))
