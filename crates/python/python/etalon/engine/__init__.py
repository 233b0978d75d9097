"""Whole engines, judged as their users run them: `python -m etalon.engine`, which `etalon engine` starts.

`mujoco` judges the steps of scenes against the problem that the engine itself states; `scenes` runs scenes with known truths in
several engines; `list` says which engines are here.
"""

from ._node import NodeEngine
from ._scenario_run import ScenarioEngine
from ._world import Body, Engine, Hinge, State, Surface, body_entry, planar_entry, rotation

__all__ = ["Body", "Engine", "Hinge", "NodeEngine", "ScenarioEngine", "State", "Surface", "body_entry", "planar_entry", "rotation"]
