"""Faults of engines, judged again from their records: the engines themselves are not needed."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from etalon import _etalon

FOLDER = Path(__file__).parents[3] / "golden/engines"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the folder golden/engines is in a checkout only")


def lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()] if FOLDER.is_dir() else []


RECORDS = lines("mujoco.jsonl")
VERDICTS = {verdict["name"]: verdict for verdict in lines("mujoco.verdicts.jsonl")}


def dense(own):
    matrix = np.zeros(own["shape"])
    for i, j, value in own["entries"]:
        matrix[i, j] = value
    return matrix


def arrays(record):
    """The arrays of a record in generalised form."""
    kinds, parameter = np.full(len(record["R"]), -1, dtype=np.int32), np.zeros(len(record["R"]))
    for own in record["sets"]:
        if own["kind"] == "equality":
            kinds[slice(*own["rows"])] = 0
        elif own["kind"] == "box":
            kinds[own["rows"]], parameter[own["rows"]] = 1, own["bound"]
        elif own["kind"] == "nonnegative":
            kinds[own["rows"]] = 2
        else:
            first, count = own["first"], len(own["mu"])
            kinds[first], kinds[first + 1 : first + 1 + count], parameter[first + 1 : first + 1 + count] = 3, 4, own["mu"]
    vectors = {"R": record["R"], "target": record["target"], "smooth": record["force"]}
    vectors |= {key: record["answer"][key] for key in ("acceleration", "force")}
    vectors = {key: np.array(value, dtype=float) for key, value in vectors.items()}
    return SimpleNamespace(M=dense(record["M"]), J=dense(record["J"]), kinds=kinds, parameter=parameter, **vectors)


def judged(record, tol=1e-5, full=False):
    answer = record["answer"]
    limits = (answer["iterations"], answer["iteration_limit"])
    return _etalon.judge_step_arrays(arrays(record), record["h"], tol, limits, full)


@pytest.mark.parametrize("record", RECORDS, ids=[record["name"] for record in RECORDS])
def test_the_verdict_is_the_recorded_one(record):
    expected = VERDICTS[record["name"]]
    word, (low, high), _, _, flags, _, _ = judged(record)
    assert (word, sorted(flags)) == (expected["verdict"], sorted(expected.get("flags", [])))
    # Both intervals hold the one exact distance.
    assert low <= expected["distance"][1] and expected["distance"][0] <= high
    if word == "off":
        assert high - low < 1e-6 * high


def test_every_version_is_there():
    names = {record["name"] for record in RECORDS}
    assert {f"pgs-apex/{version}" for version in ("3.1.6", "3.3.7", "3.17.0", "4.0.0")} <= names


def test_a_right_answer_in_place_of_the_wrong_one_is_accepted():
    record = json.loads(json.dumps(next(record for record in RECORDS if record["name"] == "pgs-apex/4.0.0")))
    record["answer"]["force"] = [30.90975, 0.0, 30.90975]
    record["answer"]["acceleration"] = [-30.90975, 0.0, 21.09975]
    assert judged(record)[0] == "accepted"
    record["answer"]["acceleration"][0] += 0.1
    assert judged(record)[0] == "off"
