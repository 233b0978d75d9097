"""The same claims as through every other door: tests/judgements.jsonl says what the judge says."""

import json
import pathlib
import warnings

import etalon

FILE = pathlib.Path(__file__).parents[3] / "tests" / "judgements.jsonl"


def judgements():
    return [json.loads(line) for line in FILE.read_text().splitlines()]


def test_check_says_the_same():
    for expected in judgements():
        problem = etalon.Problem.from_json(expected["problem"])
        claim = etalon.Claim.from_json(expected["claim"])
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            verdict = etalon.check(problem, claim)
        assert json.loads(verdict.to_json()) == expected["verdict"]
        assert verdict.accepted == expected["accepted"], expected
        assert (verdict.false_expect is not None) == expected["false_expect"]
        assert [w.category for w in said] == [UserWarning] * expected["false_expect"]


def test_columns_say_the_same():
    expected = judgements()
    judged = etalon.judge_batch({key: [line[key] for line in expected] for key in ("problem", "claim")})
    assert list(judged["verdict"]) == [line["verdict"]["verdict"] for line in expected]
    assert list(judged["accepted"]) == [line["accepted"] for line in expected]
    assert [error is not None for error in judged["error"]] == [line["false_expect"] for line in expected]
    errors = [line["verdict"].get("backward_error") for line in expected]
    assert [None if error != error else error for error in judged["backward_error"]] == errors
