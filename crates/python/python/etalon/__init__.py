"""Exact answers and verdicts for linear complementarity problems.

The linear complementarity problem LCP(q, M) asks for z with w = M z + q, z >= 0, w >= 0 and z'w = 0; contact forces, market
equilibria and quadratic programs are such problems.

>>> import etalon
>>> M, q = [[1.5859375, 1], [1, 1]], [-0.75, -0.75]
>>> etalon.check(M, q, [0, 0], prove=True)
<Verdict rejected: row 1: w = -3/4 must not be negative where z is at its lower bound; error 203/534; right is z = (0, 3/4)>
>>> etalon.solve(M, q, exact=True).z
array([Fraction(0, 1), Fraction(3, 4)], dtype=object)

==============  ====================================================================================================
`check`         a verdict on somebody's answer
`solve`         a solution, or the proof that there is none
`certify`       what can be proved of a problem, with certificates; checking certificates
`enumerate`     all solutions
`generate`      problems of a family, the same on every machine
`goldens`       problems with proved truth
`scenario`      scenes of rigid bodies in contact: their problem and forces, or a trajectory
`judge_step`    verdicts on a step of a physics engine
`judge_batch`   verdicts on a table of records, for Dask, Ray and Spark
`etalon.pytest` one test per golden problem for a solver of yours
`etalon.mujoco` verdicts on the steps of MuJoCo: one line after `mj_step`
==============  ====================================================================================================

Arrays are numpy arrays (float64, taken exactly), nested lists, or matrices of scipy.sparse; for exact work their entries may be
ints, `fractions.Fraction`s or strings such as ``"1/3"``, and ``exact=True`` returns `Fraction`s.
"""

from . import _etalon
from ._batch import JudgedColumns, batch_meta, judge_batch
from ._errors import (
    ArgumentError,
    BoundsError,
    BudgetError,
    CertificateError,
    DtypeError,
    EtalonError,
    InputError,
    InternalError,
    LimitError,
    NotFiniteError,
    NumberError,
    RecordError,
    ShapeError,
)
from ._etalon import (
    Claim,
    Face,
    Problem,
    Problems,
    SolutionSet,
    Truth,
    Verdict,
    __version__,
    certify,
    check,
    enumerate,  # noqa: A004
    families,
    generate,
    goldens,
    judge_step,
    methods,
    scenarios,
    solve,
)
from ._scenario import Scene, Trajectory, scenario

# Without `enumerate`, so that `from etalon import *` leaves Python's own alone.
__all__ = [
    "ArgumentError",
    "BoundsError",
    "BudgetError",
    "CertificateError",
    "Claim",
    "DtypeError",
    "EtalonError",
    "Face",
    "InputError",
    "InternalError",
    "JudgedColumns",
    "LimitError",
    "NotFiniteError",
    "NumberError",
    "Problem",
    "Problems",
    "RecordError",
    "Scene",
    "ShapeError",
    "SolutionSet",
    "Trajectory",
    "Truth",
    "Verdict",
    "__version__",
    "batch_meta",
    "certify",
    "check",
    "families",
    "generate",
    "goldens",
    "judge_batch",
    "judge_step",
    "methods",
    "scenario",
    "scenarios",
    "solve",
]


def _restore_claim(record: str, exact: bool) -> Claim:
    """A pickled claim."""
    return Claim.from_json(record, exact=exact)
