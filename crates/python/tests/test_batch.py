"""Verdict columns, on tables of any kind and on shards of Parquet under Dask."""

import json

import numpy as np
import pytest

import etalon

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pq = pytest.importorskip("pyarrow.parquet")


def records(count=30, n=4):
    """Problems with right, wrong and missing claims, as JSON texts; and the verdicts of `check`."""
    problems, claims, expected = [], [], []
    for k, problem in enumerate(etalon.generate("degenerate", n, count=count)):
        if k % 3 == 0:
            claim = etalon.solve(problem, method="fast-auto")
        elif k % 3 == 1:
            claim = etalon.Claim("solved", np.full(n, 1.0 + k), name=problem.name)
        else:
            claim = None
        problems.append(problem.to_json())
        claims.append(claim and claim.to_json())
        expected.append(etalon.check(problem, claim))
    return problems, claims, expected


def test_records_in_a_pandas_frame():
    problems, claims, expected = records()
    frame = pd.DataFrame({"problem": problems, "claim": claims, "k": range(30)}, index=range(100, 130))
    judged = etalon.judge_batch(frame)
    assert list(judged.index) == list(frame.index) and list(judged.k) == list(range(30))
    assert list(judged.verdict) == [verdict.verdict for verdict in expected]
    assert list(judged.accepted) == [verdict.accepted for verdict in expected]
    errors = [np.nan if verdict.backward_error is None else verdict.backward_error for verdict in expected]
    assert np.array_equal(judged.backward_error, errors, equal_nan=True)
    assert {"accepted", "rejected", "failed"} >= set(judged.verdict) - {"exact"}
    assert judged.error.isna().all()
    assert list(frame.columns) == ["problem", "claim", "k"]


def test_tables_of_other_kinds_say_the_same():
    problems, claims, expected = records()
    verdicts = [verdict.verdict for verdict in expected]
    table = pa.table({"problem": problems, "claim": claims})
    judged = etalon.judge_batch(table)
    assert isinstance(judged, pa.Table) and judged["verdict"].to_pylist() == verdicts
    assert judged.schema.field("accepted").type == pa.bool_()
    [batch] = table.to_batches()
    judged = etalon.judge_batch(batch)
    assert isinstance(judged, pa.RecordBatch) and judged.column("verdict").to_pylist() == verdicts
    judged = etalon.judge_batch({"problem": np.array(problems, dtype=object), "claim": claims})
    assert list(judged["verdict"]) == verdicts
    # Judging again replaces the columns.
    assert etalon.judge_batch(etalon.judge_batch(table), prove=True).num_columns == 14


def test_columns_of_numbers():
    generator = np.random.default_rng(1)
    rows = []
    for k in range(12):
        n = 1 + k % 4
        a = generator.standard_normal((n, n))
        M, q = a @ a.T + np.eye(n), generator.standard_normal(n)
        z = etalon.solve(M, q).z if k % 2 else np.full(n, 7.0)
        rows.append({"M": M.ravel().tolist(), "q": q.tolist(), "z": None if k == 4 else z.tolist(), "name": f"p{k}"})
    nested = [row | {"M": np.reshape(row["M"], (len(row["q"]), -1)).tolist()} for row in rows]
    judged = etalon.judge_batch(pa.Table.from_pylist(rows))
    expected = ["failed" if k == 4 else "accepted" if k % 2 else "rejected" for k in range(12)]
    found = ["accepted" if word == "exact" else word for word in judged["verdict"].to_pylist()]
    assert found == expected
    for other in (pa.Table.from_pylist(nested), pd.DataFrame(rows), pd.DataFrame(nested)):
        assert list(etalon.judge_batch(other)["verdict"]) in (judged["verdict"].to_pylist(), list(judged["verdict"]))


