"""`etalon engine scenes`: scenes with known truths, run in engines with their defaults."""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .._errors import ArgumentError, RecordError
from ._document import Block, to_html, to_markdown, write_pictures
from ._measures import MEASURES, Motion, measure
from ._world import Body, Engine, Hinge, Surface

FORMAT = "etalon-truth/1"
FAILED = "it failed"
#: What a scene needs, in words, where the name alone does not say it.
FEATURES = {
    "space": "third dimension",
    "stacks": "contact of boxes with boxes",
    "torsion": "friction against turning",
    "elliptic": "elliptic friction",
    "pin": "ball joint",
}
_BODY = {"shape", "size", "mass", "position", "velocity", "spin", "orientation", "hinge"}


@dataclass(frozen=True)
class Scene:
    """A scene with its truth, as the file has it."""

    name: str
    record: dict[str, Any]

    @property
    def figures(self) -> list[dict[str, Any]]:
        """What is measured: name, measure, truth, interval, and why."""
        return self.record["figures"]

    def why_not(self, engine: type[Engine], variant: str) -> str | None:
        """Why the engine is not asked the scene: what the scene needs and the engine does not have, or the reason that it gives."""
        missing = [FEATURES.get(need, need) for need in self.record["needs"] if need not in engine.features(variant)]
        return f"it has no {' and no '.join(missing)}" if missing else engine.declines.get((self.name, variant))


@dataclass(frozen=True)
class Found:
    """A figure of an engine."""

    scene: str
    figure: dict[str, Any]
    engine: str
    #: The figure; None where it is not asked.
    value: float | str | None
    #: Why it is not asked, or could not be had.
    reason: str | None = None

    @property
    def has_failed(self) -> bool:
        """Whether the engine failed, or its adapter."""
        return (self.reason or "").startswith(FAILED)

    @property
    def is_outside(self) -> bool:
        """Whether the figure is outside its interval; a motion that is no number is, too."""
        low, high = self.figure["low"], self.figure["high"]
        if not isinstance(self.value, float) or low is None:
            return False
        return not low <= self.value <= high


def scenes(folder: Path, only: list[str] | None = None) -> list[Scene]:
    """The scenes of a folder by name, or those of some names in their order."""
    if not folder.is_dir():
        raise ArgumentError(f"{folder}: there are no scenes; run this in a checkout of etalon, or give --adapters DIR")
    found = [_scene(file) for file in sorted(folder.glob("*.json"))]
    names = [scene.name for scene in found]
    for name in only or []:
        if name not in names:
            raise ArgumentError(f"{name!r} is no scene; there are {', '.join(names)}")
    chosen = [scene for scene in found if not only or scene.name in only]
    return sorted(chosen, key=lambda scene: (only or names).index(scene.name))


def _scene(file: Path) -> Scene:
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RecordError(f"{file}: {error}") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise RecordError(f"{file}: the field format must be {FORMAT}")
    for field in ("name", "needs", "gravity", "h", "duration", "ground", "surface", "bodies", "figures"):
        if field not in record:
            raise RecordError(f"{file}: the field {field} is missing")
    for figure in record["figures"]:
        if figure.get("measure") not in MEASURES:
            raise RecordError(f"{file}: the measure {figure.get('measure')!r} is not one of {', '.join(MEASURES)}")
    return Scene(record["name"], record)


def engine_files(folder: Path) -> dict[str, Path]:
    """The files of the engines, by name."""
    return {file.stem: file for file in sorted(folder.glob("*.py"))}


@cache
def load(file: Path) -> type[Engine] | str:
    """The engine of a file, or the reason why it cannot be had."""
    spec = importlib.util.spec_from_file_location(f"etalon_engine_{file.stem}", file)
    if spec is None or spec.loader is None:
        return "it is no module"
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (ImportError, OSError) as error:
        return f"{error}; {_needs(file)}"
    return module.ENGINE


def _needs(file: Path) -> str:
    """The last sentence of the first line says what to install."""
    line = file.read_text(encoding="utf-8").splitlines()[0].strip('"')
    return "needs" + line.rsplit("Needs", 1)[-1] if "Needs" in line else "see its first line"


