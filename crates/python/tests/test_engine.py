"""Scenes with known truths, the engines behind them, and the command line of `python -m etalon.engine`."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import etalon
from etalon.engine import Body, Engine, State, rotation
from etalon.engine.__main__ import main
from etalon.engine._measures import Motion, measure
from etalon.engine._scene_page import cell, number, text_table
from etalon.engine._scenes import Found, Scene, load, run_all, scenes

ADAPTERS = Path(__file__).parents[3] / "adapters/engines"
pytestmark = pytest.mark.skipif(not ADAPTERS.is_dir(), reason="the folder adapters/engines is in a checkout only")


class Ideal(Engine):
    """A body that slides by the closed form: Coulomb's friction on a flat ground."""

    name = "ideal"
    can = frozenset({"space"})
    shift = 0.0

    @staticmethod
    def version():
        return "1"

    def ground(self):
        self.time = 0.0

    def add(self, body):
        self.body = body
        return 0

    def step(self):
        self.time += self.h

    def get(self, _):
        start, velocity = np.array(self.body.position), np.array(self.body.velocity)
        speed = np.linalg.norm(velocity)
        stop = speed / (self.surface.mu * -self.gravity[2])
        time = min(self.time, stop)
        place = start + velocity / speed * (speed * time - speed / stop * time**2 / 2) * (1 + self.shift)
        return State(place, np.eye(3), velocity * (1 - time / stop), np.zeros(3))


class Shifted(Ideal):
    shift = 0.05


def scene(name):
    return scenes(ADAPTERS / "scenes", [name])[0]


def test_every_scene_is_whole():
    found = scenes(ADAPTERS / "scenes")
    assert len(found) >= 20 and len({one.name for one in found}) == len(found)
    for one in found:
        assert {"what", "derivation", "source"} <= set(one.record) and one.record["source"]
        for figure in one.figures:
            assert figure["why"] and (figure["low"] is None or figure["low"] < figure["high"])
            if figure["truth"] is not None and figure["low"] is not None:
                assert figure["low"] <= figure["truth"] <= figure["high"]


def mean(x, y):
    """The arithmetic-geometric mean."""
    while abs(x - y) > 1e-15 * x:
        x, y = (x + y) / 2, math.sqrt(x * y)
    return x


def complete(k):
    """The complete elliptic integral K of the modulus k."""
    return math.pi / 2 / mean(1.0, math.sqrt(1 - k * k))


def flip():
    """The half period of the middle axis, Landau and Lifshitz, section 37."""
    a, b, c = sorted([(0.1**2 + 0.2**2) / 3, (0.05**2 + 0.2**2) / 3, (0.05**2 + 0.1**2) / 3])
    omega = {(0.1**2 + 0.2**2) / 3: 0.5, (0.05**2 + 0.2**2) / 3: 5.0}
    twice, square = sum(i * w * w for i, w in omega.items()), sum((i * w) ** 2 for i, w in omega.items())
    low, high = (b - a) * (twice * c - square), (c - b) * (square - twice * a)
    rate = math.sqrt(max(low, high) / (a * b * c))
    return 2 * complete(math.sqrt(min(low, high) / max(low, high))) / rate


def period():
    """The period of the rod from level, Landau and Lifshitz, section 11."""
    inertia = (0.02**2 + 0.25**2) / 3 + 0.25**2
    return 4 * math.sqrt(inertia / 0.25 / 9.81) * complete(math.sin(math.radians(90) / 2))


def test_truths_are_what_their_formulas_say():
    names = {name: getattr(math, name) for name in ("sin", "cos", "atan", "radians", "sqrt", "log")}
    names |= {"flip": flip(), "period": period()}
    checked = 0
    for one in scenes(ADAPTERS / "scenes"):
        for figure in one.figures:
            if figure["formula"] is None:
                assert figure["truth"] is None
                continue
            value = eval(figure["formula"], {"__builtins__": {}}, names)  # noqa: S307, our own files
            if isinstance(value, tuple):
                assert figure["truth"] is None and figure["low"] < value[0] < value[1] < figure["high"]
            else:
                assert figure["truth"] == pytest.approx(value, rel=1e-9, abs=1e-12), (one.name, figure["name"])
            checked += 1
    assert checked >= 24


@pytest.mark.parametrize("name", ["slide", "diagonal"])
def test_an_engine_that_is_right_gets_no_star_and_one_that_is_off_does(name):
    chosen = [scene(name)]
    for engine, stars in ((Ideal, 0), (Shifted, 1)):
        figures = [one for *_, own in run_all(chosen, [("ideal", engine, "")]) for one in own]
        assert sum(one.is_outside for one in figures) == stars
        assert text_table(chosen, ["ideal"], figures).count("*") == stars


def test_what_an_engine_does_not_have_is_not_asked():
    (*_, own), = run_all([scene("bounce 0.8")], [("ideal", Ideal, "")])
    assert [cell(one) for one in own] == ["not asked"] and own[0].reason == "it has no restitution" and not own[0].is_outside


