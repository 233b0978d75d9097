"""The worst step of a run, with all that is needed to run it again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ._read import Step
from ._noslip import judge_stage
from ._record import record
from ._save import save
from ._shrink import Shrunk, shrink
from ._state import is_same, replay, to_hex
from ._verdict import StepVerdict, judge_arrays


@dataclass
class Worst:
    """The step that is farthest off, with all that is needed to run it again."""

    #: The number of the step, from 0, and the time after it.
    index: int
    time: float
    #: Its verdict.
    verdict: StepVerdict
    #: The constraint problem and the engine's answer.
    step: Step
    #: The model, with the options of that step.
    model: Any
    #: The iterations that the solver used, and where it may stop: see `Step.stop_gap`.
    iterations: int
    stop_gap: float
    #: What the worst row belongs to, in words.
    blame: str
    #: The integration state before the step; None where it is not known.
    state: np.ndarray | None
    #: The scene's MJCF, where the judge was given it.
    scene: str | Path | None = None
    #: Of a step whose noslip stage was judged: the record of that, and for each of its rows one of the engine's.
    stage: tuple[dict[str, Any], list[int]] | None = None

    @cached_property
    def replayed(self) -> bool:
        """Whether the state gives the same problem and the same answer again, bit for bit."""
        return self.state is not None and is_same(self.step, replay(self.model, self.state))

    def record(self) -> dict[str, Any]:
        """The step as a record of `etalon-step/1`."""
        how = None
        if self.state is not None:
            how = {"state": to_hex(self.state), "signature": "mjSTATE_INTEGRATION", "bit_equal": self.replayed}
        name = f"{self.model_name}/{self.index}"
        if self.stage is not None:
            return self.stage[0] | {"name": name} | ({} if how is None else {"replay": how})
        return record(self.step, name, self.model, self.iterations, how, self.stop_gap)

    @property
    def model_name(self) -> str:
        """The name of the model."""
        return bytes(self.model.names).split(b"\0", 1)[0].decode(errors="replace") or "model"

    def exact(self, tol: float = 1e-5) -> StepVerdict:
        """The verdict once more, by exact arithmetic where the bound in binary64 had decided."""
        if self.stage is not None:
            return judge_stage(*self.stage, tol, full=True)
        limit = int(self.model.opt.iterations)
        return judge_arrays(self.step, float(self.model.opt.timestep), tol, (self.iterations, limit), True, self.stop_gap)

    def save(self, stem: str | Path) -> list[Path]:
        """Writes STEM.xml, STEM.json and STEM.py: the scene, the step, and lines that run it with mujoco and numpy alone.

        Of a noslip stage there is no STEM.py: the engine has no function for its objective.
        """
        return save(self, Path(stem))

    def shrink(self, over: float | None = None, tries: int = 400) -> Shrunk:
        """The smallest scene found by deletion that is still off by more than `over` (default: the tolerance)."""
        return shrink(self, 1e-5 if over is None else over, tries)
