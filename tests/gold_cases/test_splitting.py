"""Exact spans of the gold responses beside the checkout: the targets of docs/splitting.md."""

import json

from annotation.splitting import split
from tests.gold_cases.files import SENTENCES

ROWS = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]


def exact(rows, keep) -> float:
    """Return the F1 of the spans."""
    matched = of_both = 0
    for row in rows:
        gold = {(s["start"], s["end"]) for s in row["spans"] if keep(s["rate"])}
        ours = {(s.start, s.end) for s in split(row["text"]) if keep(s.rate)}
        matched, of_both = matched + len(gold & ours), of_both + len(gold) + len(ours)
    return 2 * matched / of_both


def test_spans_and_what_raters_are_shown_are_exact():
    assert exact(ROWS, lambda rate: True) >= 0.995
    assert exact(ROWS, lambda rate: rate) >= 0.98


def test_no_group_falls_behind():
    for group in {row["group"] for row in ROWS}:
        assert exact([row for row in ROWS if row["group"] == group], lambda rate: True) >= 0.985, group
