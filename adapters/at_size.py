"""Solvers for sparse problems of many rows, by files: clarabel, osqp, siconos-pgs and siconos-nsgs.

    python at_size.py clarabel PROBLEM CLAIM SECONDS

PROBLEM is an etalon-problem/1 in JSON with M by its entries; CLAIM is where the claim goes, whose seconds are the processor time of the
solver alone. After SECONDS the solver has failed. A problem that a solver is not made for gets no claim, and exit status 3.

- clarabel and osqp get an LCP with a symmetric positive semidefinite M as min z'Mz/2 + q'z, z >= 0, and the mixed form M = [[A, -H'], [H, 0]] of velocities v and
  forces as min v'Av/2 + q'v, Hv + q >= 0, whose multipliers are the forces; at tolerances of 1e-10, Clarabel at 1e-12.
- siconos-pgs, projected Gauss-Seidel, gets the LCP at 1e-12.
- siconos-nsgs, block Gauss-Seidel, gets friction cones in mixed form as u = H A^-1 H' r + b at 1e-12, three rows for each contact; a contact with one tangent gets a second
  one of its own, whose force is 0.

The last two go on from where they were until they have converged or the time is over.
Needs: pip install clarabel osqp scipy; or apt-get install python3-siconos python3-scipy (for /usr/bin/python3)"""

import json
import sys
import time

import numpy as np
from scipy import sparse


class Unfit(Exception):
    """The solver is not made for such a problem."""


class Problem:
    """M, q, which rows are free, and the cones of a record."""

    def __init__(self, path):
        with open(path) as file:
            record = json.loads(file.readline())
        n = len(record["q"])
        rows, columns, values = zip(*record["M"]["entries"])
        self.name = record["name"]
        self.m = sparse.csc_matrix(([float(value) for value in values], (rows, columns)), shape=(n, n))
        self.q = np.array([float(value) for value in record["q"]])
        lower = np.array([float(value) for value in record.get("lower", [0.0] * n)])
        upper = np.array([float(value) for value in record.get("upper", ["inf"] * n)])
        self.free = np.isneginf(lower)
        self.cones = record.get("cones", [])
        if "friction" in record or not np.isposinf(upper).all() or not (self.free | (lower == 0.0)).all():
            raise Unfit("bounds or friction rows")

    def quadratic(self):
        """P, p, C and c of min x'Px/2 + p'x, Cx + c >= 0."""
        if self.cones:
            raise Unfit("friction cones")
        if not self.free.any():
            if abs(self.m - self.m.T).max() > 0.0:
                raise Unfit("M is not symmetric")
            n = len(self.q)
            return self.m, self.q, sparse.identity(n, format="csc"), np.zeros(n)
        masses, h = self.bodies()
        return masses.tocsc(), self.q[self.free], h.tocsc(), self.q[~self.free]

    def bodies(self):
        """A and H of M = [[A, -H'], [H, 0]]."""
        rows = self.m.tocsr()
        of_bodies, of_contacts = rows[self.free], rows[~self.free]
        masses, h = of_bodies[:, self.free], of_contacts[:, self.free]
        if of_contacts[:, ~self.free].nnz or abs(of_bodies[:, ~self.free] + h.T).max() > 0.0:
            raise Unfit("contacts that meet more than bodies, or do not act as they react")
        return masses, h

    def answer(self, x, multipliers):
        """z from a solution of `quadratic`. Of z_i and w_i the smaller is meant to be 0."""
        if not self.free.any():
            return np.where(x > self.m @ x + self.q, x, 0.0)
        return self.moving(x, np.maximum(multipliers, 0.0))

    def moving(self, velocities, forces):
        """z from velocities and forces. Bodies at rest have a velocity of 0: less than 1e-10 of what the terms of their balance come to is meant to be 0."""
        masses, h = self.bodies()
        terms = abs(h).T @ abs(forces) + abs(self.q[self.free])
        rest = abs(masses @ velocities) <= 1e-10 * terms
        z = np.empty(len(self.q))
        z[self.free], z[~self.free] = np.where(rest, 0.0, velocities), forces
        return np.where(self.free | (z > self.m @ z + self.q) | bool(self.cones), z, 0.0)


def clarabel(problem, seconds):
    import clarabel

    chosen = clarabel.DefaultSettings()
    chosen.verbose, chosen.max_threads, chosen.time_limit = False, 1, seconds
    chosen.tol_gap_abs = chosen.tol_gap_rel = chosen.tol_feas = 1e-12
    p, linear, rows, constant = problem.quadratic()
    cones = [clarabel.NonnegativeConeT(len(constant))]
    solver = clarabel.DefaultSolver(sparse.triu(p, format="csc"), linear, -rows, constant, cones, chosen)
    solution = solver.solve()
    if str(solution.status) not in ("Solved", "AlmostSolved"):
        return None, str(solution.status)
    return problem.answer(np.array(solution.x), np.array(solution.z)), str(solution.status)


