"""The figures of the scenes as a table of text, and as the blocks of a page."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Sequence
from typing import Any

from ._document import Block, Code, Command, Emphasis, Heading, Items, Paragraph, Picture, Span, Strong, Table, marked
from ._measures import Motion
from ._picture import picture
from ._scenes import Found, Scene

TITLE = "Engines on scenes with known truths"
NOT_RUN = "it needs the engines"
ABOUT = """\
which runs the engines that are installed. The scenes are data, in `adapters/engines/scenes`, each with its truth, the derivation, the
interval and the reason for the interval. An engine is one file in `adapters/engines`. How to install and add engines:
[Judge a whole engine](judge-an-engine.md). Each scene has the command that repeats its figures; with `--engine NAME` it repeats those of one
engine."""
RULES = (
    """\
A **star** marks a figure outside its interval. The interval holds what a consistent first-order step may do, and what the law leaves open.""",
    """\
A star is **not a verdict on the engine's solver**. Contacts that are soft or convex by design differ from rigid bodies under Coulomb's law, and
the star shows by how much.""",
    "*Not asked*: the engine, or its file here, has no such feature; the reason stands below the table. There is no overall score.",
    "Etalon's own engines, planar and in space, are judged in the same way.",
    "Where a figure says `never`, the event did not happen in the time of the scene.",
)
SETTINGS = "Settings that are not defaults: damping is 0 everywhere, and bodies do not sleep. Three defaults explain many stars:"
DEFAULTS = (
    "Box2D, planck and Jolt do not bounce below 1 m/s, the speed of the scenes `pair` and `cradle of 5`.",
    "Jolt and cannon-es have no gyroscopic forces by default, so a free body never tumbles.",
    "Box2D and planck give polygons a skin of 1 cm, which counts for bodies of 10 cm.",
)


def text_table(scenes: list[Scene], labels: list[str], figures: list[Found]) -> str:
    """A line a figure, a column an engine; a star is outside the interval."""
    rows = [["scene", "truth", *labels]]
    for scene in scenes:
        for figure in scene.figures:
            by_label = {one.engine: one for one in figures if one.scene == scene.name and one.figure is figure}
            rows.append([f"{scene.name}: {figure['name']}", truth(figure), *(cell(by_label[label]) for label in labels)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def cell(one: Found) -> str:
    """A figure to four digits, with a star where it is outside its interval."""
    if one.value is None:
        return "failed*" if one.has_failed else "not asked"
    if isinstance(one.value, str):
        return one.value
    return number(one.value) + ("*" if one.is_outside else "")


def number(value: float) -> str:
    """Four digits; what is below a millionth is 0, and what never happens is "never"."""
    if not math.isfinite(value):
        return "never"
    return "0" if abs(value) < 1e-6 else f"{value:.4g}"


def truth(figure: dict[str, Any]) -> str:
    """The truth, or the interval where that is all there is."""
    if figure["low"] is None:
        return "open"
    if figure["truth"] is None:
        return f"{number(figure['low'])} .. {number(figure['high'])}"
    return number(figure["truth"])


def page(
    scenes: list[Scene],
    engines: dict[str, tuple[str, str]],
    absent: dict[str, str],
    figures: list[Found],
    motions: dict[tuple[str, str], Motion],
    command: str,
) -> list[Block]:
    """The page, for either rendering. `engines`: version and settings by label; `absent`: what those need that are not installed."""
    told: list[list[Sequence[Span]]] = [[[Code(label)], [version], [words]] for label, (version, words) in engines.items()]
    blocks: list[Block] = [
        Heading(1, TITLE),
        Paragraph(["Physics engines, with their defaults, on scenes whose outcome is known in closed form. Written by"]),
        Command(command, NOT_RUN),
        Paragraph(marked(ABOUT)),
        Items([marked(rule) for rule in RULES]),
        Heading(2, "Engines"),
        Table(["engine", "version", "settings"], told),
        *_absent(absent),
        Paragraph(marked(SETTINGS)),
        Items([marked(default) for default in DEFAULTS]),
    ]
    for scene in scenes:
        own = [one for one in figures if one.scene == scene.name]
        # Of each engine the defaults are drawn; its variants stand in the table.
        moved = {label: motion for (name, label), motion in motions.items() if name == scene.name and ":" not in label}
        blocks += _section(scene, own, moved)
    return blocks


def _absent(absent: dict[str, str]) -> list[Block]:
    if not absent:
        return []
    items: list[Sequence[Span]] = [[Code(name), f": {why}"] for name, why in absent.items()]
    return [Paragraph(["Not installed when this was written, so that they have no rows:"]), Items(items)]


def _section(scene: Scene, figures: list[Found], motions: dict[str, Motion]) -> list[Block]:
    record = scene.record
    name = scene.name[0].upper() + scene.name[1:]
    blocks: list[Block] = [
        Heading(2, name),
        Paragraph([record["what"]]),
        Paragraph([Emphasis("Truth"), f": {record['derivation']} Source: {record['source']}."]),
        Command(f"etalon engine scenes --scene {_quoted(scene.name)}", NOT_RUN),
    ]
    drawn = picture(scene.figures[0], motions)
    if drawn is not None:
        band = "; the band is the interval of the truth" if "<rect x=" in drawn else ""
        file = f"pictures/engines/{re.sub('[^a-z0-9.-]', '-', scene.name.lower())}.svg"
        blocks.append(Picture(drawn, f"{name}: what each engine does over time{band}", file))
    return [*blocks, _table(scene, figures), *_reasons(figures)]


def _table(scene: Scene, figures: list[Found]) -> Table:
    """The truth with its interval and the reason for it, then each engine."""
    heads = [f"{figure['name']}{', ' + figure['unit'] if figure['unit'] else ''}" for figure in scene.figures]
    rows: list[list[Sequence[Span]]] = [
        [[Strong("truth")], *([truth(figure)] for figure in scene.figures)],
        [[Emphasis("interval")], *([_interval(figure)] for figure in scene.figures)],
        [[Emphasis("why")], *([figure["why"]] for figure in scene.figures)],
    ]
    for label in dict.fromkeys(one.engine for one in figures):
        rows.append([[Code(label)], *([cell(one)] for one in figures if one.engine == label)])
    return Table(["engine", *heads], rows)


def _reasons(figures: list[Found]) -> list[Block]:
    """Why engines are not asked, and how those failed that did: each reason with its engines."""
    by_reason: dict[str, list[str]] = {}
    for one in figures:
        if one.reason and one.engine not in by_reason.setdefault(one.reason, []):
            by_reason[one.reason].append(one.engine)
    items: list[list[Span]] = []
    for reason, labels in by_reason.items():
        names: list[Span] = [span for label in labels for span in (", ", Code(label))]
        items.append([*names[1:], f": {reason}"])
    return [Items(items)] if items else []


def _quoted(name: str) -> str:
    """A name as a word of a shell, in double quotes where they do."""
    return f'"{name}"' if re.fullmatch(r"[\w .,:-]*", name) else shlex.quote(name)


def _interval(figure: dict[str, Any]) -> str:
    return "none" if figure["low"] is None else f"{figure['low']:.5g} .. {figure['high']:.5g}"
