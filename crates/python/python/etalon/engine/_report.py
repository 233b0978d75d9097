"""The report of `etalon engine mujoco` as one page of HTML, which needs nothing else."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

from ..mujoco._tally import lines, summary
from ._document import html_page

if TYPE_CHECKING:
    from ._mujoco import Run

TITLE = "Steps of MuJoCo, judged"
HEAD = f"""<h1>{TITLE}</h1>
<p>After each step the engine's data hold a convex problem with exactly one solution, and the engine's answer. The distance of the
answer is |a - a*|<sub>M</sub> / max(|a|<sub>M</sub>, |a0|<sub>M</sub>), a0 being the acceleration without constraints; it is bracketed
by proved bounds. This judges the solver, not the model of contact: a right answer of a soft, convex model need not be Coulomb's.</p>
"""
WIDTH, HEIGHT, LEFT, BELOW = 720, 180, 60, 24
#: Distances below this are drawn there.
FLOOR = 1e-17


def page(runs: list[Run]) -> str:
    """A section for each scene and each choice of settings."""
    parts = [HEAD]
    for run in runs:
        parts.append(f"<h2>{html.escape(str(run.scene))}</h2>")
        for tally in run.judge.tallies.values():
            rows = "".join(f"<tr><th>{html.escape(key)}</th><td>{html.escape(value)}</td></tr>" for key, value in lines(summary(tally)))
            parts.append(f"<table>{rows}</table>{chart(tally.distances, run.judge.tol)}")
    return html_page(TITLE, "\n".join(parts))


def chart(distances: list[tuple[int, float, float]], tol: float) -> str:
    """The distance of each step over the steps, on a scale of powers of ten, with the tolerance as a line."""
    if not distances:
        return ""
    highs = [min(max(high, FLOOR), 1e30) for _, _, high in distances]
    low = math.floor(math.log10(min(*highs, tol or FLOOR)))
    top = math.ceil(math.log10(max(*highs, tol or FLOOR))) + 1
    last = max(distances[-1][0], 1)

    def x(step: int) -> float:
        return LEFT + step / last * (WIDTH - LEFT - 10)

    def y(value: Any) -> float:
        share = (math.log10(min(max(value, 10.0**low), 10.0**top)) - low) / (top - low)
        return (HEIGHT - BELOW) - share * (HEIGHT - BELOW - 10)

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" font-size="11" role="img" aria-label="the distance of each step">']
    for power in sorted({low, (low + top) // 2, top}):
        parts.append(f'<text x="{LEFT - 6}" y="{y(10.0**power) + 4:.1f}" text-anchor="end">1e{power}</text>')
    if tol:
        parts.append(f'<path d="M{LEFT} {y(tol):.1f}H{WIDTH - 10}" stroke="#c0392b" stroke-dasharray="4 3"/>')
    # Where the distance is known from both sides the two bounds fall together; else the bar is the interval.
    bars = [f"M{x(step):.1f} {y(least):.1f}V{y(most) - 0.8:.1f}" for step, least, most in distances if least > 0]
    dots = [f"M{x(step):.1f} {y(most):.1f}h.9" for step, _, most in distances]
    parts.append(f'<path d="{"".join(bars)}" stroke="#c0392b"/><path d="{"".join(dots)}" stroke="#1b6ca8" stroke-width="2"/>')
    parts.append(f'<text x="{WIDTH - 10}" y="{HEIGHT - 6}" text-anchor="end">step {last}</text></svg>')
    return "".join(parts)
