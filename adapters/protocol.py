"""The protocol of etalon-claim/1 on standard input and output, for a solver of one's own.

`serve(name, solve)` answers each problem line with a claim line. `solve(M, q)` takes numpy arrays and returns z, or None where it
gives up. A z that is not finite is handed on as it is: what a solver calls solved is judged. The claim's seconds are the processor
time of the best of a few calls, the first of them, which may compile, apart.
"""

import json
import os
import sys
import time

import numpy as np

REPEATS = 5
ENOUGH = 0.2  # seconds


def serve(name, solve):
    # What a library prints on standard output is no claim: it goes to standard error.
    claims = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        problem = json.loads(line)
        print(json.dumps(answer(name, solve, problem)), file=claims, flush=True)


def answer(name, solve, problem):
    claim = {"format": "etalon-claim/1", "name": problem["name"], "status": "failed", "method": name}
    if any(field in problem for field in ("lower", "upper", "friction")):
        return claim | {"message": "this adapter passes M and q on, and nothing else"}
    m = np.array(problem["M"], dtype=float)
    q = np.array(problem["q"], dtype=float)
    try:
        z = solve(m.copy(), q.copy())
        if z is None:
            return claim
        best, spent = float("inf"), 0.0
        for _ in range(REPEATS):
            start = time.process_time()
            z = solve(m.copy(), q.copy())
            took = time.process_time() - start
            best, spent = min(best, took), spent + took
            if spent > ENOUGH:
                break
    except Exception as error:  # a solver's failure is an answer
        return claim | {"message": f"{type(error).__name__}: {error}"[:200]}
    if z is None:
        return claim
    return claim | {"status": "solved", "z": [float(v) for v in z], "seconds": best}
