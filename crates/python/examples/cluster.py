"""Judges problems in Parquet files on a cluster of Dask, kills a worker in the middle, and counts what is lost or doubled.

    pip install ./crates/python 'dask[distributed]' pyarrow
    python crates/python/examples/cluster.py                     # 10,000,000 problems on 2 workers
    python crates/python/examples/cluster.py --problems 200000   # to see whether it works

Each shard is a file of answers to random positive definite problems, three rows each; one answer in a thousand is spoilt. A task reads
a shard, judges it, and puts its verdicts in place by a rename: a task that is done again, because its worker died, leaves one file.
At the end every verdict is read back. The program ends with 1 if one is missing, doubled, or not what it must be.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from itertools import chain, combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from dask.distributed import Client, LocalCluster, wait

import etalon

#: Rows of a problem.
N = 3
#: One answer in so many is spoilt.
SPOILT = 1000


def solutions(M: np.ndarray, q: np.ndarray) -> np.ndarray:
    """z of each problem: of the 2^N places of its rows those that fit. M is (count, N, N) and positive definite, q (count, N)."""
    z = np.zeros_like(q)
    rows = range(N)
    for S in map(list, chain.from_iterable(combinations(rows, k) for k in range(1, N + 1))):
        x = np.zeros_like(q)
        x[:, S] = np.linalg.solve(M[:, S][:, :, S], -q[:, S, None])[..., 0]
        w = np.einsum("kij,kj->ki", M, x) + q
        others = [i for i in rows if i not in S]
        fits = (x[:, S] > 0).all(axis=1) & (w[:, others] >= 0).all(axis=1)
        z[fits] = x[fits]
    return z


def write_answers(folder: Path, shard: int, count: int) -> None:
    """A shard of problems with answers, drawn from the shard's own seed."""
    draw = np.random.default_rng([1, shard])
    A = draw.normal(size=(count, N, N))
    M = A @ A.transpose(0, 2, 1) + 0.5 * np.eye(N)
    q = draw.normal(size=(count, N))
    z = solutions(M, q)
    ids = shard * count + np.arange(count)
    z[ids % SPOILT == 0] += 0.25

    def column(values: np.ndarray) -> pa.Array:
        return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), values[0].size)

    table = pa.table({"name": ids, "M": column(M), "q": column(q), "z": column(z)})
    pq.write_table(table, folder / f"{shard:06}.parquet")


def judge_shard(answers: str, verdicts: str) -> float:
    """Judges a file; the processor time of `judge_batch` alone."""
    table = pq.read_table(answers)
    start = time.process_time()
    judged = etalon.judge_batch(table)
    seconds = time.process_time() - start
    partial = f"{verdicts}.{os.getpid()}.partial"
    pq.write_table(judged.select(["name", "verdict", "accepted", "natural_error"]), partial)
    os.replace(partial, verdicts)
    return seconds


def kill_one(client: Client) -> int:
    """Kills a worker that is at work, as a machine that goes down does; its process."""
    pids = client.run(os.getpid)
    pid = next(iter(pids.values()))
    os.kill(pid, signal.SIGKILL)
    return pid


def run(folder: Path, shards: int, workers: int) -> dict[str, object]:
    """Judges all shards, kills a worker when a third is done, and waits for the rest."""
    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, Client(cluster) as client:
        start = time.perf_counter()
        files = [f"{k:06}.parquet" for k in range(shards)]
        tasks = [client.submit(judge_shard, str(folder / "answers" / f), str(folder / "verdicts" / f), pure=False) for f in files]
        while sum(task.done() for task in tasks) < shards / 3:
            time.sleep(0.05)
        before = sum(task.done() for task in tasks)
        killed = kill_one(client)
        wait(tasks)
        wall = time.perf_counter() - start
        seconds = sum(client.gather(tasks))
    return {"wall_seconds": wall, "judging_seconds": seconds, "killed_process": killed, "shards_done_before": before}


def audit(folder: Path, shards: int, count: int) -> dict[str, int]:
    """Counts all verdicts, those that are missing or doubled, and those that are not what they must be."""
    seen = np.zeros(shards * count, dtype=np.uint8)
    accepted = wrong = 0
    for file in sorted((folder / "verdicts").glob("*.parquet")):
        table = pq.read_table(file)
        ids = table["name"].to_numpy()
        np.add.at(seen, ids, 1)
        is_accepted = table["accepted"].to_numpy(zero_copy_only=False).astype(bool)
        accepted += int(is_accepted.sum())
        wrong += int((is_accepted == (ids % SPOILT == 0)).sum())
    return {
        "verdicts": int(seen.sum()),
        "accepted": accepted,
        "missing": int((seen == 0).sum()),
        "doubled": int((seen > 1).sum()),
        "wrong": wrong,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=10_000_000)
    parser.add_argument("--shard", type=int, default=50_000, help="problems in a file")
    parser.add_argument("--workers", type=int, default=2)
    own = parser.parse_args()
    shards = -(-own.problems // own.shard)
    with tempfile.TemporaryDirectory(dir=".") as name:
        folder = Path(name).resolve()
        (folder / "answers").mkdir()
        (folder / "verdicts").mkdir()
        for shard in range(shards):
            write_answers(folder / "answers", shard, own.shard)
        measured = run(folder, shards, own.workers)
        counted = audit(folder, shards, own.shard)
        megabytes = sum(file.stat().st_size for file in (folder / "answers").iterdir()) / 1e6
    total = shards * own.shard
    print(json.dumps({
        "problems": total,
        "shards": shards,
        "workers": own.workers,
        "answers_megabytes": round(megabytes),
        **{key: round(value, 1) if isinstance(value, float) else value for key, value in measured.items()},
        **counted,
        "microseconds_of_judging_each": round(1e6 * measured["judging_seconds"] / total, 1),
        "problems_per_worker_and_second": round(total / measured["wall_seconds"] / own.workers),
    }, indent=1))
    return int(counted["verdicts"] != total or counted["missing"] > 0 or counted["doubled"] > 0 or counted["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