def test_a_bad_row_spoils_no_other():
    table = pa.table(
        {
            "problem": ['{"name": "a", "M": [[1]], "q": [-1]}', "{", None, '{"name": "b", "M": [[1]], "q": [1, 2]}', '{"name": "c", "M": [[1]], "q": [1]}'],
            "claim": ['{"name": "a", "status": "solved", "z": [1]}', None, None, None, '{"name": "x", "status": "failed"}'],
        }
    )
    judged = etalon.judge_batch(table).to_pylist()
    assert [row["verdict"] for row in judged] == ["exact", None, None, None, None]
    for row, words in zip(judged[1:], ["JSON", "no problem", "q has 2", "about"], strict=True):
        assert words in row["error"]
    numbers = {"M": [[1.0], [np.nan], [1.0, 2.0], "junk"], "q": [[-1.0]] * 4, "z": [[1.0]] * 4}
    judged = etalon.judge_batch(numbers)
    assert list(judged["verdict"]) == ["exact", None, None, None]
    assert "M[0]: NaN" in judged["error"][1]
    with pytest.raises(etalon.ArgumentError, match="neither"):
        etalon.judge_batch(pa.table({"x": [1]}))
    with pytest.raises(etalon.ArgumentError, match="no table"):
        etalon.judge_batch(3)


def test_proofs_in_a_batch():
    table = {
        "problem": ['{"name": "a", "M": [[-1]], "q": [-1]}', '{"name": "b", "M": [[2]], "q": [-1]}'],
        "claim": ['{"name": "a", "status": "unsolvable"}', '{"name": "b", "status": "solved", "z": [9]}'],
    }
    judged = etalon.judge_batch(table, prove=True)
    assert list(judged["verdict"]) == ["proved", "rejected"] and list(judged["truth"]) == ["unsolvable", "solvable"]
    assert list(judged["unique"]) == [None, "z"] and judged["distance"][1] == 8.5


@pytest.mark.parametrize("kind", ["records", "numbers"])
@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask_on_shards_of_parquet(tmp_path, kind, scheduler):
    dd = pytest.importorskip("dask.dataframe")
    problems, claims, expected = records(count=60)
    for shard in range(4):
        own = slice(15 * shard, 15 * (shard + 1))
        if kind == "records":
            table = pa.table({"problem": problems[own], "claim": claims[own]})
        else:
            parsed = [etalon.Problem.from_json(record) for record in problems[own]]
            z = [claim and etalon.Claim.from_json(claim).z.tolist() for claim in claims[own]]
            table = pa.table({"M": [p.M.ravel() for p in parsed], "q": [p.q for p in parsed], "z": z, "name": [p.name for p in parsed]})
        pq.write_table(table, tmp_path / f"shard-{shard}.parquet")
    frame = dd.read_parquet(tmp_path / "*.parquet")
    assert frame.npartitions == 4
    judged = frame.map_partitions(etalon.judge_batch, meta=etalon.batch_meta(frame))
    if kind == "numbers":
        # Dask cannot tell the type of lists to Parquet.
        judged = judged.drop(columns=["M", "q", "z"])
    out = tmp_path / "verdicts"
    judged.to_parquet(out, compute_kwargs={"scheduler": scheduler})
    verdicts = pq.read_table(out)
    assert verdicts.num_rows == 60 and len(list(out.glob("*.parquet"))) == 4
    assert verdicts["verdict"].to_pylist() == [verdict.verdict for verdict in expected]
    assert verdicts["error"].null_count == 60
    with_index = judged.compute(scheduler=scheduler)
    assert dict(with_index.dtypes) == dict(judged.dtypes)
    counts = judged.verdict.value_counts().compute(scheduler=scheduler)
    assert counts.sum() == 60 and counts["failed"] == 20


def test_ray_on_shards_of_parquet(tmp_path):
    ray = pytest.importorskip("ray")
    problems, claims, expected = records()
    pq.write_table(pa.table({"problem": problems, "claim": claims}), tmp_path / "shard.parquet")
    judged = ray.data.read_parquet(str(tmp_path)).map_batches(etalon.judge_batch, batch_format="pyarrow")
    verdicts = {row["problem"]: row["verdict"] for row in judged.take_all()}
    assert verdicts == {problem: verdict.verdict for problem, verdict in zip(problems, expected, strict=True)}


def test_the_records_are_those_of_the_command_line():
    problems, claims, expected = records(count=3)
    assert json.loads(problems[0])["format"] == "etalon-problem/1"
    assert json.loads(expected[1].to_json())["format"] == "etalon-verdict/1"