def test_an_engine_that_fails_is_told_of():
    class Broken(Ideal):
        def step(self):
            raise ValueError("no licence")

    (*_, own), = run_all([scene("slide")], [("broken", Broken, "")])
    assert cell(own[0]) == "failed*" and "no licence" in own[0].reason


def moving(states, **fields):
    return Motion(states, [Body("ball", (0.1,), 1.0, (0, 0, 0))], 0.1, np.zeros(3), **fields)


def test_measures_on_motions_that_are_known():
    turned = lambda angle: rotation((math.cos(angle / 2), 0, 0, math.sin(angle / 2)))  # noqa: E731
    at = lambda t: State(np.array([math.cos(t), math.sin(t), 0.0]), turned(t), np.array([-math.sin(t), math.cos(t), 0.0]), np.array([0, 0, 1 - t / 4]))  # noqa: E731, E501
    circle = moving([[at(0.1 * k)] for k in range(21)])
    assert measure(circle, {"measure": "azimuth"}) == pytest.approx(2.0)
    assert measure(circle, {"measure": "spin_deceleration", "window": [0.5, 1.5]}) == pytest.approx(0.25)
    assert measure(circle, {"measure": "heading"}) == pytest.approx(math.degrees(1.0))
    swing = moving([[State(np.array([math.cos(0.1 * k), 0, 0]), np.eye(3), np.zeros(3), np.zeros(3))] for k in range(200)])
    assert measure(swing, {"measure": "period"}) == pytest.approx(2 * math.pi, rel=1e-3)
    assert measure(circle, {"measure": "period"}) == math.inf and number(math.inf) == "never"


def test_what_never_happens_is_outside():
    assert Found("tumble", {"low": 2.0, "high": 3.0}, "x", math.inf).is_outside


def test_inertia_of_bodies():
    assert Body("ball", (0.5,), 2.0, (0, 0, 0)).inertia.tolist() == [0.2] * 3
    assert Body("box", (1.0, 2.0, 3.0), 3.0, (0, 0, 0)).inertia.tolist() == [13, 10, 5]


def test_bad_files_are_named(tmp_path):
    (tmp_path / "a.json").write_text('{"format": "etalon-truth/1", "name": "a"}')
    with pytest.raises(etalon.RecordError, match="a.json: the field needs is missing"):
        scenes(tmp_path)
    (tmp_path / "a.json").write_text("{")
    with pytest.raises(etalon.RecordError, match="a.json"):
        scenes(tmp_path)
    with pytest.raises(etalon.ArgumentError, match="'b' is no scene"):
        scenes(ADAPTERS / "scenes", ["b"])
    (tmp_path / "none.py").write_text('"""An engine. Needs: pip install it"""\nimport no_such_module\n')
    assert "pip install it" in load(tmp_path / "none.py")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["scenes", "--adapters", str(ADAPTERS), "--engine", "nothing"], "'nothing' is no engine"),
        (["scenes", "--adapters", str(ADAPTERS), "--scene", "nothing"], "'nothing' is no scene"),
        (["scenes", "--adapters", "no/such/folder"], "run this in a checkout"),
        (["list", "--adapters", "no/such/folder"], "run this in a checkout"),
    ],
)
def test_wrong_words_end_with_2(words, message, capsys):
    assert main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("engine", "package", "way"), [("pybullet", "pybullet", "0.4036"), ("rapier", "rapier3d", "0.4067")])
