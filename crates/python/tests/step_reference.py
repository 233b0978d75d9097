"""The only answer of a step, found by other means than the judge: numpy, in the longest floats of the machine.

It minimises |a - a0|_M^2 / 2 + s(J a - r) by Newton's method on a function with a piecewise smooth gradient, and knows nothing
of the judge's bounds. Cones are taken where R_j mu_j^2 is the same for all further rows, as in MuJoCo.
"""

import numpy as np

FREE, BOX, NONNEGATIVE, NORMAL, TANGENT = range(5)
LONG = np.longdouble


def groups(step):
    """The rows of each set: one, or those of a cone."""
    starts = [row for row in range(len(step.R)) if step.kinds[row] != TANGENT]
    return [np.arange(start, end) for start, end in zip(starts, [*starts[1:], len(step.R)], strict=True)]


def law(step, x):
    """The force of the law at x = J a - r, and minus its derivative, (nefc,) and (nefc, nefc)."""
    force, slope = np.zeros(len(x), LONG), np.zeros((len(x), len(x)), LONG)
    for rows in groups(step):
        kind, R, own = step.kinds[rows[0]], step.R[rows], x[rows]
        if kind == NORMAL:
            force[rows], slope[np.ix_(rows, rows)] = cone(own, R, step.parameter[rows[1:]])
            continue
        free, bound = -own[0] / R[0], step.parameter[rows[0]]
        low, high = {FREE: (-np.inf, np.inf), BOX: (-bound, bound), NONNEGATIVE: (0, np.inf)}[kind]
        force[rows[0]] = min(max(free, low), high)
        slope[rows[0], rows[0]] = 1 / R[0] if low < free < high else 0
    return force, slope


def cone(x, R, mu):
    """The minimum of f'Rf/2 + x'f over |(f_j/mu_j)| <= f_0, and minus its derivative by x."""
    n, m = len(x), np.concatenate([[1], mu])
    weight = np.mean(R[1:] * mu**2)
    y, slope = (m * x)[1:], np.zeros((n, n), LONG)
    size = np.sqrt(np.sum(y**2))
    if size / weight <= -x[0] / R[0]:
        return np.concatenate([[-x[0] / R[0]], -mu * y / weight]), np.diag(np.concatenate([[1 / R[0]], mu**2 / weight]))
    height = (size - x[0]) / (R[0] + weight)
    if height <= 0:
        return np.zeros(n, LONG), slope
    side, total = y / size, R[0] + weight
    slope[0, 0], slope[0, 1:] = 1 / total, -side / total
    slope[1:, 0] = slope[0, 1:]
    slope[1:, 1:] = np.outer(side, side) / total + height / size * (np.eye(n - 1) - np.outer(side, side))
    return np.concatenate([[height], -mu * side * height]), m[:, None] * slope * m


def objective(step, a):
    """|a - a0|_M^2 / 2 + s(J a - r), which the engine minimises."""
    x = step.J.astype(LONG) @ a - step.target
    force, _ = law(step, x)
    apart = a - np.linalg.solve(step.M, step.smooth)
    return apart @ (step.M.astype(LONG) @ apart) / 2 - (np.sum(step.R * force**2) / 2 + x @ force)


def solve(step, rounds=300):
    """The acceleration, and the norm of what is left of the gradient relative to its terms."""
    M, J, q = step.M.astype(LONG), step.J.astype(LONG), step.smooth.astype(LONG)
    cost = lambda a: objective(step, a)  # noqa: E731
    a = np.linalg.solve(step.M, step.smooth).astype(LONG)
    for _ in range(rounds):
        x = J @ a - step.target
        force, slope = law(step, x)
        gradient = M @ a - q - J.T @ force
        change = -np.linalg.solve((M + J.T @ slope @ J).astype(float), gradient.astype(float))
        along, start, now = 1.0, float(gradient @ change), cost(a)
        while along > 1e-12 and cost(a + along * change) > now + 1e-4 * along * start + 1e-17 * abs(now):
            along /= 2
        a = a + along * change
        if along == 1.0 and np.abs(change).max() <= 1e-15 * max(np.abs(a).max(), 1e-300):
            break
    left = M @ a - q - J.T @ law(step, J @ a - step.target)[0]
    size = float((np.abs(M) @ np.abs(a) + np.abs(q)).max())
    return a, float(np.abs(left).max()) / size if size else 0.0


def distance(step, a):
    """|a' - a|_M / max(|a'|_M, |a0|_M), a' being the engine's acceleration."""
    norm = lambda v: float(np.sqrt(v @ (step.M.astype(LONG) @ v)))  # noqa: E731
    scale = max(norm(step.acceleration), norm(np.linalg.solve(step.M, step.smooth)))
    apart = norm(step.acceleration - a)
    return apart / scale if apart else 0.0
