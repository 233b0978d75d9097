"""The state before a step: kept, so that the step can be run again to the same bits."""

from __future__ import annotations

import copy
from typing import Any

import mujoco
import numpy as np

from ._read import Step

_ALL = int(mujoco.mjtState.mjSTATE_INTEGRATION)
_USER = int(mujoco.mjtState.mjSTATE_USER)


class Before:
    """The state before the last step: the state after the one before it, with the inputs that the last step was given.

    `mj_step` leaves controls, applied forces and the other inputs of the user as they are, so those found after a step are
    those of the step, even where they were set just before it.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._state = np.empty(mujoco.mj_stateSize(model, _ALL))
        self._inputs = np.empty(mujoco.mj_stateSize(model, _USER))
        self._scratch: Any = None
        self._time: float | None = None
        self._implicit: tuple[Any, Any] | None = None

    def keep(self, data: Any) -> None:
        """Keeps the state of `data`, for the next step."""
        mujoco.mj_getState(self._model, data, self._state, _ALL)
        self._time = data.time

    def precedes(self, data: Any) -> bool:
        """Whether the kept state is the one that the last step of `data` began with: one time step ago."""
        if self._time is None:
            return False
        return float(data.time) == self._time + self._model.opt.timestep

    def velocity(self) -> np.ndarray:
        """The velocity that was kept: time and positions stand before it in the state."""
        first = 1 + self._model.nq
        return self._state[first : first + self._model.nv].copy()

    def forward(self, data: Any) -> Any:
        """`mj_forward` at the kept state with the inputs of `data`, on data of its own."""
        scratch = self._copy(data)
        mujoco.mj_forward(self._model, scratch)
        return scratch

    def implicit(self, data: Any) -> tuple[Any, Any]:
        """A copy of the model with the integrator `implicit`, and the data of its step from the kept state."""
        if self._implicit is None:
            model = copy.copy(self._model)
            model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICIT
            self._implicit = (model, mujoco.MjData(model))
        model, scratch = self._implicit
        mujoco.mj_setState(model, scratch, self._state, _ALL)
        mujoco.mj_getState(self._model, data, self._inputs, _USER)
        mujoco.mj_setState(model, scratch, self._inputs, _USER)
        mujoco.mj_step(model, scratch)
        return model, scratch

    def state(self, data: Any) -> np.ndarray:
        """The integration state that the last step of `data` began with."""
        state = np.empty_like(self._state)
        mujoco.mj_getState(self._model, self._copy(data), state, _ALL)
        return state

    def _copy(self, data: Any) -> Any:
        if self._scratch is None:
            self._scratch = mujoco.MjData(self._model)
        mujoco.mj_setState(self._model, self._scratch, self._state, _ALL)
        mujoco.mj_getState(self._model, data, self._inputs, _USER)
        mujoco.mj_setState(self._model, self._scratch, self._inputs, _USER)
        return self._scratch


def replay(model: Any, state: np.ndarray) -> Any:
    """The data of `mj_forward` at an integration state, warm start included."""
    data = mujoco.MjData(model)
    mujoco.mj_setState(model, data, np.asarray(state, dtype=np.float64), _ALL)
    mujoco.mj_forward(model, data)
    return data


def cold(model: Any, qpos: np.ndarray, qvel: np.ndarray) -> Any:
    """The data of `mj_forward` at positions and velocities alone, as a key frame gives them."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = qpos, qvel
    mujoco.mj_forward(model, data)
    return data


def is_same(step: Step, data: Any) -> bool:
    """Whether data hold the same problem and answer as a step that was read, bit for bit."""
    pairs = [
        (step.acceleration, data.qacc),
        (step.force, data.efc_force),
        (step.target, data.efc_aref),
        (step.R, data.efc_R),
    ]
    return all(kept.tobytes() == np.asarray(now).tobytes() for kept, now in pairs)


def to_hex(state: np.ndarray) -> list[str]:
    """Numbers as hexadecimal floats, which lose nothing."""
    return [float(number).hex() for number in state]


def from_hex(state: list[str]) -> np.ndarray:
    """The numbers of `to_hex`."""
    return np.array([float.fromhex(number) for number in state])
