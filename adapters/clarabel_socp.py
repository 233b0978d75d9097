"""Clarabel on min r'Wr/2 + b'r with r in K, a programme of second-order cones: the convex law of friction, for W symmetric positive
semidefinite. Free rows are solved for first; contacts may have any discs, and rows z >= 0 stand beside them. An answer counts as solved
where the status is Solved; forces of contacts with one disc are then put onto their cones.
Needs: pip install clarabel scipy"""

import math

import clarabel
import numpy as np
from scipy import sparse

from contacts import Local, Refused, on_cone
from protocol import serve


def settings():
    chosen = clarabel.DefaultSettings()
    chosen.verbose = False
    chosen.max_threads = 1
    chosen.tol_gap_abs = chosen.tol_gap_rel = chosen.tol_feas = 1e-12
    return chosen


def programme(lower, upper, cones, n):
    """Free rows, rows in cones, the rows of A (as lists of pairs of row and factor) and the cones of s = -A r."""
    discs = [(cone.normal, disc) for cone in cones for disc in cone.discs]
    taken = {row for normal, disc in discs for row in disc.rows} | {cone.normal for cone in cones}
    free = [i for i in range(n) if i not in taken and lower[i] == -math.inf and upper[i] == math.inf]
    plain = [i for i in range(n) if i not in taken and i not in set(free)]
    if any(lower[i] != 0.0 or upper[i] != math.inf for i in plain):
        raise Refused("a row with bounds")
    plain += [cone.normal for cone in cones if not cone.discs]
    still = [row for _, disc in discs for row, mu in zip(disc.rows, disc.mu) if mu == 0.0]
    sides = [[(row, 1.0)] for row in plain]
    shapes = [clarabel.NonnegativeConeT(len(plain))] if plain else []
    for normal, disc in discs:
        moving = [(row, 1.0 / mu) for row, mu in zip(disc.rows, disc.mu) if mu > 0.0]
        sides += [[(normal, 1.0)]] + [[pair] for pair in moving]
        shapes.append(clarabel.SecondOrderConeT(1 + len(moving)))
    kept = [i for i in range(n) if i not in set(free) and i not in set(still)]
    return free, kept, sides, shapes


def put_onto_cones(r, w, b, place, cones):
    """Contacts of one disc moved by a step of the natural map, as long as their own resistance says."""
    u = w @ r + b
    out = r.copy()
    for cone in cones:
        normal = place[cone.normal]
        if len(cone.discs) != 1 or w[normal, normal] <= 0.0:
            continue
        moving = [(place[row], mu) for row, mu in zip(cone.discs[0].rows, cone.discs[0].mu) if mu > 0.0]
        rows = [normal] + [k for k, _ in moving]
        out[rows] = on_cone(r[rows], u[rows] / w[normal, normal], np.array([mu for _, mu in moving]))
    return out


def solve(m, q, lower, upper, cones):
    free, kept, sides, shapes = programme(lower, upper, cones, len(q))
    # Contacts of one row each: here only the reduction of the free rows is asked for.
    reduced = Local(m, q, np.array(free, dtype=int), [([row], 0.0, [1.0]) for row in kept])
    w = reduced.symmetric()
    place = {row: k for k, row in enumerate(kept)}
    a = sparse.lil_matrix((len(sides), len(kept)))
    for k, side in enumerate(sides):
        for row, factor in side:
            a[k, place[row]] = -factor
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix(np.triu(w)), reduced.b, sparse.csc_matrix(a), np.zeros(len(sides)), shapes, settings()
    )
    solution = solver.solve()
    if str(solution.status) != "Solved":
        return None
    return reduced.back(put_onto_cones(np.array(solution.x), w, reduced.b, place, cones))


serve("clarabel-socp", solve, can=["boxes", "cones-convex", "cones-product"], array=np.array)