def filled(scene: Scene, engine: type[Engine], variant: str) -> tuple[Engine, list[Body], list[Any]]:
    """A world of the engine with the scene in it, ready for its first step; its bodies, and their handles."""
    record = scene.record
    world = engine(tuple(record["gravity"]), float(record["h"]), Surface(**record["surface"]), variant)
    if record["ground"]:
        world.ground()
    bodies = [body(entry) for entry in record["bodies"]]
    handles = [world.add(one) for one in bodies]
    world.start()
    return world, bodies, handles


def run_scene(scene: Scene, engine: type[Engine], variant: str) -> tuple[Motion, list[float | str]]:
    """The motion, and its figures."""
    world, bodies, handles = filled(scene, engine, variant)
    states = [[world.get(handle) for handle in handles]]
    for _ in range(round(scene.record["duration"] / world.h)):
        world.step()
        states.append([world.get(handle) for handle in handles])
    motion = Motion(states, bodies, world.h, world.gravity)
    return motion, [measure(motion, figure) for figure in scene.figures]


def body(entry: dict[str, Any]) -> Body:
    """A body of a scene's file."""
    for field in entry:
        if field not in _BODY:
            raise RecordError(f"a body has the unknown field {field!r}; there are {', '.join(sorted(_BODY))}")
    fields = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    if fields.get("hinge"):
        own = fields["hinge"]
        fields["hinge"] = Hinge(tuple(own["anchor"]), tuple(own["axis"]) if own["axis"] else None)
    return Body(**fields)


def run_all(chosen: list[Scene], found: list[tuple[str, type[Engine], str]]) -> Iterator[tuple[Scene, str, Motion | None, list[Found]]]:
    """Each scene in each engine."""
    for scene in chosen:
        for label, engine, variant in found:
            reason = scene.why_not(engine, variant)
            if reason:
                yield scene, label, None, [Found(scene.name, figure, label, None, reason) for figure in scene.figures]
                continue
            try:
                motion, values = run_scene(scene, engine, variant)
            except Exception as error:  # an engine's failure is an answer
                reason = f"{FAILED}: {type(error).__name__}: {error}".splitlines()[0]
                yield scene, label, None, [Found(scene.name, figure, label, None, reason) for figure in scene.figures]
                continue
            yield scene, label, motion, [Found(scene.name, f, label, v) for f, v in zip(scene.figures, values, strict=True)]


def chosen_engines(folder: Path, names: list[str] | None) -> list[tuple[str, type[Engine], str]]:
    """The engines to run, each with its label and its variant; without names all variants of all that are installed."""
    known = engine_files(folder)
    if names is None:
        ready = [(name, engine) for name, engine in ((name, load(file)) for name, file in known.items()) if not isinstance(engine, str)]
        return [(_label(name, variant), engine, variant) for name, engine in ready for variant in engine.variants]
    found = []
    loaded: dict[str, type[Engine] | str] = {}
    for label in names:
        name, _, variant = label.partition(":")
        if name not in known:
            raise ArgumentError(f"{name!r} is no engine; there are {', '.join(known)}")
        if name not in loaded:
            loaded[name] = load(known[name])
        engine = loaded[name]
        if isinstance(engine, str):
            raise ArgumentError(f"{name} is not here: {engine}")
        if variant not in engine.variants:
            raise ArgumentError(f"{name} has no variant {variant!r}; there are {', '.join(filter(None, engine.variants))}")
        found.append((label, engine, variant))
    return found


def absent_engines(folder: Path, names: list[str] | None) -> dict[str, str]:
    """The engines that are not installed, each with what it needs. Where some are named no other is missed."""
    loaded = {} if names else {name: load(file) for name, file in engine_files(folder).items()}
    return {name: why for name, why in loaded.items() if isinstance(why, str)}


def _label(name: str, variant: str) -> str:
    return f"{name}:{variant}" if variant else name