def test_scenes_in_an_engine_that_is_installed(engine, package, way, tmp_path, capsys):
    pytest.importorskip(package, reason=f"the engine {package} is not installed")
    page = tmp_path / "page.md"
    words = ["scenes", "--adapters", str(ADAPTERS), "--engine", engine, "--scene", "slide,roll", "--quiet", "--out", str(page)]
    assert main(words) == 0
    text = page.read_text()
    assert f"| `{engine}` | {way} |" in text and "etalon engine scenes --scene" in text
    assert (tmp_path / "pictures/engines/slide.svg").read_text().startswith("<svg")
    capsys.readouterr()
    assert main([*words[:7], "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert [line["outside"] for line in lines] == [False, False]


def test_pybullet_steps_are_records_that_balance():
    pytest.importorskip("pybullet", reason="the engine pybullet is not installed")
    engine = load(ADAPTERS / "pybullet.py")
    world = engine((0, 0, -9.81), 1 / 240, etalon.engine.Surface(0.5))
    world.ground()
    world.add(Body("box", (0.1, 0.1, 0.1), 1.0, (0, 0, 0.1), (1.0, 0.5, 0)))
    world.start()
    for k in range(5):
        world.watch()
        world.step()
        assert balance(world.record(f"box/{k}")) < 16 * 2.0**-53


@pytest.mark.parametrize(("engine", "words"), [("planck", {"B": "exact", "C": "explained"}), ("jolt", {"B": "not judged", "C": "explained"})])
def test_steps_of_engines_in_javascript_are_records(engine, words):
    made = load(ADAPTERS / f"{engine}.py")
    if isinstance(made, str):
        pytest.skip(made)
    world = made((0, 0, -9.81), 1 / 240, etalon.engine.Surface(0.5))
    world.ground()
    world.add(Body("box", (0.2, 0.2, 0.05), 1.0, (0, 0, 0.05), (2.0, 0, 0)))
    world.start()
    for k in range(4):
        world.watch()
        world.step()
        record = world.record(f"{engine}/{k}")
        found = etalon.judge_step(json.dumps(record), level=["B", "C"])
        # The first step of Jolt is the one that finds the contact.
        if record["contacts"]:
            assert {verdict["level"]: verdict["verdict"] for verdict in found} == words
    assert record["contacts"]


def balance(record):
    """Of one body: the largest |M dv - h f - J'lambda| of a row, over the size of its terms, translation and rotation apart."""
    body, h = record["bodies"][0], record["h"]
    change = np.subtract(body["v1"], body["v0"])
    inertia = np.zeros((6, 6))
    inertia[:3, :3], inertia[3:, 3:] = np.eye(3) * body["mass"], body["inertia"]
    rest = inertia @ change - h * np.array(body["force"])
    size = np.abs(inertia) @ (np.abs(body["v1"]) + np.abs(body["v0"])) + h * np.abs(body["force"])
    for contact in record["contacts"]:
        sign, point = (1, "point_a") if contact["bodies"][0] == 0 else (-1, "point")
        for direction, impulse in zip([contact["normal"], *contact["tangents"]], contact["impulse"], strict=True):
            arm = np.subtract(contact[point], body["com"])
            row = np.concatenate([direction, np.cross(arm, direction)])
            rest -= sign * row * impulse
            size += np.abs(row * impulse)
    return max(np.abs(rest[:3]).max() / size[:3].max(), np.abs(rest[3:]).max() / size[3:].max())


MUJOCO = """<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="1 1 .1"/>
<body pos="0 0 .099"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
<geom type="sphere" size=".1" mass="1"/></body></worldbody><keyframe><key qvel="1 0 .5"/></keyframe></mujoco>"""


def test_the_command_judges_a_scene(tmp_path, capsys):
    pytest.importorskip("mujoco", reason="the engine mujoco is not installed: pip install mujoco")
    scene = tmp_path / "ball.xml"
    scene.write_text(MUJOCO)
    common = ["mujoco", str(scene), "--steps", "3", "--keyframe", "0"]
    assert main([*common, "--solver", "newton,cg"]) == 0
    assert capsys.readouterr().out.count("bit for bit") == 2
    report, stem = tmp_path / "report.html", tmp_path / "worst"
    assert main([*common, "--solver", "pgs", "--json", "--out", str(report), "--save", str(stem)]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["verdicts"]["off"] >= 1 and run["worst"]["flags"] == ["converged-and-wrong"]
    assert "converged-and-wrong" in report.read_text() and stem.with_suffix(".py").exists()


def test_the_command_on_a_folder_leaves_out_what_does_not_load(tmp_path, capsys):
    pytest.importorskip("mujoco", reason="the engine mujoco is not installed: pip install mujoco")
    (tmp_path / "a.xml").write_text(MUJOCO)
    (tmp_path / "b.xml").write_text("<mujoco><nothing/></mujoco>")
    assert main(["mujoco", str(tmp_path), "--steps", "2", "--quiet"]) == 0
    assert "left out" in capsys.readouterr().err
    assert main(["mujoco", str(tmp_path / "b.xml")]) == 2
    assert main(["mujoco", str(tmp_path / "none.xml")]) == 2
    assert main(["mujoco", str(tmp_path / "a.xml"), "--keyframe", "7"]) == 2
    assert "there is no key frame 7" in capsys.readouterr().err


def test_steps_that_are_not_judged_are_a_warning_and_strict_makes_them_count(tmp_path, capsys):
    pytest.importorskip("mujoco", reason="the engine mujoco is not installed: pip install mujoco")
    scene = tmp_path / "ball.xml"
    scene.write_text(MUJOCO.replace("<option", '<option noslip_iterations="2"'))
    assert main(["mujoco", str(scene), "--steps", "2", "--quiet"]) == 0
    assert "were not judged" in capsys.readouterr().err
    assert main(["mujoco", str(scene), "--steps", "2", "--quiet", "--strict"]) == 1


def test_without_mujoco_the_remedy_is_named(monkeypatch, capsys):
    for name in [name for name in sys.modules if name == "mujoco" or name.startswith(("etalon.mujoco", "etalon.engine._mujoco"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "meta_path", [finder for finder in sys.meta_path if "importlib" in str(finder)])
    monkeypatch.setitem(sys.modules, "mujoco", None)
    assert main(["mujoco", "x.xml"]) == 2
    assert "pip install" in capsys.readouterr().err


def test_names_of_the_command():
    assert isinstance(scene("slide"), Scene)
