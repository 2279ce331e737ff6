"""Exact spans of the gold responses beside the checkout: the targets of docs/splitting.md."""

import json

import pytest

from annotation.splitting import split
from tests.gold_cases.files import SENTENCES

ROWS = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]


def f1(matched: int, predicted: int, expected: int) -> float:
    return 2 * matched / (predicted + expected)


def exact(rows, keep) -> float:
    matched = predicted = expected = 0
    for row in rows:
        gold = {(s["start"], s["end"]) for s in row["spans"] if keep(s["rate"])}
        ours = {(s.start, s.end) for s in split(row["text"]) if keep(s.rate)}
        matched, predicted, expected = matched + len(gold & ours), predicted + len(ours), expected + len(gold)
    return f1(matched, predicted, expected)


def test_spans_and_what_raters_are_shown_are_exact():
    assert exact(ROWS, lambda rate: True) >= 0.995
    assert exact(ROWS, lambda rate: rate) >= 0.98


@pytest.mark.parametrize("group", sorted({row["group"] for row in ROWS}))
def test_no_group_falls_behind(group):
    assert exact([row for row in ROWS if row["group"] == group], lambda rate: True) >= 0.985
