"""Pinocchio's solvers of contact with friction cones by name: admm (Coulomb's law), admm-convex (the convex law), pgs (Coulomb's law).
An answer counts as solved where the solver says that it has converged.

Pinocchio has the normal last. It is made for Delassus matrices and reads one triangle of W, so that W must be symmetric.
Needs: pip install pin numpy"""

import sys

import numpy as np
import pinocchio

from contacts import local
from protocol import serve

METHOD = sys.argv[1] if len(sys.argv) > 1 else "admm"
TOLERANCE = 1e-12
ITERATIONS = 100_000
NAME = METHOD.split("-")[0].upper()


def settings():
    chosen = getattr(pinocchio, NAME + "SolverSettings")()
    chosen.solve_ncp = METHOD != "admm-convex"
    chosen.max_iterations = ITERATIONS
    chosen.absolute_feasibility_tol = chosen.absolute_complementarity_tol = TOLERANCE
    chosen.relative_feasibility_tol = chosen.relative_complementarity_tol = TOLERANCE
    return chosen


def constraints(mu):
    """Point contacts of a model without bodies: only their cones are asked for."""
    model = pinocchio.Model()
    models, datas = pinocchio.StdVec_ConstraintModel(), pinocchio.StdVec_ConstraintData()
    for coefficient in mu:
        contact = pinocchio.PointContactConstraintModel(model, 0)
        contact.setFriction(float(coefficient))
        models.append(pinocchio.ConstraintModel(contact))
    for contact in models:
        datas.append(contact.createData())
    return models, datas


def solve(m, q, lower, upper, cones):
    contacts = local(m, q, lower, upper, cones)
    n = len(contacts.b)
    normal_last = np.arange(n).reshape(-1, 3)[:, [1, 2, 0]].ravel()
    w = contacts.symmetric()[np.ix_(normal_last, normal_last)]
    result = getattr(pinocchio, NAME + "SolverResult")()
    solver = getattr(pinocchio, NAME + "ConstraintSolver")(n)
    models, datas = constraints(contacts.mu)
    delassus = pinocchio.DelassusOperatorDense(w)
    if not solver.solve(delassus, contacts.b[normal_last], models, datas, settings(), result):
        return None
    r = np.zeros(n)
    r[normal_last] = result.retrieveConstraintImpulses()
    return contacts.back(r)


serve("pinocchio-" + METHOD, solve, can=["boxes", "cones-convex" if METHOD == "admm-convex" else "cones"], array=np.array)
