"""The hook after `mj_step`."""

from __future__ import annotations

import copy
import json
import time
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

from .._errors import EtalonError
from ._read import Arrays, Step, iterations, read_arrays
from ._noslip import judge_stage, stage
from ._record import place, settings
from ._scope import LIMIT, degenerate, flaw, is_staged, obstacle, resets, resolves_friction
from ._state import Before, is_same
from ._tally import Tally, summary, table
from ._velocity import judge_velocity
from ._verdict import StepVerdict, by_bound, judge_arrays, not_judged
from ._worst import Worst


class StepError(EtalonError):
    """A step has a verdict that `raise_on` names."""


class Judge:
    """Judges the steps of a model: call it with the data after each `mj_step`.

    Parameters
    ----------
    model : mujoco.MjModel
        Options may change between steps; each choice of solver, cone and integrator gets a line of the table.
    tol : float
        Relative distance up to which a step is accepted, in the norm of M: see `StepVerdict.distance`.
    every : int
        Judge every k-th step only.
    raise_on : str or collection of str
        Words, such as "off", that raise `StepError`.
    scene : str or Path
        The file, or the text, of the MJCF that the model comes from: `worst.save` and `worst.shrink` start from it.
    limit : int
        Steps with more degrees of freedom and rows together are not judged.
    velocity : bool
        Judge the update of the velocity, too, by a verdict of its own: (M - h D)(v+ - v)/h = q + J'f, where D is the damping of Euler's
        method, or the derivative that `implicit` and `implicitfast` use.
    noslip : bool
        Where `noslip_iterations` is set, judge the stage that solves friction once more, at the normal forces of the solver before
        it, as a problem of its own. That solver's answer is gone, so without this such steps are not judged.

    Examples
    --------
    >>> judge = etalon.mujoco.Judge(model)                # doctest: +SKIP
    >>> mujoco.mj_step(model, data); judge(data)          # doctest: +SKIP
    >>> print(judge.table())                              # doctest: +SKIP
    """

    def __init__(
        self,
        model: Any,
        tol: float = 1e-5,
        every: int = 1,
        raise_on: str | Collection[str] = (),
        scene: str | Path | None = None,
        limit: int = LIMIT,
        noslip: bool = False,
        velocity: bool = False,
    ) -> None:
        self.velocity = velocity
        self.noslip = noslip
        self.model, self.tol, self.every, self.limit, self.scene = model, tol, max(1, int(every)), limit, scene
        self.raise_on = {raise_on} if isinstance(raise_on, str) else set(raise_on)
        self.steps = 0
        #: What was found, by the settings of the solver.
        self.tallies: dict[tuple[Any, ...], Tally] = {}
        self._before = Before(model)
        self._stage: tuple[Any, list[int]] | None = None
        self._resets: int | None = None
        # Views of memory that the engine changes; making them anew takes longer than reading.
        self._option = model.opt
        self._data: Any = None
        self._warnings: Any = None
        self._iterations: Any = None

    def start(self, data: Any) -> None:
        """Keeps the state before the first step, so that this one can be replayed, too."""
        self._before.keep(data)
        self._resets = self._count_resets(data)

    def _count_resets(self, data: Any) -> int:
        if data is not self._data:
            self._data, self._warnings, self._iterations = data, data.warning.number, data.solver_niter
        return resets(self._warnings)

    def __call__(self, data: Any, stepping: float | None = None) -> StepVerdict | None:
        """Judges the step that `data` has just made; None where `every` skips it. `stepping`: seconds that the step took."""
        index, self.steps = self.steps, self.steps + 1
        if index % self.every:
            self._before.keep(data)
            return None
        start = time.perf_counter()
        verdict, arrays, judged = self._judge(data)
        seconds = time.perf_counter() - start
        tally = self._tally()
        if stepping is not None:
            tally.stepping.append(stepping)
        tally.words[verdict.word] += 1
        if verdict.flags:
            tally.flags.update(verdict.flags)
        if verdict.word == "not judged":
            tally.reasons[verdict.reason or "no reason"] += 1
        elif verdict.distance is not None and arrays is not None:
            tally.seconds.append(seconds)
            tally.distances.append((index, *verdict.distance))
            badness = (verdict.word == "off", verdict.distance)
            if tally.badness is None or badness > tally.badness:
                tally.badness = badness
                tally.worst = self._worst(tally, index, verdict, Step(*arrays), data, judged)
        second = self._judge_velocity(data, index, tally) if self.velocity else None
        self._before.keep(data)
        if verdict.word in self.raise_on:
            raise StepError(f"step {index}, time {data.time:g}: {verdict}")
        if second is not None and second.word in self.raise_on:
            raise StepError(f"step {index}, time {data.time:g}, update of the velocity: {second}")
        return verdict

    def _judge_velocity(self, data: Any, index: int, tally: Tally) -> StepVerdict:
        """The verdict on the update of the velocity, counted."""
        if self._before.precedes(data):
            before = self._before.velocity()
            verdict = judge_velocity(self.model, data, before, self.tol, self._before)
            # A state that was changed between the steps is no fault of the engine: its step does not come again.
            if verdict.word in ("off", "undecided") and not is_same(Step(*read_arrays(self.model, self._option, data)), self._before.forward(data)):
                verdict = not_judged("the state before the step is not the one that the step before ended with")
        else:
            verdict = not_judged("the state before the step is not known (call judge.start(data))")
        tally.velocity[verdict.word] += 1
        if verdict.word == "not judged":
            tally.velocity_reasons[verdict.reason or "no reason"] += 1
        elif verdict.distance is not None:
            worst = tally.velocity_worst
            if worst is None or (verdict.word == "off", verdict.distance) > (worst[1].word == "off", worst[1].distance):
                tally.velocity_worst = (index, verdict)
        return verdict

    def _judge(self, data: Any) -> tuple[StepVerdict, Arrays | None, Any]:
        """The verdict, the arrays of the step, and the data that hold it: with RK4 those of a copy."""
        self._stage = None
        found, before, option = self._count_resets(data), self._resets, self._option
        self._resets, counts = found, self._iterations
        if before is not None and found > before:
            return not_judged("reset: the engine found a state that is not finite and began anew"), None, data
        if is_staged(option):
            if not self._before.precedes(data):
                return not_judged("RK4: the state before the step is not known (call judge.start(data))"), None, data
            data = self._before.forward(data)
            counts = data.solver_niter
        reason = obstacle(self.model, option, data, self.limit, self.noslip)
        if reason is not None:
            return not_judged(reason), None, data
        arrays = read_arrays(self.model, option, data)
        if self.noslip and resolves_friction(option, data):
            return self._judge_noslip(data, Step(*arrays)), arrays, data
        h, used, allowed = option.timestep, iterations(counts), option.iterations
        try:
            verdict = by_bound(arrays, h, self.tol, used, allowed)
            if verdict is None:
                step = Step(*arrays)
                gap = step.stop_gap(self.model, data)
                verdict = judge_arrays(step, h, self.tol, (used, allowed), stop_gap=gap)
        except EtalonError:
            reason = flaw(Step(*arrays))
            if reason is None:
                raise
            return not_judged(reason), None, data
        reason = None if verdict else degenerate(data, Step(*arrays))
        return (verdict, arrays, data) if reason is None else (not_judged(reason), None, data)

    def _judge_noslip(self, data: Any, step: Step) -> StepVerdict:
        """The verdict on the stage that solves friction once more."""
        reason = flaw(step)
        if reason is not None:
            return not_judged(reason)
        self._stage = stage(self.model, data, step)
        return judge_stage(*self._stage, self.tol)

    def _tally(self) -> Tally:
        option = self._option
        how = (option.solver, option.cone, option.integrator, option.noslip_iterations)
        key = (how, option.iterations, option.tolerance, option.impratio)
        found = self.tallies.get(key)
        if found is None:
            found = self.tallies[key] = Tally(settings(self.model))
        return found

    def _worst(self, tally: Tally, index: int, verdict: StepVerdict, step: Step, data: Any, judged: Any) -> Worst:
        """The worst step so far, with what is needed to run it again."""
        row = verdict.worst_row
        if tally.model is None:
            tally.model = copy.copy(self.model)
        return Worst(
            index=index,
            time=float(data.time),
            verdict=verdict,
            step=step.copy(),
            model=tally.model,
            iterations=iterations(judged.solver_niter),
            stop_gap=step.stop_gap(self.model, judged),
            blame=place(self.model, judged, row) if row is not None and row < judged.nefc else "free motion",
            state=self._before.state(data) if self._before.precedes(data) else None,
            scene=self.scene,
            stage=self._stage,
        )

    @property
    def worst(self) -> Worst | None:
        """The worst step of all settings."""
        found = [tally for tally in self.tallies.values() if tally.badness is not None]
        return max(found, key=lambda tally: tally.badness).worst if found else None

    @property
    def words(self) -> Counter[str]:
        """How many steps have each verdict."""
        return sum((tally.words for tally in self.tallies.values()), Counter())

    @property
    def accepted(self) -> bool:
        """Whether no step is off or undecided, nor an update of the velocity. Loose ones are within the engine's own tolerance."""
        words = self.words + self.velocity_words
        return not (words["off"] or words["undecided"])

    @property
    def velocity_words(self) -> Counter[str]:
        """How many updates of the velocity have each verdict."""
        return sum((tally.velocity for tally in self.tallies.values()), Counter())

    def table(self) -> str:
        """What was found, as text: a block for each choice of solver, cone and integrator."""
        return table(list(self.tallies.values()))

    def to_json(self) -> str:
        """What was found, as JSON."""
        return json.dumps([summary(tally) for tally in self.tallies.values()])
