"""The page of the scenes: one list of blocks, as Markdown and as one file of HTML."""

import html
import json
import os
import re
import shutil
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from etalon.engine import Engine, State
from etalon.engine.__main__ import main
from etalon.engine._document import Code, Heading, Items, Paragraph, Table, marked, to_html, to_markdown, write_pictures
from etalon.engine._scene_page import page
from etalon.engine._scenes import Scene, absent_engines, filled, load, run_all, scenes

ADAPTERS = Path(__file__).parents[3] / "adapters/engines"
pytestmark = pytest.mark.skipif(not ADAPTERS.is_dir(), reason="the folder adapters/engines is in a checkout only")
WRONG = "<b>&\"'|`*x*"


class Gliding(Engine):
    """Bodies that keep their velocity: right where nothing acts, and outside of the interval where friction does."""

    name = "gliding"
    can = frozenset({"space"})
    variants = {"": "defaults", "slow": WRONG}
    declines = {("slope 1", "slow"): f"it is slow {WRONG}"}

    @staticmethod
    def version():
        return "1"

    def ground(self):
        pass

    def add(self, body):
        self.body, self.time = body, 0.0
        return 0

    def step(self):
        if self.surface.restitution:
            raise ValueError(f"no licence {WRONG}")
        self.time += self.h

    def get(self, _):
        velocity = np.array(self.body.velocity, dtype=float)
        return State(self.body.position + velocity * self.time, np.eye(3), velocity, np.zeros(3))


class Bouncing(Gliding):
    can = frozenset({"space", "restitution"})


ENGINES = [("gliding", Gliding, ""), ("gliding:slow", Gliding, "slow"), (f"other {WRONG}", Bouncing, "")]


@cache
def blocks(names=("slide", "slope 1", "bounce 0.8", "cradle of 5"), change=None):
    chosen = scenes(ADAPTERS / "scenes", list(names))
    chosen = [change(scene) for scene in chosen] if change else chosen
    figures, motions = [], {}
    for scene, label, motion, own in run_all(chosen, ENGINES):
        figures += own
        motions |= {(scene.name, label): motion} if motion else {}
    told = {label: ("1", engine.variants[variant]) for label, engine, variant in ENGINES}
    return page(chosen, told, {"missing": f"needs {WRONG}"}, figures, motions, "etalon engine scenes --out page.html")


