"""Which steps can be judged, and why the others are not: the cases where the data after `mj_step` are another problem's."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ._read import ELLIPTIC, FRICTION, HAS_METRIC, Step, is_discrete

#: More degrees of freedom and rows together than this are not judged, unless the limit is raised.
LIMIT = 1000

#: Warnings of a state that the engine itself has given up: it resets.
_BAD = [int(getattr(mujoco.mjtWarning, name)) for name in ("mjWARN_BADQPOS", "mjWARN_BADQVEL", "mjWARN_BADQACC")]
_RK4 = int(mujoco.mjtIntegrator.mjINT_RK4)
#: Bits of versions that have them, else 0.
_IPC, _SLEEP = (int(getattr(mujoco.mjtEnableBit, name, 0)) for name in ("mjENBL_IPC", "mjENBL_SLEEP"))
_PYRAMIDAL = int(mujoco.mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL)
#: For each `efc_type`, whether its row has friction.
_HAS_FRICTION = np.zeros(ELLIPTIC + 1, dtype=bool)
_HAS_FRICTION[[*FRICTION, _PYRAMIDAL, ELLIPTIC]] = True
#: mjMINVAL of the engine.
_FLOOR = 1e-15
_FLEX = "flex metric: the solver's metric has the stiffness of flexes"


def is_staged(option: Any) -> bool:
    """Whether the integrator evaluates several stages (RK4): after the step the data are of the last one, `qacc` is not."""
    return bool(option.integrator == _RK4)


def resets(number: np.ndarray) -> int:
    """How often the engine found a state that is not finite, or too large, of the counts `data.warning.number`."""
    counts = number.tolist()
    return counts[_BAD[0]] + counts[_BAD[1]] + counts[_BAD[2]]


def resolves_friction(option: Any, data: Any) -> bool:
    """Whether friction was solved once more after the solver."""
    return bool(option.noslip_iterations > 0 and np.any(_HAS_FRICTION[data.efc_type]))


def obstacle(model: Any, option: Any, data: Any, limit: int, noslip: bool = False) -> str | None:
    """Why the constraint problem in `data` is not that of the plain solver; None where it is. Nothing is copied here.

    `noslip`: the stage that solves friction once more is judged as a problem of its own.
    """
    if not noslip and resolves_friction(option, data):
        return (
            "noslip: friction is solved once more without regularisation after the solver, whose answer is gone; "
            "`noslip` judges that stage alone"
        )
    if HAS_METRIC and data.efm_active:
        reason = _metric(model, data) if is_discrete(model) else _FLEX
        if reason:
            return reason
    flags = option.enableflags
    if flags & _IPC:
        return "IPC: contacts are barriers, not rows"
    if flags & _SLEEP and np.any(np.asarray(data.tree_asleep) >= 0):
        return "sleep: rows of sleeping trees are not there"
    if model.nv + data.nefc > limit:
        return f"size: {model.nv} degrees of freedom and {data.nefc} rows are more than the limit of {limit}"
    return None


def _metric(model: Any, data: Any) -> str | None:
    if data.nefmK or data.nefmcon or data.efm_active > 1 or (model.nflex and data.nefmdof):
        return _FLEX
    if np.any(data.efm_fluid):
        return "fluid metric: the solver's metric has the drag of the fluid"
    return None


def degenerate(data: Any, step: Step) -> str | None:
    """Why a distance would mean nothing: some R is at the engine's floor of 1e-15, which pyramids scale by 2 mu^2."""
    floor = np.full(len(step.R), _FLOOR)
    edges = np.flatnonzero(np.asarray(data.efc_type) == _PYRAMIDAL)
    if len(edges):
        mu = np.asarray(data.contact.friction)[np.asarray(data.efc_id)[edges], 0]
        floor[edges] *= np.maximum(1.0, 2.0 * mu**2)
    if np.any(step.R <= floor * (1 + 1e-9)):
        return "degenerate: R is at its floor, so that forces are almost without bound and a distance means nothing"
    return None


def flaw(step: Step) -> str | None:
    """Why the numbers of a step cannot be judged; None where they can."""
    if not step.is_finite:
        return "non-finite: a number of the problem or of the answer is infinite or no number"
    if step.rows and step.R.min() <= 0:
        return "degenerate: R is not positive in every row"
    return None
