"""cannon-es, by node. Its damping (0.01 by default) is set to 0. Needs: node, npm install --prefix adapters/engines"""

from pathlib import Path

from etalon.engine import NodeEngine


class Cannon(NodeEngine):
    name = "cannon"
    can = frozenset({"stacks", "space", "restitution"})
    variants = {"": "defaults, without damping"}
    script = Path(__file__).parent / "node/cannon.cjs"
    package = "cannon-es"
    declared = {"precision": "f64", "law": "box", "model": "soft-convex"}


Cannon.require()
ENGINE = Cannon
