"""lemkelcp's Lemke, with its default of 100 pivots. As published it needs Python 2, where range() is a list; with lists in its two
places it runs on Python 3. Needs: pip install lemkelcp numpy"""

import numpy as np
from lemkelcp import lemkelcp as module

from protocol import serve


class Tableau(module.lemketableau):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.wPos, self.zPos = list(self.wPos), list(self.zPos)


def solve(m, q):
    z, code, _ = Tableau(m, q).lemkeAlgorithm()
    return z if code == 0 else None


serve("lemkelcp", solve, array=np.array)
