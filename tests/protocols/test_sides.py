"""Answers about a pair from its other side, and protocols in which that would not work."""

import pytest

from annotation.protocols import ProtocolError, builtin, from_the_other_side, has_sides, load

PAIRS = """slug = "which"
version = "1"
title = "Which"
unit = "pair"

[[questions]]
key = "better"
text = "Which is better?"
kind = "choice"
options = [{ key = "a", label = "A" }, { key = "tie", label = "Tie" }, { key = "b", label = "B" }]

[[questions]]
key = "why"
text = "Why?"
kind = "text"
show_when = { better = ["a", "b"] }

[[measures]]
key = "first"
label = "First"
counts = { better = ["a"] }
"""


def test_sides_change_places_and_nothing_else_does():
    protocol = builtin()["pairwise-preference"]
    given = {"preference": "a", "coherence": "b", "factuality": "tie", "difficult": "yes", "justification": "a"}
    turned = {"preference": "b", "coherence": "a", "factuality": "tie", "difficult": "yes", "justification": "a"}
    assert from_the_other_side(protocol, given) == turned
    assert from_the_other_side(protocol, turned) == given
    assert from_the_other_side(protocol, {"preference": ["a"], "unknown": "a"}) == {"preference": ["a"], "unknown": "a"}


def test_what_is_not_about_pairs_has_no_sides():
    assert not any(has_sides(protocol) for slug, protocol in builtin().items() if slug != "pairwise-preference")
    assert not has_sides(load(PAIRS.replace('unit = "pair"', 'unit = "response"')))
    named = PAIRS.replace('"a"', '"first"').replace('"b"', '"second"')
    assert not has_sides(load(named)), "options of another name are asked in the data's own order"


def test_a_condition_that_holds_for_one_side_only_is_refused():
    assert has_sides(load(PAIRS))
    with pytest.raises(ProtocolError) as refused:
        load(PAIRS.replace('show_when = { better = ["a", "b"] }', 'show_when = { better = ["a"] }'))
    (problem,) = refused.value.problems
    assert problem.line == 16
    assert problem.message == (
        "'show_when' of question 'why' names one of 'a' and 'b' of 'better'; raters see the two in either order, so "
        "name both"
    )
