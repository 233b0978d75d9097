"""What Python costs: solving, proving and judging problems from numpy and back, beside the same work in Rust alone.

    python crates/python/examples/round_trip.py [COUNT] [N]

Both sides are measured in one run, in turns, and the best of three counts. 10,000 problems of 50 rows by default.
"""

import sys
import time

import numpy as np

import etalon
from etalon._etalon import _rust_seconds

count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
n = int(sys.argv[2]) if len(sys.argv) > 2 else 50
ROUNDS = 3


def problems():
    """Positive definite M of shape (count, n, n) and q of shape (count, n)."""
    generator = np.random.default_rng(1)
    M = np.empty((count, n, n))
    for k in range(count):
        a = generator.standard_normal((n, n))
        M[k] = a @ a.T + np.eye(n)
    return M, generator.standard_normal((count, n))


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


M, q = problems()
Z = np.array([etalon.solve(m, b, method="fast-auto").z for m, b in zip(M, q)])
exact = slice(0, max(1, count // 100))  # exact work takes longer


def solve_fast():
    for m, b in zip(M, q):
        etalon.solve(m, b, method="fast-auto").z


def solve_exactly():
    for m, b in zip(M[exact], q[exact]):
        etalon.solve(m, b, exact=True).z


def check():
    for m, b, z in zip(M, q, Z):
        etalon.check(m, b, z).accepted


rows = [
    ("solve, fast-auto", solve_fast, lambda: _rust_seconds(M, q, "fast-auto"), count),
    ("check", check, lambda: _rust_seconds(M, q, "fast-auto", Z), count),
    ("solve, certified, Fractions out", solve_exactly, lambda: _rust_seconds(M[exact], q[exact], "certified"), len(q[exact])),
]
print(f"{'n = ' + str(n):<34}{'problems':>9}{'numpy':>12}{'Rust':>12}{'ratio':>8}")
worst = 0.0
for name, work, in_rust, solved in rows:
    python, rust = float("inf"), float("inf")
    for _ in range(ROUNDS):
        python = min(python, seconds(work))
        rust = min(rust, in_rust())
    worst = max(worst, python / rust)
    print(f"{name:<34}{solved:>9}{python / solved * 1e6:>9.1f} us{rust / solved * 1e6:>9.1f} us{python / rust:>8.2f}")
sys.exit(worst > 2)
