"""Jolt, by node, in binary32. Its damping (0.05 by default) is set to 0. It tells of contacts, not of impulses. Needs: node, npm install --prefix adapters/engines"""

from pathlib import Path

from etalon.engine import NodeEngine


class Jolt(NodeEngine):
    name = "jolt"
    can = frozenset({"stacks", "space", "restitution"})
    variants = {"": "defaults, without damping and sleep"}
    script = Path(__file__).parent / "node/jolt.cjs"
    package = "jolt-physics"
    declared = {"precision": "f32", "when": "start", "law": "coulomb", "model": "hard"}


Jolt.require()
ENGINE = Jolt
