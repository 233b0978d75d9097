"""The problem of a step as `mjData` has it after `mj_step`: read, copied, and named, for MuJoCo 3.1 to 4.x."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import mujoco
import numpy as np

#: `efc_type` of a row: equality, then friction loss of joints and tendons, then limits; all further ones are contacts.
EQUALITY = int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
FRICTION = (int(mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF), int(mujoco.mjtConstraint.mjCNSTR_FRICTION_TENDON))
LIMITS = (int(mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT), int(mujoco.mjtConstraint.mjCNSTR_LIMIT_TENDON))
ELLIPTIC = int(mujoco.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)

#: What the judge has for a row: w = 0; |f| <= parameter; 0 <= f, w; the normal row of a cone; a further row of it, with
#: its friction coefficient as the parameter.
FREE, BOX, NONNEGATIVE, NORMAL, TANGENT = range(5)
_SET_OF = np.full(ELLIPTIC + 1, NONNEGATIVE, dtype=np.int32)
_SET_OF[EQUALITY], _SET_OF[list(FRICTION)], _SET_OF[ELLIPTIC] = FREE, BOX, NORMAL


#: No integrator has -1.
_DISCRETE = int(getattr(mujoco.mjtIntegrator, "mjINT_DISCRETE", -1))
#: Whether there are metrics beside M (3.17 and later).
HAS_METRIC = hasattr(mujoco.MjData, "efm_active")
_CONE = int(mujoco.mjtCone.mjCONE_ELLIPTIC)


#: The arrays of a `Step`, in the order of its fields.
Arrays = tuple[np.ndarray, ...]


@dataclass(slots=True)
class Step:
    """The constraint problem of a step, and the engine's answer to it.

    M a - J'f = q and w = J a + R f - r, where f is in its sets and w in their duals; nv degrees of freedom, nefc rows.
    """

    #: Inertia in the metric of the solver, (nv, nv).
    M: np.ndarray
    #: Jacobian of the rows, (nefc, nv).
    J: np.ndarray
    #: Regularisation of the rows, `efc_R`, (nefc,).
    R: np.ndarray
    #: Target acceleration of the rows, `efc_aref`, (nefc,).
    target: np.ndarray
    #: Smooth force q, `qfrc_smooth`, (nv,).
    smooth: np.ndarray
    #: The engine's acceleration, `qacc`, (nv,).
    acceleration: np.ndarray
    #: The engine's force, `efc_force`, (nefc,).
    force: np.ndarray
    #: The set of each row: FREE, BOX, NONNEGATIVE, NORMAL or TANGENT, int32 (nefc,).
    kinds: np.ndarray
    #: The parameter of each row's set: the bound of a box, the friction coefficient of a tangent, else 0, (nefc,).
    parameter: np.ndarray

    @property
    def rows(self) -> int:
        """The number of rows, nefc."""
        return len(self.R)

    @property
    def unfelt(self) -> np.ndarray:
        """The rows that no joint can feel: J is zero there, and the force is r/R whatever moves."""
        return np.flatnonzero(~self.J.any(axis=1))

    def stop_gap(self, model: Any, data: Any) -> float:
        """How far the engine may stop above the minimum of its objective, in the unit of a'Ma.

        `tolerance` is relative to the mean inertia at the reference position times nv; a solver of islands takes the trace of M.
        """
        inertia = float(model.stat.meaninertia) * max(1, int(model.nv))
        if getattr(data, "nisland", 0):
            inertia = min(inertia, float(self.M.trace()))
        return float(model.opt.tolerance) * inertia

    @property
    def is_finite(self) -> bool:
        """Whether every number of the problem and the answer is finite."""
        arrays = (self.M, self.J, self.R, self.target, self.smooth, self.acceleration, self.force, self.parameter)
        return all(np.isfinite(array).all() for array in arrays)

    @property
    def arrays(self) -> Arrays:
        """All arrays, in the order of the fields."""
        return tuple(getattr(self, field.name) for field in fields(self))

    def copy(self) -> Step:
        """The step in memory of its own: the engine reuses the one that `read` looks at."""
        return Step(*(array.copy() for array in self.arrays))


def read(model: Any, data: Any) -> Step:
    """The problem and the answer that `data` holds; most arrays are the engine's own memory, until the next step.

    With the integrator `discrete` (3.17 and later) M and q are those of its metric: see `metric`.
    """
    return Step(*read_arrays(model, model.opt, data))


def read_arrays(model: Any, option: Any, data: Any) -> Arrays:
    """As `read`, without the names; `option` is the model's."""
    M, smooth = metric(model, data)
    kinds, parameter = sets(option, data)
    return (M, jacobian(model, data), data.efc_R, data.efc_aref, smooth, data.qacc, data.efc_force, kinds, parameter)


