"""Engines in JavaScript: a script of node behind the same interface."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ._world import Body, Engine, State, body_entry, planar_entry, rotation


class NodeEngine(Engine):
    """An engine whose world is a process: it gets the scene as a line of JSON, then a line "step" for each step, and answers each
    with a line: `states`, each position, orientation (w, x, y, z), velocity and spin; and `contacts` of the step, where it tells them.
    """

    #: The script, and the npm package with its version.
    script = Path()
    package = ""
    #: What its records declare: precision, law and model.
    declared: dict[str, Any] = {}
    #: 2 where it moves in the plane x, z.
    dimension = 3

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.bodies: list[Body] = []
        self.floor = False

    @classmethod
    def require(cls) -> None:
        """Raises ImportError where node or the package is not there."""
        if shutil.which("node") is None:
            raise ImportError("there is no node")
        tried = subprocess.run(["node", str(cls.script), "--version"], capture_output=True, text=True, env=_environment(cls.script))
        if tried.returncode != 0:
            raise ImportError(f"node cannot load {cls.package}")
        cls._version = tried.stdout.strip()

    @classmethod
    def version(cls) -> str:  # type: ignore[override]
        """The version of the package."""
        return cls._version

    def ground(self) -> None:
        """The half space z <= 0."""
        self.floor = True

    def add(self, body: Body) -> int:
        """A body; the handle is its number."""
        self.bodies.append(body)
        return len(self.bodies) - 1

    def start(self) -> None:
        """Starts the process and sends the scene."""
        command = ["node", str(self.script)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, env=_environment(self.script), **pipes)
        scene = {"gravity": self.gravity.tolist(), "h": self.h, "surface": asdict(self.surface), "ground": self.floor}
        bodies = [asdict(body) | {"inertia": body.inertia.tolist()} for body in self.bodies]
        self._ask(json.dumps(scene | {"variant": self.variant, "bodies": bodies}))

    def step(self) -> None:
        """Asks for a step."""
        self._ask("step")

    def _ask(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.name}: the process ended with status {self.process.wait()}")
        self.answer = json.loads(answer)

    def get(self, handle: int) -> State:
        """The state of a body."""
        position, turn, velocity, spin = self.answer["states"][handle]
        return State(np.array(position), rotation(turn), np.array(velocity), np.array(spin))

    def watch(self) -> None:
        """Keeps the states before a step."""
        self.before = [self.get(i) for i in range(len(self.bodies))]

    def record(self, name: str) -> dict[str, Any]:
        """The step with the contacts that the process told of."""
        moved = [self.get(i) for i in range(len(self.bodies))]
        entry_of = planar_entry if self.dimension == 2 else body_entry
        entries = [entry_of(*one, self.gravity) for one in zip(self.bodies, self.before, moved, strict=True)]
        # An engine that has moments of inertia of its own is judged with them.
        for entry, before, own in zip(entries, self.before, self.answer.get("inertia", []), strict=False):
            entry["inertia"] = (before.rotation @ np.diag(own) @ before.rotation.T).tolist()
        contacts = [contact | {"mu": self.surface.mu} for contact in self.answer.get("contacts", [])]
        return {
            "format": "etalon-step/1",
            "name": name,
            "engine": {"name": self.package, "version": self.version(), "settings": self.variants[self.variant]},
            **self.declared,
            "dimension": self.dimension,
            "h": self.h,
            "bodies": entries,
            "contacts": contacts,
        }

    def __del__(self) -> None:
        process = getattr(self, "process", None)
        if process is not None:
            process.stdin.close()
            process.stdout.close()
            process.wait()


def _environment(script: Path) -> dict[str, str]:
    """NODE_PATH has the packages beside the script, and those that the user names."""
    own = [str(script.parent / "node_modules"), *filter(None, [os.environ.get("NODE_PATH")])]
    return os.environ | {"NODE_PATH": os.pathsep.join(own)}
