"""Drake's MobyLcpSolver (moby, the default) and UnrevisedLemkeSolver (unrevised-lemke), through MathematicalProgram, with their default
tolerances; an answer counts as solved where is_success() is true. Needs: pip install drake"""

import sys

import numpy as np
from pydrake.solvers import MathematicalProgram, MobyLcpSolver, UnrevisedLemkeSolver

from protocol import serve

METHOD = sys.argv[1] if len(sys.argv) > 1 else "moby"
SOLVER = {"moby": MobyLcpSolver, "unrevised-lemke": UnrevisedLemkeSolver}[METHOD]()


def solve(m, q):
    program = MathematicalProgram()
    z = program.NewContinuousVariables(len(q))
    program.AddLinearComplementarityConstraint(m, q, z)
    result = SOLVER.Solve(program)
    return result.GetSolution(z) if result.is_success() else None


serve("drake-" + METHOD, solve, array=np.array)
