"""The protocol of etalon-claim/1 on standard input and output, for a solver of one's own.

`serve(name, solve)` answers each problem line with a claim line. `solve(M, q)` takes a list of rows and a list, and returns z, or None where
it gives up. A z that is not finite is handed on as it is: what a solver calls solved is judged.

`can` says first what the solver can do, as the option `--can` of `etalon diff` would. With `can=["boxes"]` it is called as
`solve(M, q, lower, upper)`, where a bound that is not there is an infinity. With `can=["boxes", "friction"]` it is called as
`solve(M, q, lower, upper, normal)`: a row i of friction has normal[i] = j and |z_i| <= upper[i] z_j; any other row has normal[i] = -1.
With a word for friction cones ("cones", "cones-convex", "cones-product") bounds come before, and a list of `Cone` is the last argument.

`array` makes M and q, and the bounds, what the solver wants, for example `numpy.array`. The claim's seconds are the processor time of the best
of a few calls, the first of them, which may compile, apart.
"""

import json
import os
import sys
import time
from collections import namedtuple

# A contact of a normal row and discs, under the law "coulomb" or "convex"; a disc has its rows and a friction coefficient for each.
Cone = namedtuple("Cone", "law normal discs")
Disc = namedtuple("Disc", "rows mu")

REPEATS = 5
ENOUGH = 0.2  # seconds


def serve(name, solve, can=None, array=list):
    # What a library prints on standard output is no claim: it goes to standard error.
    claims = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if can is not None:
        print(json.dumps({"format": "etalon-solver/1", "can": list(can)}), file=claims, flush=True)
    for line in sys.stdin:
        problem = json.loads(line)
        print(json.dumps(answer(name, solve, problem, can or [], array)), file=claims, flush=True)


def numbers(values):
    """Floats; a bound that is not there is written as "inf" or "-inf"."""
    return [float(value) for value in values]


def cone(entry):
    """A cone of a record."""
    discs = entry.get("discs")
    normal = entry.get("normal")
    if discs is None:
        normal, *rows = entry["rows"]
        discs = [{"rows": rows, "mu": entry["mu"]}]
    each = lambda disc: disc["mu"] if isinstance(disc["mu"], list) else [disc["mu"]] * len(disc["rows"])
    return Cone(entry.get("law", "coulomb"), normal, [Disc(disc["rows"], numbers(each(disc))) for disc in discs])


def lacks(problem, can):
    """Whether the problem has what the solver cannot do."""
    cones = [cone(entry) for entry in problem.get("cones", [])]
    laws = {"coulomb": "cones", "convex": "cones-convex"}
    return (
        any(field in problem for field in ("lower", "upper")) and "boxes" not in can
        or "friction" in problem and "friction" not in can
        or any(laws[contact.law] not in can for contact in cones)
        or any(len(contact.discs) > 1 for contact in cones) and "cones-product" not in can
    )


def answer(name, solve, problem, can, array):
    claim = {"format": "etalon-claim/1", "name": problem["name"], "status": "failed", "method": name}
    if lacks(problem, can):
        return claim | {"message": "the problem has what this program does not pass on: see its line of what it can"}
    with_cones = any(word.startswith("cones") for word in can)

    def data():
        """Copies of its own for each call, which may write into them."""
        n = len(problem["q"])
        yield array([numbers(row) for row in problem["M"]])
        yield array(numbers(problem["q"]))
        if "boxes" not in can and "friction" not in can and not with_cones:
            return
        lower = numbers(problem.get("lower", [0.0] * n))
        upper = numbers(problem.get("upper", ["inf"] * n))
        normal = [-1] * n
        for row in problem.get("friction", []):
            i, mu = row["row"], float(row["mu"])
            normal[i], lower[i], upper[i] = row["normal"], -mu, mu
        yield array(lower)
        yield array(upper)
        if "friction" in can:
            yield normal
        if with_cones:
            yield [cone(entry) for entry in problem.get("cones", [])]

    try:
        z = solve(*data())
        if z is None:
            return claim
        best, spent = float("inf"), 0.0
        for _ in range(REPEATS):
            own = list(data())
            start = time.process_time()
            z = solve(*own)
            took = time.process_time() - start
            best, spent = min(best, took), spent + took
            if spent > ENOUGH:
                break
    except Exception as error:  # a solver's failure is an answer
        return claim | {"message": f"{type(error).__name__}: {error}"[:200]}
    if z is None:
        return claim
    return claim | {"status": "solved", "z": [float(v) for v in z], "seconds": best}