class Reader(HTMLParser):
    """The words of each block, the cells of tables by rows, and everything that is opened."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.opened, self.references, self.blocks, self.in_cell = [], [], [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.opened.append(tag)
        self.references += [value for name, value in attributes if name in {"src", "href", "srcset", "data", "style", "poster"} or ":" in name]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in {"td", "th"}:
            self.tables[-1][-1].append("")
            self.in_cell = True
        if tag in {"p", "h1", "h2", "li", "pre", "td", "th", "figcaption"}:
            self.blocks.append("")

    def handle_endtag(self, tag):
        self.in_cell &= tag not in {"td", "th"}

    def handle_data(self, data):
        if self.in_cell:
            self.tables[-1][-1][-1] += data
        if self.blocks:
            self.blocks[-1] += data.strip("\n")


def cells(markdown):
    """The tables of a page in Markdown, without marks and escapes."""
    tables, was_row = [], False
    for line in markdown.splitlines():
        is_row = line.startswith("|")
        if is_row and not was_row:
            tables.append([])
        if is_row and not set(line) <= set("|-"):
            row = [re.sub(r"^(\*\*|\*|`)(.*)\1$", r"\2", cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            tables[-1].append([re.sub(r"\\(.)", r"\1", cell) for cell in row])
        was_row = is_row
    return tables


def test_both_renderings_have_the_same_tables_and_figures():
    own = blocks()
    markdown, read = cells(to_markdown(own)), Reader(to_html(own))
    # Within `code` a quotation mark stands for the one that would end it.
    assert [[[cell.replace("`", "'") for cell in row] for row in table] for table in read.tables] == [
        [[cell.replace("`", "'") for cell in row] for row in table] for table in markdown
    ]
    assert [len(table) for table in markdown] == [4, 7, 7, 7, 7]
    assert ["gliding", "4*"] in markdown[1] and ["gliding:slow", "not asked"] in markdown[2]
    assert markdown[3][-1][1] == "failed*" and markdown[1][1] == ["truth", "0.4077"]


def test_what_stands_on_the_page_is_on_both():
    own = blocks()
    markdown, words = to_markdown(own), "\n".join(Reader(to_html(own)).blocks)
    for text in (
        "etalon engine scenes --out page.html",
        'etalon engine scenes --scene "slope 1"',
        "Friction mu m g stops the speed v after the distance v^2/(2 mu g).",
        "Source: Coulomb's law; elementary mechanics.",
        "There is no overall score.",
        "it has no restitution",
        "no licence",
    ):
        assert text in markdown and text in words
    assert "overall score" not in words.replace("no overall score", "")


def test_names_are_escaped_in_both():
    def change(scene):
        return Scene(WRONG, scene.record | {"what": WRONG, "source": WRONG, "derivation": WRONG})

    own = blocks(("slide",), change)
    read = Reader(to_html(own))
    assert {"script", "b"} & set(read.opened) == {"b"}
    # One for the star, one for what a star is not, one for the truth of the one scene: none from a name.
    assert read.opened.count("b") == 3 and read.blocks.count(WRONG) == 3
    assert any(row[0] == f"other {WRONG}" for row in read.tables[1])
    assert f">other {html.escape(WRONG)}</text>" in to_html(own)
    markdown = to_markdown(own)
    assert all(len(row) == len(table[0]) for table in cells(markdown) for row in table)
    assert "\n" + r"\<b>&\"'|\`\*x*".replace(r"\"", '"') + "\n" in markdown
    assert "Written by\n\n<!-- not run: it needs the engines -->" in markdown


def test_the_page_of_html_needs_no_other_file():
    text = to_html(blocks())
    read = Reader(text)
    assert text.count("<svg") == 2 and "<figcaption>Slide: what each engine does over time" in text
    assert read.references and all(reference.startswith("#") for reference in read.references)
    assert not re.search(r"https?:|//[a-z]|url\(|@import|<script|<link", text)
    assert 'name="viewport"' in text and ".wide{overflow-x:auto}" in text
    assert text.count('<div class="wide"><table>') == text.count("<table") == 5
    anchors = set(re.findall(r' id="([^"]+)"', text))
    assert {reference[1:] for reference in read.references} <= anchors


def test_pictures_of_the_markdown_are_beside_it(tmp_path):
    own = blocks(("slide",))
    write_pictures(own, tmp_path)
    (named,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", to_markdown(own))
    assert (tmp_path / named).read_text().startswith('<svg xmlns="http://www.w3.org/2000/svg"')


def test_our_own_words_are_marked():
    words = marked("a `b` *c* **d** [e](f.md)")
    assert to_markdown([Paragraph(words)]) == "a `b` *c* **d** [e](f.md)\n"
    assert "<p>a <code>b</code> <em>c</em> <b>d</b> e (<code>docs/f.md</code>)</p>" in to_html([Heading(1, "x"), Paragraph(words)])
    assert to_markdown([Table(["x|y"], [[[Code("a|b")]]]), Items([["one\ntwo"]])]) == "| x\\|y |\n|---|\n| `a\\|b` |\n\n- one\n  two\n"


@pytest.mark.parametrize("name", ["page", "page.pdf", "page.htm"])
def test_another_ending_is_refused_before_an_engine_runs(name, tmp_path, capsys):
    assert main(["scenes", "--adapters", str(ADAPTERS), "--engine", "nothing", "--out", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert f"--out {tmp_path / name}: the name must end in .md or .html" in said
    assert not (tmp_path / name).exists()


def test_engines_that_are_not_installed_are_told_of(tmp_path):
    (tmp_path / "none.py").write_text('"""An engine. Needs: pip install it"""\nimport no_such_module\n')
    absent = absent_engines(tmp_path, None)
    assert list(absent) == ["none"] and "pip install it" in absent["none"]
    assert absent_engines(tmp_path, ["none"]) == {}
    assert "Not installed when this was written" in to_markdown(blocks(("slide",)))


def test_a_page_of_html_by_the_command(tmp_path):
    pytest.importorskip("pybullet", reason="the engine pybullet is not installed")
    out = tmp_path / "page.html"
    assert main(["scenes", "--adapters", str(ADAPTERS), "--engine", "pybullet", "--scene", "slide", "--quiet", "--out", str(out)]) == 0
    assert Reader(out.read_text()).tables[1][-1] == ["pybullet", "0.4036"]
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


COMMAND = os.environ.get("ETALON") or shutil.which("etalon")


def steps(name, variant, count):
    """The velocity and the spin of the body of a scene, after each of some steps."""
    (one,) = scenes(ADAPTERS / "scenes", [name])
    world, _, handles = filled(one, load(ADAPTERS / "etalon-space.py"), variant)
    states = [world.get(handles[0])]
    for _ in range(count):
        world.step()
        states.append(world.get(handles[0]))
    return np.array([state.velocity for state in states]), np.array([state.spin for state in states])


@pytest.mark.skipif(COMMAND is None, reason="the command etalon is not installed: put it on the PATH, or its path in ETALON")
@pytest.mark.parametrize(
    ("name", "variant", "axis", "slower"),
    [("slide", "", 0, 0.5 * 9.81 / 240), ("elliptic friction", "circular", 1, 0.25 * 9.81 / 240), ("slide", "moreau-jean", 0, 0.5 * 9.81 / 240)],
)
def test_etalon_in_space_is_stopped_by_friction_as_the_scene_says(name, variant, axis, slower):
    speeds, _ = steps(name, variant, 6)
    assert np.diff(speeds[:, axis]) == pytest.approx(-slower, rel=1e-6)
    assert np.abs(np.delete(speeds, axis, axis=1)).max() < 1e-9


@pytest.mark.skipif(COMMAND is None, reason="the command etalon is not installed: put it on the PATH, or its path in ETALON")
def test_etalon_in_space_has_torsion_and_a_ball_joint():
    _, spins = steps("torsion", "", 6)
    assert np.diff(spins[:, 2]) == pytest.approx(-12.2625 / 240, rel=1e-6)
    velocities, spins = steps("gyroscope", "", 6)
    # Without the joint it would fall at 0.06 m/s by now.
    assert velocities[:, 2] == pytest.approx(0, abs=0.01) and spins[0] == pytest.approx([50, 0, 5.886])


def test_a_scene_that_is_declined_says_so_in_the_lines(capsys):
    rows = [(label, own) for _, label, _, own in run_all(scenes(ADAPTERS / "scenes", ["slope 1"]), ENGINES[:2])]
    assert [one.reason for _, (one,) in rows] == [None, f"it is slow {WRONG}"]
    assert json.dumps(rows[1][1][0].reason)
