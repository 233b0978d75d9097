"""What can be asked on the command line."""

from __future__ import annotations

import argparse
import math
from importlib import import_module
from typing import Any

SOLVERS = ("newton", "cg", "pgs")
CONES = ("pyramidal", "elliptic")


def parser() -> argparse.ArgumentParser:
    """The parser; each command sets `run`."""
    top = argparse.ArgumentParser(
        prog="etalon engine",
        description="Judge whole engines, step by step or on scenes with known truths.",
    )
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    _mujoco(commands.add_parser("mujoco", help="judge the steps of MuJoCo scenes", description=_MUJOCO))
    _scenes(commands.add_parser("scenes", help="run scenes with known truths in engines", description=_SCENES))
    _log(commands.add_parser("log", help="write the steps of a scene in an engine as records", description=_LOG))
    _list(commands.add_parser("list", help="say which engines are installed"))
    return top


_MUJOCO = """Steps scenes and judges each step: is the engine's answer the solution of the problem that the engine states? A folder stands for
all *.xml below it that load."""
_SCENES = "Runs scenes with known truths in engines, with their defaults, and prints a table: a star marks a figure outside its interval."


def _mujoco(own: argparse.ArgumentParser) -> None:
    own.add_argument("scenes", nargs="+", metavar="SCENE", help="MJCF or URDF files, MJB files, or folders")
    own.add_argument("--steps", type=_count, default=1000, metavar="N", help="steps of each run [1000]")
    own.add_argument("--solver", type=_words(SOLVERS), metavar="LIST", help="newton, cg, pgs; default: the model's")
    own.add_argument("--cone", type=_words(CONES), metavar="LIST", help="pyramidal, elliptic; default: the model's")
    own.add_argument("--keyframe", type=int, metavar="K", help="start from this key frame")
    own.add_argument("--controls", type=_amount, default=0.0, metavar="S", help="random controls in [-S, S], anew each step")
    own.add_argument("--seed", type=int, default=1, help="of the random controls [1]")
    own.add_argument("--tol", type=_amount, default=1e-5, metavar="T", help="relative distance of an accepted step [1e-5]")
    own.add_argument("--every", type=_count, default=1, metavar="K", help="judge every K-th step [1]")
    own.add_argument("--limit", type=_count, default=1000, metavar="N", help="most degrees of freedom and rows together [1000]")
    own.add_argument("--velocity", action="store_true", help="judge the update of the velocity, too: (M - h D)(v+ - v)/h = q + J'f, implicit damping and all")
    own.add_argument("--noslip", action="store_true", help="judge the noslip stage as a problem of its own: friction at given normal forces")
    own.add_argument("--out", metavar="FILE", help="a report as one page of HTML")
    own.add_argument("--save", metavar="STEM", help="write the worst step as STEM.xml, STEM.json and STEM.py")
    own.add_argument("--shrink", action="store_true", help="with --save: the smallest scene that is still off")
    own.add_argument("--strict", action="store_true", help="steps that are loose or not judged make the exit status 1")
    _output(own, "a JSON line for each run in place of tables")
    own.set_defaults(run=_run_mujoco)


def _scenes(own: argparse.ArgumentParser) -> None:
    own.add_argument("--engine", type=_list_of, metavar="LIST", help="names, see `etalon engine list`; default: all that are installed")
    own.add_argument("--scene", type=_list_of, metavar="LIST", help="names of scenes; default: all")
    own.add_argument("--adapters", default="adapters/engines", metavar="DIR", help="the folder of engines and scenes [adapters/engines]")
    own.add_argument("--out", metavar="FILE", help="the page: FILE.md with pictures beside it, or FILE.html, which needs no other file")
    _output(own, "a JSON line for each figure in place of the table")
    own.set_defaults(run=_run_scenes)


_LOG = """Runs a scene in an engine and writes each step as a line of etalon-step/1: `etalon step check` judges them."""


def _log(own: argparse.ArgumentParser) -> None:
    own.add_argument("--engine", required=True, metavar="NAME", help="one engine, see `etalon engine list`")
    own.add_argument("--scene", required=True, metavar="NAME", help="one scene")
    own.add_argument("--steps", type=_count, metavar="N", help="steps; default: the time of the scene")
    own.add_argument("--adapters", default="adapters/engines", metavar="DIR", help="the folder of engines and scenes [adapters/engines]")
    own.add_argument("--out", metavar="FILE", help="the file of the records; default: standard output")
    own.set_defaults(run=_run_log)


def _run_log(arguments: argparse.Namespace) -> int:
    from ._log import run

    return run(arguments)


def _list(own: argparse.ArgumentParser) -> None:
    own.add_argument("--adapters", default="adapters/engines", metavar="DIR", help="the folder of engines [adapters/engines]")
    _output(own, "a JSON line for each engine")
    own.set_defaults(run=_run_list)


def _output(own: argparse.ArgumentParser, what: str) -> None:
    own.add_argument("--json", action="store_true", help=what)
    own.add_argument("--quiet", action="store_true", help="no tables and no progress")


def _run_mujoco(arguments: argparse.Namespace) -> int:
    # Says what to install, where the engine is missing.
    import_module("etalon.mujoco")
    from ._mujoco import run

    return run(arguments)


def _run_scenes(arguments: argparse.Namespace) -> int:
    from ._scenes import run

    return run(arguments)


def _run_list(arguments: argparse.Namespace) -> int:
    from ._scenes import list_engines

    return list_engines(arguments)


def _count(text: str) -> int:
    value = int(text) if text.isdigit() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no count: give a whole number above 0")
    return value


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of at least 0")
    return value


def _list_of(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _words(known: tuple[str, ...]) -> Any:
    def convert(text: str) -> list[str]:
        words = [word.lower() for word in _list_of(text)]
        for word in words:
            if word not in known:
                raise argparse.ArgumentTypeError(f"{word!r} is not one of {', '.join(known)}")
        return words

    return convert
