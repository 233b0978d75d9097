"""LAPACK's LU with partial pivoting (gesv, through numpy): each line a record with M and q, answered with z, M z + q = 0.
Needs: pip install numpy"""

import json
import sys

import numpy as np

for line in sys.stdin:
    record = json.loads(line)
    claim = {"format": "etalon-claim/1", "name": record["name"], "status": "failed"}
    try:
        z = np.linalg.solve(np.array(record["M"], dtype=float), -np.array(record["q"], dtype=float))
        if np.isfinite(z).all():
            claim |= {"status": "solved", "z": z.tolist()}
    except np.linalg.LinAlgError:
        pass  # singular
    print(json.dumps(claim), flush=True)
