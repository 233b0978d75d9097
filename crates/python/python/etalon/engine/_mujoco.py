"""`etalon engine mujoco`: scenes are stepped and each step is judged."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from .._errors import ArgumentError
from ..mujoco import Judge
from ..mujoco._tally import summary

_LOADERS = {".xml": "from_xml_path", ".urdf": "from_xml_path", ".mjb": "from_binary_path"}


@dataclass
class Run:
    """A scene that was stepped under one choice of solver and cone."""

    scene: Path
    judge: Judge

    def summary(self) -> dict[str, Any]:
        """What was found, with the scene's name."""
        tallies = [summary(tally) for tally in self.judge.tallies.values()]
        return {"format": "etalon-engine/1", "engine": f"mujoco {mujoco.__version__}", "scene": str(self.scene), "runs": tallies}


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    runs = []
    for scene, is_named in _files(arguments.scenes):
        try:
            found = list(_runs(scene, arguments))
        except ArgumentError:
            raise
        except ValueError as error:
            message = f"{scene}: {_first_line(error)}"
            if is_named:
                raise ArgumentError(message) from error
            print(f"left out: {message}", file=sys.stderr)
            continue
        for one in found:
            _print(one, arguments)
        runs += found
    if not runs:
        raise ArgumentError("none of the scenes loads")
    _write(runs, arguments)
    return _status(runs, arguments)


def _files(scenes: list[str]) -> Iterator[tuple[Path, bool]]:
    """The files, and whether each was named or found in a folder."""
    for scene in map(Path, scenes):
        if scene.is_dir():
            yield from ((file, False) for file in sorted(scene.rglob("*.xml")))
        elif scene.suffix.lower() not in _LOADERS:
            raise ArgumentError(f"{scene}: a scene is a file .xml, .urdf or .mjb, or a folder of them")
        elif not scene.exists():
            raise ArgumentError(f"{scene}: there is no such file")
        else:
            yield scene, True


def _runs(scene: Path, arguments: argparse.Namespace) -> Iterator[Run]:
    load = getattr(mujoco.MjModel, _LOADERS[scene.suffix.lower()])
    solvers, cones = arguments.solver or [None], arguments.cone or [None]
    for solver in solvers:
        for cone in cones:
            model = load(str(scene))
            if solver:
                model.opt.solver = int(getattr(mujoco.mjtSolver, f"mjSOL_{solver.upper()}"))
            if cone:
                model.opt.cone = int(getattr(mujoco.mjtCone, f"mjCONE_{cone.upper()}"))
            yield Run(scene, _step(model, scene, arguments))


def _step(model: Any, scene: Path, arguments: argparse.Namespace) -> Judge:
    """Steps a model and judges."""
    data = mujoco.MjData(model)
    if arguments.keyframe is not None:
        if not 0 <= arguments.keyframe < model.nkey:
            raise ArgumentError(f"{scene}: there is no key frame {arguments.keyframe}; it has {model.nkey}")
        mujoco.mj_resetDataKeyframe(model, data, arguments.keyframe)
    text = scene if scene.suffix.lower() != ".mjb" else None
    judge = Judge(model, tol=arguments.tol, every=arguments.every, scene=text, limit=arguments.limit, noslip=arguments.noslip, velocity=arguments.velocity)
    judge.start(data)
    random = np.random.default_rng(arguments.seed)
    for _ in range(arguments.steps):
        if arguments.controls:
            data.ctrl[:] = random.uniform(-arguments.controls, arguments.controls, model.nu)
        start = time.perf_counter()
        mujoco.mj_step(model, data)
        judge(data, stepping=time.perf_counter() - start)
    return judge


def _print(run: Run, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print(json.dumps(run.summary()), flush=True)
    elif not arguments.quiet:
        print(f"{run.scene}\n{run.judge.table()}\n", flush=True)


def _write(runs: list[Run], arguments: argparse.Namespace) -> None:
    """The report and the worst step."""
    if arguments.out:
        from ._report import page

        Path(arguments.out).write_text(page(runs), encoding="utf-8")
    if not arguments.save:
        return
    found = [run.judge.worst for run in runs if run.judge.worst is not None]
    worst = max(found, key=lambda one: (one.verdict.word == "off", one.verdict.distance), default=None)
    if worst is None:
        print("no step was judged: there is nothing to save", file=sys.stderr)
        return
    evidence = worst.shrink(over=arguments.tol) if arguments.shrink else worst
    for path in evidence.save(arguments.save):
        print(f"wrote {path}", file=sys.stderr)


def _status(runs: list[Run], arguments: argparse.Namespace) -> int:
    """The exit status, with a warning for steps that were not judged."""
    words = sum((run.judge.words for run in runs), type(runs[0].judge.words)())
    velocity = sum((run.judge.velocity_words for run in runs), type(words)())
    skipped = words["not judged"]
    if skipped:
        print(f"warning: {skipped} of {sum(words.values())} steps were not judged", file=sys.stderr)
    if words["loose"]:
        why = "over --tol, but within the engine's own tolerance, which option tolerance sets"
        print(f"warning: {words['loose']} of {sum(words.values())} steps are loose: {why}", file=sys.stderr)
    if velocity["not judged"]:
        print(f"warning: {velocity['not judged']} of {sum(velocity.values())} updates of the velocity were not judged", file=sys.stderr)
    wrong = words + velocity
    if wrong["off"] or wrong["undecided"]:
        return 1
    return 1 if (wrong["not judged"] or words["loose"]) and arguments.strict else 0


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
