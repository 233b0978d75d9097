"""The Python code of README.md and of the pages of docs/ runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"(?:^<!-- (?P<remark>[^\n]*) -->\n)?^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks():
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
            # A block that is a file, or a step of a tutorial, is run elsewhere; another says why it is not run.
            if not (match["remark"] or "").startswith(("file:", "not run:", "tutorial:")):
                yield pytest.param(match["code"], id=f"{page.relative_to(ROOT)}:{page.stem}")


@pytest.mark.parametrize("code", list(blocks()))
def test_the_code_of_a_page_runs(code, tmp_path, monkeypatch):
    for module in re.findall(r"^(?:import|from) ([a-z_0-9]+)", code, re.MULTILINE):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    if "read_parquet" in code:
        answers(tmp_path / "answers")
    exec(compile(code, "<page>", "exec"), {"__name__": "a_page"})  # noqa: S102


def answers(folder):
    """What the page on batches finds on the reader's disk."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    folder.mkdir()
    table = pyarrow.table({"M": [[[2.0]]], "q": [[-1.0]], "z": [[0.5]], "name": ["one"]})
    parquet.write_table(table, folder / "0.parquet")
