"""OSQP on min z'Mz/2 + q'z, z >= 0, for symmetric positive semidefinite M, at 1e-10 with polishing and at most 100,000 iterations.
Needs: pip install osqp scipy"""

import numpy as np
import osqp
from scipy import sparse

from protocol import serve


def solve(m, q):
    if not np.array_equal(m, m.T):
        return None
    n = len(q)
    solver = osqp.OSQP()
    solver.setup(
        sparse.csc_matrix(np.triu(m)), q, sparse.identity(n, format="csc"), np.zeros(n), np.full(n, np.inf),
        eps_abs=1e-10, eps_rel=1e-10, max_iter=100_000, polishing=True, verbose=False,
    )
    result = solver.solve(raise_error=False)
    if result.info.status != "solved":
        return None
    # Of z_i and w_i the smaller is meant to be 0.
    z = np.array(result.x)
    return np.where(z > m @ z + q, z, 0.0)


serve("osqp", solve, array=np.array)
