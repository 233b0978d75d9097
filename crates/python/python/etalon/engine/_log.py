"""`etalon engine log`: the steps of a scene in an engine as records of `etalon-step/1`."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from pathlib import Path

from .._errors import ArgumentError
from ._scenes import chosen_engines, filled, scenes


def run(arguments: argparse.Namespace) -> int:
    """Runs the command."""
    folder = Path(arguments.adapters)
    (scene,) = scenes(folder / "scenes", [arguments.scene])
    ((label, engine, variant),) = chosen_engines(folder, [arguments.engine])
    reason = scene.why_not(engine, variant)
    if reason:
        raise ArgumentError(f"{label} is not asked {scene.name}: {reason}")
    world, _, _ = filled(scene, engine, variant)
    steps = arguments.steps or round(scene.record["duration"] / scene.record["h"])
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(open(arguments.out, "w", encoding="utf-8")) if arguments.out else sys.stdout
        for k in range(steps):
            world.watch()
            world.step()
            record = world.record(f"{label} {scene.name}/{k}")
            if record is None:
                raise ArgumentError(f"{label} does not tell enough of its steps for a record")
            print(json.dumps(record, default=float), file=out)
    return 0