def osqp(problem, seconds):
    import osqp

    p, linear, rows, constant = problem.quadratic()
    solver = osqp.OSQP()
    solver.setup(
        sparse.triu(p, format="csc"), linear, rows, -constant, np.full(len(constant), np.inf),
        eps_abs=1e-10, eps_rel=1e-10, max_iter=1_000_000, polishing=True, verbose=False, time_limit=seconds,
    )
    result = solver.solve(raise_error=False)
    if result.info.status != "solved":
        return None, result.info.status
    return problem.answer(np.array(result.x), -np.array(result.y)), result.info.status


def until_converged(seconds, sweep):
    """Sweeps, more and more at a time, until `sweep(count)` says that they have converged; whether they did in that time."""
    end, sweeps = time.process_time() + seconds, 100
    while time.process_time() < end:
        if sweep(sweeps):
            return True
        sweeps = min(2 * sweeps, 10_000)
    return False


def with_long_indices(m):
    m = m.copy()
    m.indices, m.indptr = m.indices.astype(np.int64), m.indptr.astype(np.int64)
    return m


def siconos_pgs(problem, seconds):
    import siconos.numerics as sn

    if problem.cones or problem.free.any():
        raise Unfit("friction cones or free rows")
    if not (problem.m.diagonal() > 0.0).all():
        raise Unfit("a diagonal with a 0")
    sn.numerics_set_verbose(0)
    m, q = with_long_indices(problem.m), problem.q
    z, w = np.zeros(len(q)), np.zeros(len(q))

    def sweep(sweeps):
        chosen = sn.SolverOptions(sn.SICONOS_LCP_PGS)
        chosen.dparam[sn.SICONOS_DPARAM_TOL], chosen.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 1e-12, sweeps
        return sn.linearComplementarity_driver(sn.LCP(m, q), z, w, chosen) == 0

    return (z, "converged") if until_converged(seconds, sweep) else (None, "not converged")


def siconos_nsgs(problem, seconds):
    import siconos.numerics as sn

    if not problem.cones:
        raise Unfit("no friction cones")
    sn.numerics_set_verbose(0)
    masses, h = problem.bodies()
    inverse = sparse.diags(1.0 / masses.diagonal())
    if (masses - sparse.diags(masses.diagonal())).nnz or not problem.free.any():
        raise Unfit("bodies whose coordinates meet each other")
    w, b = h @ inverse @ h.T, problem.q[~problem.free] - h @ (inverse @ problem.q[problem.free])
    # Row 3k, 3k + 1 and 3k + 2 of contact k, each a row of the problem or one of its own.
    place = np.cumsum(~problem.free) - 1
    own, rows, mu = [], [], []
    for k, cone in enumerate(problem.cones):
        if "discs" in cone or isinstance(cone["mu"], list) or len(cone["rows"]) > 3 or cone.get("law", "coulomb") != "coulomb":
            raise Unfit("other cones than circular ones under Coulomb's law")
        mu.append(float(cone["mu"]))
        for t, row in enumerate(cone["rows"]):
            own.append(3 * k + t)
            rows.append(place[row])
    if sorted(rows) != list(range(len(b))):
        raise Unfit("rows that are no contacts")
    size = 3 * len(mu)
    spread = sparse.csr_matrix((np.ones(len(rows)), (own, rows)), shape=(size, len(b)))
    alone = np.ones(size)
    alone[own] = 0.0
    w3 = with_long_indices((spread @ w @ spread.T + sparse.diags(alone)).tocsc())
    given = sn.FrictionContactProblem(3, len(mu), w3, spread @ b, np.array(mu))
    r, u = np.zeros(size), np.zeros(size)

    def sweep(sweeps):
        chosen = sn.SolverOptions(sn.SICONOS_FRICTION_3D_NSGS)
        chosen.dparam[sn.SICONOS_DPARAM_TOL], chosen.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 1e-12, sweeps
        return sn.fc3d_driver(given, r, u, chosen) == 0

    if not until_converged(seconds, sweep):
        return None, "not converged"
    forces = spread.T @ r
    velocities = inverse @ (h.T @ forces - problem.q[problem.free])
    return problem.moving(velocities, forces), "converged"


def main():
    name, path, claim, seconds = sys.argv[1:]
    solve = {"clarabel": clarabel, "osqp": osqp, "siconos-pgs": siconos_pgs, "siconos-nsgs": siconos_nsgs}[name]
    try:
        problem = Problem(path)
        start = time.process_time()
        z, status = solve(problem, float(seconds))
    except Unfit as reason:
        print(f"{name} is not made for this problem: {reason}", file=sys.stderr)
        sys.exit(3)
    took = time.process_time() - start
    answer = {"format": "etalon-claim/1", "name": problem.name, "status": "failed", "method": name, "message": status}
    if z is not None:
        answer |= {"status": "solved", "z": z.tolist(), "seconds": took}
        del answer["message"]
    with open(claim, "w") as file:
        print(json.dumps(answer), file=file)


main()
