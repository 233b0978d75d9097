"""Clarabel on min z'Mz/2 + q'z, z >= 0, for symmetric positive semidefinite M. Needs: pip install clarabel scipy"""

import clarabel
import numpy as np
from scipy import sparse

from protocol import serve


def settings():
    chosen = clarabel.DefaultSettings()
    chosen.verbose = False
    chosen.max_threads = 1
    chosen.tol_gap_abs = chosen.tol_gap_rel = chosen.tol_feas = 1e-12
    return chosen


def solve(m, q):
    if not np.array_equal(m, m.T):
        return None
    n = len(q)
    quadratic = sparse.csc_matrix(np.triu(m))
    solver = clarabel.DefaultSolver(
        quadratic, q, -sparse.identity(n, format="csc"), np.zeros(n), [clarabel.NonnegativeConeT(n)], settings()
    )
    solution = solver.solve()
    if str(solution.status) not in ("Solved", "AlmostSolved"):
        return None
    # An interior point is near its bounds, not on them: of z_i and w_i the smaller is meant to be 0.
    z = np.array(solution.x)
    return np.where(z > m @ z + q, z, 0.0)


serve("clarabel-qp", solve, array=np.array)
