"""Etalon's own engines: `etalon scenario run` on a file, whose trajectory is read line by line."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ._world import Engine

#: The command etalon, or its path.
COMMAND = os.environ.get("ETALON", "etalon")


class ScenarioEngine(Engine):
    """An engine of the command etalon. Subclasses say the scene as the command reads it, and what stands behind the file's name."""

    @classmethod
    def require(cls) -> None:
        """Raises ImportError where the command does not start."""
        try:
            cls.version()
        except (OSError, subprocess.CalledProcessError) as error:
            raise ImportError(f"the command {COMMAND} does not start") from error

    @staticmethod
    def version() -> str:
        """The version of the command."""
        return subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]

    def scene(self) -> dict[str, Any]:
        """The record that is run."""
        raise NotImplementedError

    def words(self) -> list[str]:
        """The options of the run."""
        return []

    def start(self) -> None:
        """Writes the scene and starts its run; the first line has the state at the start."""
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name) / "scene.json"
        file.write_text(json.dumps(self.scene()), encoding="utf-8")
        command = [COMMAND, "scenario", "run", str(file), "--steps", "1000000", "--quiet", *self.words()]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.now = self._line()["start"]

    def step(self) -> None:
        """Reads the next line."""
        self.now = self._line()

    def _line(self) -> dict[str, Any]:
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.stderr.read().strip() or "the run ended")
        return json.loads(line)

    def __del__(self) -> None:
        process = getattr(self, "process", None)
        if process is not None:
            process.kill()
            process.stdout.close()
            process.stderr.close()
            process.wait()
