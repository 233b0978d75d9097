"""Jolt, by node, in binary32. Its damping (0.05 by default) is set to 0. Needs: node, npm install --prefix adapters/engines"""

from pathlib import Path

from etalon.engine import NodeEngine


class Jolt(NodeEngine):
    name = "jolt"
    can = frozenset({"stacks", "space", "restitution"})
    variants = {"": "defaults, without damping and sleep"}
    script = Path(__file__).parent / "node/jolt.cjs"
    package = "jolt-physics"

    def record(self, name):
        return None


Jolt.require()
ENGINE = Jolt
