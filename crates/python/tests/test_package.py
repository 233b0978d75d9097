"""Stubs, docstrings, examples."""

import ast
import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import etalon
from etalon import _batch, _etalon, _scenario

HERE = Path(__file__).parent


def test_docstrings_hold():
    for module in (etalon, _scenario, _batch):
        assert doctest.testmod(module).failed == 0
    globs = {"etalon": etalon}
    finder = doctest.DocTestFinder()
    runner = doctest.DocTestRunner()
    examples = 0
    for name in ("solve", "check", "certify", "enumerate", "generate"):
        for test in finder.find(getattr(_etalon, name), name, module=False, globs=globs):
            runner.run(test)
            examples += len(test.examples)
    assert examples >= 8 and runner.summarize().failed == 0


def test_everything_public_is_documented():
    for name in [*etalon.__all__, "enumerate"]:
        if name != "__version__":
            assert inspect.getdoc(getattr(etalon, name)), name
    for name in ("solve", "check", "certify", "enumerate"):
        assert "shape" in getattr(etalon, name).__doc__


def stub():
    """Functions, and classes with their members, as the stub has them."""
    tree = ast.parse((Path(_etalon.__file__).parent / "_etalon.pyi").read_text())
    functions = {}
    members = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, []).append([a.arg for a in node.args.args + node.args.kwonlyargs])
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            members[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    return functions, members


def test_the_stub_says_what_the_module_has():
    functions, members = stub()
    public = {name for name in vars(_etalon) if not name.startswith("_")}
    assert public == set(functions) | set(members)
    for name, overloads in functions.items():
        parameters = list(inspect.signature(getattr(_etalon, name)).parameters)
        assert set(parameters) == {argument for overload in overloads for argument in overload}, name
    for name, known in members.items():
        own = {member for member in vars(getattr(_etalon, name)) if not member.startswith("_")}
        assert own == {member for member in known if not member.startswith("_")}, name


def test_the_types_check(tmp_path):
    pytest.importorskip("mypy")
    script = tmp_path / "use.py"
    script.write_text(
        "from fractions import Fraction\n"
        "import numpy as np\n"
        "import etalon\n"
        "from etalon.pytest import etalon_suite\n"
        "claim = etalon.solve(np.eye(2), [-1, Fraction(1, 3)], exact=True)\n"
        "verdict = etalon.check(etalon.Problem([['1/3']], [1]), claim)\n"
        "word: str = verdict.verdict\n"
        "ok: bool = bool(verdict)\n"
        "test = etalon_suite(lambda M, q: None, capabilities='psd')\n"
    )
    result = subprocess.run([sys.executable, "-m", "mypy", "--strict", script], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    script.write_text("import etalon\netalon.solve('M', 3)\netalon.check([[1]], [1]).verdit\n")
    result = subprocess.run([sys.executable, "-m", "mypy", "--strict", script], capture_output=True, text=True, check=False)
    assert result.stdout.count("error:") >= 2, result.stdout


def test_the_example_judges_a_solver_from_pypi():
    pytest.importorskip("quantecon")
    path = HERE.parent / "examples" / "judge_quantecon.py"
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith(("#", '"""'))]
    assert len(lines) <= 10
    result = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "of 100 right" in result.stdout


def test_the_round_trip_is_measured():
    script = HERE.parent / "examples" / "round_trip.py"
    result = subprocess.run([sys.executable, script, "20", "10"], capture_output=True, text=True, check=False)
    # Whether the ratio is good is for a quiet machine to say.
    assert result.returncode in (0, 1), result.stderr
    assert [line.split(",")[0] for line in result.stdout.splitlines()[1:]][0] == "solve" and "ratio" in result.stdout
