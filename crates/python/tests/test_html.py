"""What a notebook shows."""

from html.parser import HTMLParser

import pytest

import etalon


class Reader(HTMLParser):
    """The cells of a table by rows, and every element that is opened."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.opened, self.text = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.opened.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_data(self, data):
        self.text.append(data)
        if self.rows:
            self.rows[-1][-1] += data


NAME = """<script>alert('1 & 2')</script>"""


def read(shown):
    reader = Reader(shown._repr_html_())
    assert set(reader.opened) <= {"table", "caption", "b", "tbody", "tr", "th", "td", "sub"}
    return reader


def test_a_problem_shows_its_data(tie):
    table = read(etalon.Problem(*tie, name="tie"))
    assert "tie: 2 rows" in table.text
    assert table.rows == [["row", "M0", "M1", "q"], ["0", "203/128", "1", "-3/4"], ["1", "1", "1", "-3/4"]]


def test_a_problem_with_bounds_shows_them():
    M = [[2, 0, 0], [0, 2, 0], [0, 0, 2]]
    problem = etalon.Problem(M, [1, 1, 1], lower=[0, "-inf", 0], upper=["1/3", "inf", "inf"], friction=[(2, 0, 0.5)])
    assert [row[-1] for row in read(problem).rows] == ["z", "0 <= z <= 1/3", "free", "|z| <= 1/2 z_0"]


def test_a_large_problem_is_cut():
    n = 200
    table = read(etalon.Problem([[float(i == j) for j in range(n)] for i in range(n)], [1] * n))
    assert len(table.rows) == 12 and table.rows[-1] == ["..."] * 13
    assert {len(row) for row in table.rows} == {13}


def test_a_verdict_shows_what_str_says(tie):
    verdict = etalon.check(*tie, [0, 0], prove=True)
    table = read(verdict)
    assert table.text[0] == "problem: rejected"
    assert dict(table.rows)["a solution"] == "(0, 3/4)"
    assert [f"  {name:<15} {value}" for name, value in table.rows] == str(verdict).splitlines()[1:]


def test_a_table_of_verdicts_shows_them():
    columns = {"M": [[1.0]] * 30, "q": [[-1.0]] * 30, "z": [[1.0]] * 29 + [None], "name": [f"p{k}" for k in range(30)]}
    judged = etalon.judge_batch(columns)
    assert isinstance(judged, dict) and isinstance(judged, etalon.JudgedColumns)
    table = read(judged)
    assert table.rows[0][:3] == ["name", "verdict", "accepted"] and "M" not in table.rows[0]
    assert table.rows[1][:5] == ["p0", "exact", "True", "", "0"]
    assert len(table.rows) == 22 and set(table.rows[-1]) == {"..."}


@pytest.mark.parametrize(
    "shown",
    [
        etalon.Problem([[1]], [-1], name=NAME),
        etalon.check(etalon.Problem([[1]], [-1], name=NAME), [0]),
        etalon.judge_batch({"M": [[1.0]], "q": [[-1.0]], "z": [[0.0]], "name": [NAME]}),
    ],
    ids=["problem", "verdict", "table"],
)
def test_text_of_a_file_is_no_html(shown):
    text = "".join(read(shown).text)
    assert NAME in text
