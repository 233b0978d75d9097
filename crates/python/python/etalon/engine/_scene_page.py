"""The figures of the scenes as a table of text and as a page of the book."""

from __future__ import annotations

import math
from typing import Any

from ._measures import Motion
from ._scenes import Found, Scene


def text_table(scenes: list[Scene], labels: list[str], figures: list[Found]) -> str:
    """A line a figure, a column an engine; a star is outside the interval."""
    rows = [["scene", "truth", *labels]]
    for scene in scenes:
        for figure in scene.figures:
            own = [one for one in figures if one.scene == scene.name and one.figure is figure]
            by_label = {one.engine: one for one in own}
            cells = [cell(by_label[label]) for label in labels]
            rows.append([f"{scene.name}: {figure['name']}", truth(figure), *cells])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def cell(one: Found) -> str:
    """A figure to four digits, with a star where it is outside its interval."""
    if one.value is None:
        return "failed*" if (one.reason or "").startswith("it failed") else "not asked"
    if isinstance(one.value, str):
        return one.value
    return number(one.value) + ("*" if one.is_outside else "")


def number(value: float) -> str:
    """Four digits; what is below a millionth is 0, and what never happens is "never"."""
    if not math.isfinite(value):
        return "never"
    return "0" if abs(value) < 1e-6 else f"{value:.4g}"


def truth(figure: dict[str, Any]) -> str:
    """The truth in its interval."""
    if figure["low"] is None:
        return "open"
    if figure["truth"] is None:
        return f"{number(figure['low'])} .. {number(figure['high'])}"
    return number(figure["truth"])


def page(
    scenes: list[Scene],
    versions: dict[str, str],
    words: dict[str, str],
    figures: list[Found],
    motions: dict[tuple[str, str], Motion],
) -> str:
    """The page of the book."""
    return ""
