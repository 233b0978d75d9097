"""planck.js, a Box2D in JavaScript, in the plane x, z. Needs: node, npm install --prefix adapters/engines"""

from pathlib import Path

from etalon.engine import NodeEngine


class Planck(NodeEngine):
    name = "planck"
    can = frozenset({"stacks", "restitution", "hinge"})
    variants = {"": "defaults, without continuous physics and sleep"}
    script = Path(__file__).parent / "node/planck.cjs"
    package = "planck"
    declared = {"precision": "f64", "when": "start", "law": "box", "model": "hard"}
    dimension = 2


Planck.require()
ENGINE = Planck