def sets(option: Any, data: Any) -> tuple[np.ndarray, np.ndarray]:
    """The set of each row and its parameter, by the model's options."""
    kind = data.efc_type
    kinds, parameter = _SET_OF.take(kind), data.efc_frictionloss
    if option.cone != _CONE:
        return kinds, parameter
    contact, parameter = data.contact, np.array(parameter)
    first, dim, friction = contact.efc_address, contact.dim, contact.friction
    own = first >= 0
    own[own] = kind[first[own]] == ELLIPTIC
    further = np.arange(friction.shape[1])
    contacts, offsets = np.nonzero(own[:, None] & (further < dim[:, None] - 1))
    rows = first[contacts] + 1 + offsets
    kinds[rows], parameter[rows] = TANGENT, friction[contacts, offsets]
    return kinds, parameter


def inertia(model: Any, data: Any) -> np.ndarray:
    """The joint-space inertia, (nv, nv): `mj_fullM` under either of its signatures (3.x takes `qM`, 4.x the data)."""
    nv = model.nv
    M = np.zeros((nv, nv))
    if nv == 0:
        return M
    try:
        mujoco.mj_fullM(model, data, M)
    except TypeError:
        mujoco.mj_fullM(model, M, data.qM)
    return M


def jacobian(model: Any, data: Any) -> np.ndarray:
    """The rows of `efc_J`, (nefc, nv), whether the engine stores them dense or sparse."""
    nefc, nv = data.nefc, model.nv
    if nefc == 0 or not mujoco.mj_isSparse(model):
        # The engine may have counted rows that it then left out: the array is longer than they are.
        flat = data.efc_J
        if flat.size != nefc * nv:
            flat = flat.ravel()[: nefc * nv]
        return flat.reshape(nefc, nv)
    return scattered(nefc, nv, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind)


def scattered(rows: int, columns: int, value: Any, count: Any, start: Any, column: Any) -> np.ndarray:
    """Compressed rows as a dense matrix."""
    dense = np.zeros((rows, columns))
    count = count[:rows]
    ends = np.cumsum(count)
    total = int(ends[-1]) if rows else 0
    # Where each entry is: its place within its row, from the start of the row.
    places = np.arange(total) + np.repeat(start[:rows] - (ends - count), count)
    dense[np.repeat(np.arange(rows), count), column.ravel()[places]] = value.ravel()[places]
    return dense


def metric(model: Any, data: Any) -> tuple[np.ndarray, np.ndarray]:
    """The inertia and the smooth force of the solver: M and `qfrc_smooth`, or with the integrator `discrete`
    M + diag(efm_diag) + sum efm_ts J_t'J_t + sum efm_as m_a m_a' over tendons and actuators, and qfrc_smooth + efm_c + efm_ca.

    The scales stand in the order of the lists efm_tid and efm_aid, not by the ids in them.
    """
    M, smooth = inertia(model, data), data.qfrc_smooth
    if not (HAS_METRIC and data.efm_active and is_discrete(model)):
        return M, smooth
    M[np.diag_indices(model.nv)] += data.efm_diag
    if data.nefmT:
        tendons = tendon_rows(model, data)
        for tendon, scale in zip(data.efm_tid[: data.nefmT], data.efm_ts, strict=False):
            M += scale * np.outer(tendons[tendon], tendons[tendon])
    if data.nefmA:
        moments = scattered(
            model.nu, model.nv, data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind
        )
        for actuator, scale in zip(data.efm_aid[: data.nefmA], data.efm_as, strict=False):
            M += scale * np.outer(moments[actuator], moments[actuator])
    return M, smooth + data.efm_c + data.efm_ca


def tendon_rows(model: Any, data: Any) -> np.ndarray:
    """The tendons' Jacobian, (ntendon, nv), dense or sparse."""
    if np.ndim(data.ten_J) == 2:
        return np.array(data.ten_J)
    holder = model if hasattr(model, "ten_J_rownnz") else data
    return scattered(
        model.ntendon, model.nv, data.ten_J, holder.ten_J_rownnz, holder.ten_J_rowadr, holder.ten_J_colind
    )


def is_discrete(model: Any) -> bool:
    """Whether the integrator solves in its own metric (`discrete`, since 3.17)."""
    return bool(model.opt.integrator == _DISCRETE)


def iterations(counts: Any) -> int:
    """The iterations of the solver in the island that took the most, of `data.solver_niter`."""
    return max(counts.tolist(), default=0)
