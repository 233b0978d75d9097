"""Siconos's LCP solvers by name: lemke (the default), pivot, newton-min-fblsa, pgs, avi-caoferris, enum, with their own default
tolerances and iterations; an answer counts as solved where the driver returns 0.
Needs: apt-get install python3-siconos (for /usr/bin/python3)"""

import sys

import numpy as np
import siconos.numerics as sn

from protocol import serve

METHOD = sys.argv[1] if len(sys.argv) > 1 else "lemke"
IDENTIFIER = getattr(sn, "SICONOS_LCP_" + METHOD.upper().replace("-", "_"))


def solve(m, q):
    n = len(q)
    z, w = np.zeros(n), np.zeros(n)
    info = sn.linearComplementarity_driver(sn.LCP(m, q), z, w, sn.SolverOptions(IDENTIFIER))
    return z if info == 0 else None


serve("siconos-" + METHOD, solve, array=np.array)