def run(arguments: argparse.Namespace) -> int:
    """Runs the command. Figures outside their interval do not change the exit status: a soft model is not wrong by them."""
    folder = Path(arguments.adapters)
    render = _renderer(arguments.out)
    chosen = scenes(folder / "scenes", arguments.scene)
    found = chosen_engines(folder, arguments.engine)
    if not found:
        raise ArgumentError("no engine is installed; `etalon engine list` says what each needs")
    absent = absent_engines(folder, arguments.engine)
    if absent and not arguments.quiet:
        print(f"warning: not installed, and not asked: {', '.join(absent)}", file=sys.stderr)
    figures: list[Found] = []
    motions: dict[tuple[str, str], Motion] = {}
    for scene, label, motion, own in run_all(chosen, found):
        figures += own
        if motion is not None:
            motions[scene.name, label] = motion
        if arguments.json:
            for one in own:
                print(json.dumps(_line(one)), flush=True)
        elif not arguments.quiet:
            print(f"{scene.name} in {label}", file=sys.stderr, flush=True)
    if not arguments.json and not arguments.quiet:
        from ._scene_page import text_table

        print(text_table(chosen, [label for label, _, _ in found], figures))
    if arguments.out:
        from ._scene_page import page

        told = {label: (engine.version(), _settings(engine, variant)) for label, engine, variant in found}
        render(page(chosen, told, absent, figures, motions, _command(arguments)), Path(arguments.out))
    return 0


def _settings(engine: type[Engine], variant: str) -> str:
    """The settings of a variant, with what it is not asked though it could be."""
    declined = [f"not asked {scene}: {why}" for (scene, own), why in engine.declines.items() if own == variant]
    return "; ".join([engine.variants[variant], *declined])


def _renderer(out: str | None) -> Callable[[Sequence[Block], Path], None]:
    """How the page is written, by the end of its name; asked before any engine runs."""
    end = Path(out or "page.md").suffix.lower()
    if end not in RENDERERS:
        raise ArgumentError(f"--out {out}: the name must end in {' or '.join(RENDERERS)}")
    return RENDERERS[end]


def _write_markdown(blocks: Sequence[Block], out: Path) -> None:
    write_pictures(blocks, out.parent)
    out.write_text(to_markdown(blocks), encoding="utf-8")


def _write_html(blocks: Sequence[Block], out: Path) -> None:
    out.write_text(to_html(blocks), encoding="utf-8")


#: How a page is written, by the end of its name.
RENDERERS: dict[str, Callable[[Sequence[Block], Path], None]] = {
    ".md": _write_markdown,
    ".html": _write_html,
}


def _command(arguments: argparse.Namespace) -> str:
    """The command that writes the page again."""
    words = ["etalon engine scenes"]
    for flag, value in (("--engine", arguments.engine), ("--scene", arguments.scene)):
        words += [f'{flag} "{",".join(value)}"'] if value else []
    return " ".join([*words, f"--out {arguments.out}"])


def _line(one: Found) -> dict[str, Any]:
    value = one.value if not isinstance(one.value, float) or math.isfinite(one.value) else None
    keys = ("name", "unit", "truth", "low", "high")
    return {
        "scene": one.scene,
        "engine": one.engine,
        "figure": {key: one.figure[key] for key in keys},
        "value": value,
        "outside": one.is_outside,
        "not_asked": one.reason,
    }


def list_engines(arguments: argparse.Namespace) -> int:
    """Prints the engines, with the versions of those that are installed."""
    folder = Path(arguments.adapters)
    if not folder.is_dir():
        raise ArgumentError(f"{folder}: there is no such folder; run this in a checkout of etalon, or give --adapters DIR")
    for name, file in engine_files(folder).items():
        engine = load(file)
        version = None if isinstance(engine, str) else engine.version()
        if arguments.json:
            missing = engine if isinstance(engine, str) else None
            variants = {} if isinstance(engine, str) else engine.variants
            print(json.dumps({"engine": name, "version": version, "missing": missing, "variants": variants}))
        elif isinstance(engine, str):
            print(f"{name:<12} not here: {engine}")
        else:
            print(f"{name:<12} {version}")
            for variant, words in engine.variants.items():
                print(f"  {_label(name, variant):<20} {words}")
    return 0
