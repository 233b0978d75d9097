"""Judges the steps of MuJoCo: is the engine's answer the solution of the problem that the engine says it solves?

After `mj_step` the data hold a convex problem, M a - J'f = q and w = J a + R f - r with f in its cones and w in their duals, and the
engine's answer to it. The problem has exactly one solution, since R > 0, so the answer has a distance from it; the judge
brackets that by proved bounds.

>>> import mujoco, etalon.mujoco                           # doctest: +SKIP
>>> judge = etalon.mujoco.Judge(model)                     # doctest: +SKIP
>>> mujoco.mj_step(model, data); judge(data)               # doctest: +SKIP
>>> print(judge.table())                                   # doctest: +SKIP

It judges the solver, not the model of contact: a right answer of a soft, convex model need not be Coulomb's.
MuJoCo 3.1 to 4.x; `pip install 'mujoco>=3.1'`.
"""

try:
    import mujoco as _engine  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "mujoco":
        raise
    message = "etalon.mujoco needs the engine: pip install 'mujoco>=3.1'"
    raise ModuleNotFoundError(message, name="mujoco") from error

from ._judge import Judge, StepError
from ._read import Step, read
from ._record import record
from ._shrink import Shrunk
from ._single import judge_mjx, judge_warp
from ._tally import Tally
from ._verdict import StepVerdict
from ._worst import Worst

__all__ = [
    "Judge",
    "Shrunk",
    "Step",
    "StepError",
    "StepVerdict",
    "Tally",
    "Worst",
    "judge_mjx",
    "judge_warp",
    "read",
    "record",
]
