"""QuantEcon's Lemke. Needs: pip install quantecon"""

import numpy as np
from quantecon.optimize import lcp_lemke

from protocol import serve


def solve(m, q):
    result = lcp_lemke(np.ascontiguousarray(m), q)
    return result.z if result.success else None


serve("quantecon-lemke", solve, array=np.array)
