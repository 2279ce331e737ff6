"""Majorities: question by question, ties by the protocol's order, invalid samples as disagreement."""

import pytest

from annotation.judging.answers import ItemAnswer
from annotation.judging.item_requests import majority
from annotation.protocols import builtin

PROTOCOL = builtin()["article-accuracy"]
GOOD = ItemAnswer({"accuracy": "accurate"}, "good")
SEVERE = ItemAnswer({"accuracy": "inaccurate", "severity": "severe"}, "severe")
MILD = ItemAnswer({"accuracy": "inaccurate", "severity": "not_severe"}, "mild")


@pytest.mark.parametrize(
    ("votes", "winner", "share"),
    [
        ([GOOD], GOOD, 1.0),
        ([SEVERE, GOOD, MILD], SEVERE, 2 / 3),
        ([MILD, GOOD, SEVERE, MILD], MILD, 3 / 4),
        ([SEVERE, GOOD], GOOD, 1 / 2),
        ([MILD, SEVERE], SEVERE, 1.0),
        ([None, SEVERE, None], SEVERE, 1 / 3),
    ],
)
def test_the_majority_and_its_share(votes, winner, share):
    found, found_share = majority(PROTOCOL, votes)
    assert found is winner and found_share == pytest.approx(share)
    assert majority(PROTOCOL, [None, None]) is None, "no sample is valid"
