"""Verdicts on tables of records, for engines that map a function over batches."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import ArgumentError
from ._etalon import judge_arrays, judge_records

if TYPE_CHECKING:
    import pandas as pd

#: The columns that `judge_batch` adds, with their types in pandas.
_ADDED = {
    "verdict": "string",
    "accepted": "boolean",
    "reason": "string",
    "natural_error": "float64",
    "backward_error": "float64",
    "negativity": "float64",
    "residual": "float64",
    "distance": "float64",
    "grade": "string",
    "truth": "string",
    "unique": "string",
    "error": "string",
}


def judge_batch(
    table: Any,
    *,
    problem: str = "problem",
    claim: str = "claim",
    M: str = "M",
    q: str = "q",
    z: str = "z",
    name: str = "name",
    tol: Any = None,
    measure: str | None = None,
    snap: Any = None,
    prove: bool = False,
    accept_perturbed: bool = False,
    pivots: int | None = None,
    bits: int | None = None,
    time_limit: float | None = None,
) -> Any:
    """Judge a batch of answers: a table in, the same table with verdict columns out.

    It keeps no state, so engines can run it on shards in any order and on any machine:

    - Dask: ``frame.map_partitions(etalon.judge_batch, meta=etalon.batch_meta(frame))``
    - Ray: ``dataset.map_batches(etalon.judge_batch, batch_format="pyarrow")``
    - Spark: ``frame.mapInPandas(lambda batches: map(etalon.judge_batch, batches), schema)``

    Parameters
    ----------
    table : pyarrow.Table, pyarrow.RecordBatch, pandas.DataFrame, or a dict of columns
        Either with the columns `problem` and `claim`, each a JSON record (etalon-problem/1, etalon-claim/1; no claim counts as
        `failed`), or with columns of numbers: `M` (n * n values row by row, or n rows), `q` (n), `z` (n, null where the solver
        gave up), and `name` where there is one.
    problem, claim, M, q, z, name : str
        The columns' names in this table.
    tol, measure, snap, prove, accept_perturbed, pivots, bits, time_limit
        As for `check`; the budget is that of each proof.

    Returns
    -------
    table of the same type (of a dict a `JudgedColumns`, a dict that notebooks show as a table)
        With the columns verdict, accepted, reason, natural_error, backward_error, negativity, residual, distance, grade, truth,
        unique and error. A row that is no problem with a claim says so in `error` and has no verdict; it spoils no other row.
        A record whose `expect` is false says so in `error`, too, and its claim is judged without it.
    """
    columns = _Columns(table)
    options = {
        "tol": tol,
        "measure": measure,
        "snap": snap,
        "prove": prove,
        "accept_perturbed": accept_perturbed,
        "pivots": pivots,
        "bits": bits,
        "time_limit": time_limit,
    }
    if problem in columns.names:
        records = [_text(value) for value in columns.get(problem)]
        claims = columns.get(claim) if claim in columns.names else [None] * len(records)
        added = judge_records(records, [_text(value) for value in claims], **options)
    elif {M, q, z} <= columns.names:
        names = columns.get(name) if name in columns.names else range(columns.rows)
        added = _judge_numbers(columns.get(M), columns.get(q), columns.get(z), [str(value) for value in names], options)
    else:
        raise ArgumentError(f"the table has neither the column {problem!r} nor {M!r}, {q!r} and {z!r}; it has {sorted(columns.names)}")
    return columns.with_added(added)


def batch_meta(frame: Any) -> pd.DataFrame:
    """An empty frame of the type that `judge_batch` makes of `frame` (pandas or Dask), for Dask's `meta`."""
    empty = getattr(frame, "_meta", frame).head(0)
    return _Columns(empty).with_added({column: [] for column in _ADDED})


class JudgedColumns(dict[str, Any]):
    """Columns with verdicts, as `judge_batch` makes them of a dict of columns."""

    #: The most rows that a notebook shows.
    SHOWN = 20

    def _repr_html_(self) -> str:
        """A table of the names and the added columns; the data of the problems, which are long, are left out."""
        names = [key for key in ("name", *_ADDED) if key in self]
        rows = [[_shown(self[key][k]) for key in names] for k in range(min(self._rows(), self.SHOWN))]
        if self._rows() > self.SHOWN:
            rows.append(["..."] * len(names))
        lines = [_line("th", names), *(_line("td", row) for row in rows)]
        return f"<table><tbody>{''.join(lines)}</tbody></table>"

    def _rows(self) -> int:
        return len(self["verdict"])


