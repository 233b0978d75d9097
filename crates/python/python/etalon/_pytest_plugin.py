"""The plugin that pytest finds by itself: a table of verdicts by suite after a run of `etalon_suite`, and what was not asked."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

NOT_ASKED = "not for this solver: "
_ORDER = ("exact", "accepted", "perturbed", "proved", "rejected", "refuted", "unproved", "failed")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Counts the verdicts of all solvers' tests, suite by suite, and the problems that they were not asked."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for reports in terminalreporter.stats.values():
        for report in reports:
            properties = dict(getattr(report, "user_properties", ()))
            if getattr(report, "when", None) == "call" and "etalon_verdict" in properties:
                counts[properties["etalon_suite"]][properties["etalon_verdict"]] += 1
    not_asked: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        _, _, reason = report.longrepr if isinstance(report.longrepr, tuple) else ("", 0, "")
        if NOT_ASKED in reason:
            not_asked[reason.partition(NOT_ASKED)[2]] += 1
    if not counts:
        return
    terminalreporter.section("verdicts of etalon")
    words = [word for word in _ORDER if any(row[word] for row in counts.values())]
    width = max(map(len, [*counts, "total"]))
    terminalreporter.line(" " * width + "".join(f"{word:>11}" for word in words))
    total: Counter[str] = Counter()
    for suite in sorted(counts):
        total.update(counts[suite])
        terminalreporter.line(f"{suite:<{width}}" + "".join(f"{counts[suite][word] or '':>11}" for word in words))
    if len(counts) > 1:
        terminalreporter.line(f"{'total':<{width}}" + "".join(f"{total[word] or '':>11}" for word in words))
    for why, count in not_asked.most_common():
        terminalreporter.line(f"{count} not sent: {why}")
