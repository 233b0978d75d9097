"""The protocol of etalon-claim/1 on standard input and output, for a solver of one's own.

`serve(name, solve)` answers each problem line with a claim line. `solve(M, q)` takes numpy arrays and returns z, or None where it
gives up. The claim's seconds are the processor time of the best of a few calls, the first of them, which may compile, apart.
"""

import json
import sys
import time

import numpy as np

REPEATS = 5
ENOUGH = 0.5  # seconds


def serve(name, solve):
    for line in sys.stdin:
        problem = json.loads(line)
        print(json.dumps(answer(name, solve, problem)), flush=True)


def answer(name, solve, problem):
    claim = {"format": "etalon-claim/1", "name": problem["name"], "status": "failed", "method": name}
    m = np.array(problem["M"], dtype=float)
    q = np.array(problem["q"], dtype=float)
    try:
        z = solve(m, q)
        best, spent = float("inf"), 0.0
        for _ in range(REPEATS):
            start = time.process_time()
            z = solve(m, q)
            took = time.process_time() - start
            best, spent = min(best, took), spent + took
            if spent > ENOUGH:
                break
    except Exception as error:  # a solver's failure is an answer
        return claim | {"message": f"{type(error).__name__}: {error}"[:200]}
    if z is None or not np.all(np.isfinite(z)):
        return claim
    return claim | {"status": "solved", "z": [float(v) for v in z], "seconds": best}
