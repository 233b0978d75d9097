"""Solvers for sparse problems of many rows, by files: clarabel, osqp and siconos-pgs on an LCP with a symmetric positive semidefinite M.

    python at_size.py clarabel PROBLEM CLAIM SECONDS

PROBLEM is an etalon-problem/1 in JSON with M by its entries; CLAIM is where the claim goes, whose seconds are the processor time of the
solver alone. After SECONDS the solver has failed. Clarabel and OSQP get min z'Mz/2 + q'z, z >= 0, at tolerances of 1e-10, Clarabel at 1e-12; Siconos's projected
Gauss-Seidel gets the LCP at 1e-12, and goes on from where it was until it has converged or the time is over.
Needs: pip install clarabel osqp scipy; or apt-get install python3-siconos python3-scipy (for /usr/bin/python3)"""

import json
import sys
import time

import numpy as np
from scipy import sparse


def read(path):
    with open(path) as file:
        problem = json.loads(file.readline())
    n = len(problem["q"])
    rows, columns, values = zip(*problem["M"]["entries"])
    m = sparse.csc_matrix(([float(value) for value in values], (rows, columns)), shape=(n, n))
    return problem["name"], m, np.array([float(value) for value in problem["q"]])


def on_bounds(z, m, q):
    """Of z_i and w_i the smaller is meant to be 0."""
    return np.where(z > m @ z + q, z, 0.0)


def clarabel(m, q, seconds):
    import clarabel

    chosen = clarabel.DefaultSettings()
    chosen.verbose, chosen.max_threads, chosen.time_limit = False, 1, seconds
    chosen.tol_gap_abs = chosen.tol_gap_rel = chosen.tol_feas = 1e-12
    n = len(q)
    side = -sparse.identity(n, format="csc")
    upper = sparse.triu(m, format="csc")
    solver = clarabel.DefaultSolver(upper, q, side, np.zeros(n), [clarabel.NonnegativeConeT(n)], chosen)
    solution = solver.solve()
    if str(solution.status) not in ("Solved", "AlmostSolved"):
        return None, str(solution.status)
    return on_bounds(np.array(solution.x), m, q), str(solution.status)


def osqp(m, q, seconds):
    import osqp

    n = len(q)
    solver = osqp.OSQP()
    solver.setup(
        sparse.triu(m, format="csc"), q, sparse.identity(n, format="csc"), np.zeros(n), np.full(n, np.inf),
        eps_abs=1e-10, eps_rel=1e-10, max_iter=1_000_000, polishing=True, verbose=False, time_limit=seconds,
    )
    result = solver.solve(raise_error=False)
    if result.info.status != "solved":
        return None, result.info.status
    return on_bounds(np.array(result.x), m, q), result.info.status


def siconos_pgs(m, q, seconds):
    import siconos.numerics as sn

    sn.numerics_set_verbose(0)
    m = m.copy()
    m.indices, m.indptr = m.indices.astype(np.int64), m.indptr.astype(np.int64)
    z, w = np.zeros(len(q)), np.zeros(len(q))
    end, sweeps = time.process_time() + seconds, 100
    while time.process_time() < end:
        chosen = sn.SolverOptions(sn.SICONOS_LCP_PGS)
        chosen.dparam[sn.SICONOS_DPARAM_TOL], chosen.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 1e-12, sweeps
        if sn.linearComplementarity_driver(sn.LCP(m, q), z, w, chosen) == 0:
            return z, "converged"
        sweeps = min(2 * sweeps, 10_000)
    return None, "not converged"


def main():
    name, problem, claim, seconds = sys.argv[1:]
    solve = {"clarabel": clarabel, "osqp": osqp, "siconos-pgs": siconos_pgs}[name]
    problem, m, q = read(problem)
    start = time.process_time()
    z, status = solve(m, q, float(seconds))
    took = time.process_time() - start
    answer = {"format": "etalon-claim/1", "name": problem, "status": "failed", "method": name, "message": status}
    if z is not None:
        answer |= {"status": "solved", "z": z.tolist(), "seconds": took}
        del answer["message"]
    with open(claim, "w") as file:
        print(json.dumps(answer), file=file)


main()
