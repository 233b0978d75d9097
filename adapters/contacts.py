"""Contacts as the solvers of other projects take them: u = W r + b, rows (N, T1, T2) for each contact, one mu each.

`local` brings a problem of etalon into that form, and `Local.back` brings forces back. What is done to a problem changes no solution:

- free rows (the bodies of a mixed problem) are solved for their unknowns,
- an ellipse is scaled to a circle, r_k = mu_k x_k and u_k = y_k / mu_k,
- a row z_i >= 0, a contact without a disc, and a disc of one row get tangents of their own, which nothing else sees,
- rows with mu_k = 0 have r_k = 0 and are left out.

Everything else is refused by `Refused`, which becomes the message of a failed claim.
"""

import math

import numpy as np


class Refused(Exception):
    """The solver cannot be asked this."""


# A tangential row that no other row sees.
OWN = -1


class Local:
    """W (3k by 3k), b (3k) and mu (k) of k contacts, rows (N, T1, T2)."""

    def __init__(self, m, q, free, contacts):
        self.free = free
        self.n = len(q)
        self.rows = np.array([row for rows, _, _ in contacts for row in rows], dtype=int)
        self.scale = np.array([factor for _, _, factors in contacts for factor in factors])
        self.mu = np.array([mu for _, mu, _ in contacts])
        seen = self.rows != OWN
        self.seen, self.kept = seen, self.rows[seen]
        w, b = self.reduced(m, q)
        scale = self.scale[seen]
        size = len(self.rows)
        self.w, self.b = np.zeros((size, size)), np.zeros(size)
        self.w[np.ix_(seen, seen)] = scale[:, None] * w * scale
        self.b[seen] = scale * b
        for row in np.flatnonzero(~seen):
            normal = row - row % 3
            self.w[row, row] = abs(self.w[normal, normal]) or 1.0

    def reduced(self, m, q):
        """Of the rows that are kept, the free ones solved for."""
        w, b = m[np.ix_(self.kept, self.kept)], q[self.kept]
        self.response = None
        if len(self.free):
            right = np.column_stack([m[np.ix_(self.free, self.kept)], q[self.free]])
            self.response = -np.linalg.solve(m[np.ix_(self.free, self.free)], right)
            below = m[np.ix_(self.kept, self.free)]
            w, b = w + below @ self.response[:, :-1], b + below @ self.response[:, -1]
        return w, b

    def back(self, r):
        """z from the forces r (3k)."""
        z = np.zeros(self.n)
        z[self.kept] = (self.scale * r)[self.seen]
        if self.response is not None:
            z[self.free] = self.response @ np.append(z[self.kept], 1.0)
        return z

    def symmetric(self):
        """W, whose two triangles differ by no more than rounding, made symmetric."""
        if np.abs(self.w - self.w.T).max(initial=0.0) > 1e-12 * np.abs(self.w).max(initial=0.0):
            raise Refused("W is not symmetric, as the solver takes it to be")
        return (self.w + self.w.T) / 2


def on_cone(r, u, mu):
    """The projection of r - u onto the cone |r_k / mu_k| <= r_0, in whose variables r_k / mu_k it is circular.

    The answer of an interior point method is near the boundary of the cone; this is on it, or 0, where it should be."""
    normal = r[0] - u[0]
    tangential = r[1:] / mu - mu * u[1:]
    length = np.linalg.norm(tangential)
    if length <= normal:
        return np.concatenate([[normal], mu * tangential])
    if length <= -normal:
        return np.zeros(len(r))
    share = (normal + length) / 2
    return np.concatenate([[share], mu * tangential * (share / length)])


def contact(cone):
    """Rows, mu and the factors of the rows of a contact."""
    if len(cone.discs) > 1:
        raise Refused("a contact with several discs")
    used = [(row, mu) for disc in cone.discs for row, mu in zip(disc.rows, disc.mu) if mu > 0.0]
    if len(used) > 2:
        raise Refused("a disc with torsion or rolling: more than two tangential rows")
    own = [OWN] * (2 - len(used))
    rows = [cone.normal] + [row for row, _ in used] + own
    coefficients = {mu for _, mu in used}
    if len(coefficients) > 1:
        return rows, 1.0, [1.0] + [mu for _, mu in used] + [1.0] * len(own)
    return rows, coefficients.pop() if coefficients else 0.0, [1.0] * 3


def local(m, q, lower, upper, cones):
    """The contacts of a problem; `Refused` where it has other rows."""
    contacts = [contact(cone) for cone in cones]
    taken = {row for cone in cones for row in [cone.normal] + [row for disc in cone.discs for row in disc.rows]}
    free = []
    for row in range(len(q)):
        if row in taken:
            continue
        if lower[row] == -math.inf and upper[row] == math.inf:
            free.append(row)
        elif lower[row] == 0.0 and upper[row] == math.inf:
            contacts.append(([row, OWN, OWN], 0.0, [1.0] * 3))
        else:
            raise Refused("a row with bounds")
    return Local(m, q, np.array(free, dtype=int), contacts)
