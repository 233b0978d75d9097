"""The figures of the scenes as a table of text and as a page of the book with pictures."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ._measures import Motion
from ._picture import picture
from ._scenes import Found, Scene

PREFACE = """\
# Engines on scenes with known truths

Physics engines, with their defaults, on scenes whose outcome is known in closed form. Written by

<!-- not run: it needs the engines -->
```sh
{command}
```

which runs the engines that are installed. The scenes are data, in `adapters/engines/scenes`, each with its truth, the derivation, the
interval and the reason for the interval. An engine is one file in `adapters/engines`. How to install and add engines:
[Judge a whole engine](judge-an-engine.md).

- A **star** marks a figure outside its interval. The interval holds what a consistent first-order step may do, and what the law leaves open.
- A star is **not a verdict on the engine's solver**. Contacts that are soft or convex by design differ from rigid bodies under Coulomb's law, and
  the star shows by how much.
- *Not asked*: the engine has no such feature. There is no overall score.
- Etalon's own planar engine is judged in the same way.
- Where a figure says `never`, the event did not happen in the time of the scene.

## Engines

| engine | version | settings |
|---|---|---|
{engines}

Settings that are not defaults: damping is 0 everywhere, and bodies do not sleep. Three defaults explain many stars:

- Box2D, planck and Jolt do not bounce below 1 m/s, the speed of the scenes `pair` and `cradle of 5`.
- Jolt and cannon-es have no gyroscopic forces by default, so a free body never tumbles.
- Box2D and planck give polygons a skin of 1 cm, which counts for bodies of 10 cm.
"""


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
    figures: list[Found],
    motions: dict[tuple[str, str], Motion],
    out: Path,
    command: str,
) -> str:
    """The page; pictures go into the folder `pictures/engines` beside it. `engines`: version and settings by label."""
    lines = "\n".join(f"| `{label}` | {version} | {words} |" for label, (version, words) in engines.items())
    parts = [PREFACE.format(command=command, engines=lines)]
    for scene in scenes:
        own = [one for one in figures if one.scene == scene.name]
        # Of each engine the defaults are drawn; its variants stand in the table.
        moved = {label: motion for (name, label), motion in motions.items() if name == scene.name and ":" not in label}
        parts.append(_section(scene, own, moved, out))
    return "\n".join(parts)


def _section(scene: Scene, figures: list[Found], motions: dict[str, Motion], out: Path) -> str:
    record = scene.record
    name = scene.name[0].upper() + scene.name[1:]
    parts = [f"## {name}\n\n{record['what']}\n\n*Truth*: {record['derivation']} Source: {record['source']}.\n"]
    parts.append(f'<!-- not run: it needs the engines -->\n```sh\netalon engine scenes --scene "{scene.name}"\n```\n')
    drawn = picture(scene.figures[0], motions)
    if drawn is not None:
        file = out.parent / "pictures" / "engines" / f"{scene.name.replace(' ', '-')}.svg"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(drawn, encoding="utf-8")
        band = "; the band is the interval of the truth" if "<rect x=" in drawn else ""
        parts.append(f"![{name}: what each engine does over time{band}](pictures/engines/{file.name})\n")
    heads = [f"{figure['name']}{', ' + figure['unit'] if figure['unit'] else ''}" for figure in scene.figures]
    parts.append(f"| engine | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    parts.append(f"| **truth** | {' | '.join(truth(figure) for figure in scene.figures)} |")
    parts.append(f"| *interval* | {' | '.join(_interval(figure) for figure in scene.figures)} |")
    parts.append(f"| *why* | {' | '.join(figure['why'] for figure in scene.figures)} |")
    for label in dict.fromkeys(one.engine for one in figures):
        cells = [cell(one) for one in figures if one.engine == label]
        parts.append(f"| `{label}` | {' | '.join(cells)} |")
    return "\n".join(parts) + "\n"


def _interval(figure: dict[str, Any]) -> str:
    return "none" if figure["low"] is None else f"{figure['low']:.5g} .. {figure['high']:.5g}"
