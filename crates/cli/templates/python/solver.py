"""A solver under test: projected Gauss-Seidel (Cottle, Pang, Stone, The Linear Complementarity Problem, section 5.2).

Put your own into `solve`. The README beside this file has the command that judges it.
"""

from protocol import serve

SWEEPS = 1000


def solve(M, q, lower, upper):
    """z with lower <= z <= upper, where w = Mz + q is at least 0 off the upper bound and at most 0 off the lower one."""
    n = len(q)
    if any(M[i][i] <= 0.0 for i in range(n)):
        return None  # the method divides by the diagonal
    z = [min(max(0.0, lower[i]), upper[i]) for i in range(n)]
    for _ in range(SWEEPS):
        moved = 0.0
        for i in range(n):
            w = q[i] + sum(a * x for a, x in zip(M[i], z))
            new = min(max(z[i] - w / M[i][i], lower[i]), upper[i])
            moved = max(moved, abs(new - z[i]))
            z[i] = new
        if moved <= 1e-14 * max(map(abs, z), default=0.0):
            return z
    return None  # it has not settled


serve("my-solver", solve, can=["boxes"])
