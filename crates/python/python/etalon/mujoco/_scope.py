"""Which steps can be judged, and why the others are not: the cases where the data after `mj_step` are another problem's."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ._read import Step, is_discrete

#: More degrees of freedom and rows together than this are not judged, unless the limit is raised.
LIMIT = 1000

#: Bodies of a state that the engine itself has given up: it warns and resets.
_BAD = [int(getattr(mujoco.mjtWarning, name)) for name in ("mjWARN_BADQPOS", "mjWARN_BADQVEL", "mjWARN_BADQACC")]


def is_staged(model: Any) -> bool:
    """Whether the integrator evaluates several stages (RK4): after the step the data are of the last one, `qacc` is not."""
    return model.opt.integrator == int(mujoco.mjtIntegrator.mjINT_RK4)


def resets(data: Any) -> int:
    """How often the engine found a state that is not finite, or too large."""
    return sum(int(data.warning[kind].number) for kind in _BAD)


def obstacle(model: Any, data: Any, limit: int) -> str | None:
    """Why the constraint problem in `data` is not that of the plain solver; None where it is. Nothing is copied here."""
    if model.opt.noslip_iterations > 0 and data.nefc:
        return "noslip: friction is solved once more without regularisation after the solver, whose answer is gone"
    if is_discrete(model) and data.efm_active:
        reason = _metric(model, data)
        if reason:
            return reason
    elif getattr(data, "efm_active", 0):
        return "flex metric: the solver's metric has the stiffness of flexes"
    if _flag(model, "mjENBL_IPC"):
        return "IPC: contacts are barriers, not rows"
    if _flag(model, "mjENBL_SLEEP") and np.any(np.asarray(data.tree_asleep) >= 0):
        return "sleep: rows of sleeping trees are not there"
    if model.nv + data.nefc > limit:
        return f"size: {model.nv} degrees of freedom and {data.nefc} rows are more than the limit of {limit}"
    return None


def _flag(model: Any, name: str) -> bool:
    bit = getattr(mujoco.mjtEnableBit, name, None)
    return bit is not None and bool(model.opt.enableflags & int(bit))


def _metric(model: Any, data: Any) -> str | None:
    if data.nefmK or data.nefmcon or data.efm_active > 1 or (model.nflex and data.nefmdof):
        return "flex metric: the solver's metric has the stiffness of flexes"
    if np.any(data.efm_fluid):
        return "fluid metric: the solver's metric has the drag of the fluid"
    return None


def flaw(step: Step) -> str | None:
    """Why the numbers of a step cannot be judged; None where they can."""
    if not step.is_finite:
        return "non-finite: a number of the problem or of the answer is infinite or no number"
    if step.rows and step.R.min() <= 0:
        return "degenerate: R is not positive in every row"
    return None