def _line(cell: str, texts: list[str]) -> str:
    return "<tr>" + "".join(f"<{cell}>{escape(text)}</{cell}>" for text in texts) + "</tr>"


def _shown(value: Any) -> str:
    if _is_null(value):
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class _Columns:
    """A table of any kind as named lists."""

    def __init__(self, table: Any) -> None:
        self.table = table
        if isinstance(table, Mapping):
            self.names = set(table)
            self.rows = len(next(iter(table.values()), ()))
        elif hasattr(table, "column_names"):  # Table of pyarrow
            self.names, self.rows = set(table.column_names), table.num_rows
        elif hasattr(table, "schema") and hasattr(table, "num_rows"):  # RecordBatch
            self.names, self.rows = set(table.schema.names), table.num_rows
        elif hasattr(table, "columns") and hasattr(table, "assign"):  # DataFrame of pandas
            self.names, self.rows = set(table.columns), len(table)
        else:
            raise ArgumentError(f"{type(table).__name__} is no table; give one of pyarrow or pandas, or a dict of columns")

    def get(self, name: str) -> list[Any]:
        column = self.table[name]
        if hasattr(column, "to_numpy") and hasattr(column, "chunks"):
            return list(column.to_numpy())
        if hasattr(column, "to_numpy") and hasattr(column, "is_null"):
            return list(column.to_numpy(zero_copy_only=False))
        return list(column)

    def with_added(self, added: dict[str, list[Any]]) -> Any:
        if isinstance(self.table, Mapping):
            new = {key: np.array(values, dtype=_numpy_type(key)) for key, values in added.items()}
            return JudgedColumns({**self.table, **new})
        if hasattr(self.table, "assign"):
            return self._with_series(added)
        return self._with_arrow(added)

    def _with_series(self, added: dict[str, list[Any]]) -> Any:
        import pandas as pd

        series = {key: pd.Series(values, index=self.table.index, dtype=_ADDED[key]) for key, values in added.items()}
        return self.table.assign(**series)

    def _with_arrow(self, added: dict[str, list[Any]]) -> Any:
        import pyarrow as pa

        kinds = {"string": pa.string(), "boolean": pa.bool_(), "float64": pa.float64()}
        is_batch = isinstance(self.table, pa.RecordBatch)
        table = pa.Table.from_batches([self.table]) if is_batch else self.table
        for key, values in added.items():
            column = pa.array(values, type=kinds[_ADDED[key]])
            if key in self.names:
                table = table.set_column(table.schema.names.index(key), key, column)
            else:
                table = table.append_column(key, column)
        if not is_batch:
            return table
        return pa.RecordBatch.from_arrays([column.combine_chunks() for column in table.columns], schema=table.schema)


def _numpy_type(key: str) -> str:
    return "float64" if _ADDED[key] == "float64" else "object"


def _is_null(value: Any) -> bool:
    """None, NaN, or the null of pandas."""
    return value is None or type(value).__name__ in {"NAType", "NaTType"} or (isinstance(value, float) and value != value)


def _text(value: Any) -> str | None:
    return None if _is_null(value) else str(value)


def _flat(value: Any) -> np.ndarray:
    """A row's numbers one after the other; what is no row of numbers becomes NaN, which the judge names."""
    try:
        if isinstance(value, np.ndarray) and value.dtype != object:
            return value.astype(np.float64).ravel()
        rows = [np.asarray(row, dtype=np.float64).ravel() for row in value]
        return np.concatenate(rows) if rows else np.empty(0)
    except (TypeError, ValueError):
        return np.array([np.nan])


def _ragged(rows: list[np.ndarray]) -> tuple[np.ndarray, list[int]]:
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row))
    return (np.concatenate(rows) if rows else np.empty(0)), starts


def _judge_numbers(m: list[Any], q: list[Any], z: list[Any], names: list[str], options: dict[str, Any]) -> dict[str, list[Any]]:
    gave_up = [_is_null(value) for value in z]
    columns = [_ragged([_flat([] if _is_null(value) else value) for value in column]) for column in (m, q, z)]
    return judge_arrays(*columns, names, gave_up, **options)
