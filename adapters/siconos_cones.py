"""Siconos's solvers of contact with friction cones by name: nsgs, nsn-ac, admm (Coulomb's law), ipm (the convex law).
An answer counts as solved where the driver returns 0.

The tolerance is 1e-12, relative to the norm of the data. The interior point method is there for global
problems M v = H r + q, u = H'v + b only, so it is given M = 1 and H from the eigenvectors of W = H'H. Its forces, which are near their cones,
are then put onto them.
Needs: apt-get install python3-siconos python3-scipy (for /usr/bin/python3)"""

import sys

import numpy as np
import siconos.numerics as sn

from contacts import local, on_cone
from protocol import serve

METHOD = sys.argv[1] if len(sys.argv) > 1 else "nsgs"
TOLERANCE = 1e-12
ITERATIONS = {"nsgs": 100_000, "nsn-ac": 1_000, "admm": 100_000, "ipm": 200}[METHOD]


def options(prefix):
    chosen = sn.SolverOptions(getattr(sn, f"SICONOS_{prefix}FRICTION_3D_" + METHOD.upper().replace("-", "_")))
    chosen.dparam[sn.SICONOS_DPARAM_TOL] = TOLERANCE
    chosen.iparam[sn.SICONOS_IPARAM_MAX_ITER] = ITERATIONS
    return chosen


def coulomb(w, b, mu):
    problem = sn.FrictionContactProblem(3, len(mu), np.asfortranarray(w), b, mu)
    r, u = np.zeros(len(b)), np.zeros(len(b))
    return r, sn.fc3d_driver(problem, r, u, options(""))


def convex(w, b, mu):
    from scipy import sparse

    values, vectors = np.linalg.eigh(w)
    kept = values > 1e-15 * max(values.max(), 0.0)
    h = np.sqrt(values[kept])[:, None] * vectors[:, kept].T
    problem = sn.GlobalFrictionContactProblem()
    problem.dimension, problem.numberOfContacts = 3, len(mu)
    # What the problem points to is kept by names here: it does not own it.
    identity, h = sparse.identity(len(h), format="csc"), sparse.csc_matrix(h)
    for matrix in (identity, h):
        matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    q = np.zeros(h.shape[0])
    problem.M, problem.H, problem.q, problem.b, problem.mu = identity, h, q, b, mu
    chosen = options("GLOBAL_")
    # The scaling of Nesterov and Todd ends the process at small tolerances, by an assertion in JA_sqrt_inv.
    chosen.iparam[sn.SICONOS_FRICTION_3D_IPM_IPARAM_NESTEROV_TODD_SCALING] = 0
    r, u, v = np.zeros(len(b)), np.zeros(len(b)), np.zeros(h.shape[0])
    info = sn.gfc3d_driver(problem, r, u, v, chosen)
    return put_onto_cones(r, w @ r + b, w, mu), info


def put_onto_cones(r, u, w, mu):
    """Contacts moved by a step of the natural map, as long as their own resistance says."""
    out = r.copy()
    for k, coefficient in enumerate(mu):
        rows, resistance = slice(3 * k, 3 * k + 3), w[3 * k, 3 * k]
        if coefficient > 0.0 and resistance > 0.0:
            out[rows] = on_cone(r[rows], u[rows] / resistance, np.full(2, coefficient))
    return out


def solve(m, q, lower, upper, cones):
    contacts = local(m, q, lower, upper, cones)
    if METHOD == "ipm":
        r, info = convex(contacts.symmetric(), contacts.b, contacts.mu)
    else:
        r, info = coulomb(contacts.w, contacts.b, contacts.mu)
    return contacts.back(r) if info == 0 else None


sn.numerics_set_verbose(0)
serve("siconos-" + METHOD, solve, can=["boxes", "cones-convex" if METHOD == "ipm" else "cones"], array=np.array)
