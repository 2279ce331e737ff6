"""Answers about a pair from its other side, and protocols in which that would not work."""

import pytest

from annotation.protocols import ProtocolError, builtin, has_sides, load, swap_sides
from tests.protocol_text import choice, protocol_text, question

PAIRS = protocol_text(
    "which",
    choice("better", "Which is better?", {"a": "A", "tie": "Tie", "b": "B"}),
    question("why", "Why?", show_when={"better": ["a", "b"]}),
    counts={"better": ["a"]},
    unit="pair",
)


def test_sides_change_places_where_there_are_any():
    protocol = builtin()["pairwise-preference"]
    answers = {"preference": "a", "coherence": "b", "factuality": "tie", "difficult": "yes", "justification": "a"}
    turned = {"preference": "b", "coherence": "a", "factuality": "tie", "difficult": "yes", "justification": "a"}
    assert swap_sides(protocol, answers) == turned
    assert swap_sides(protocol, turned) == answers
    assert swap_sides(protocol, {"preference": ["a"], "unknown": "a"}) == {"preference": ["a"], "unknown": "a"}
    assert not any(has_sides(protocol) for slug, protocol in builtin().items() if slug != "pairwise-preference")
    assert not has_sides(load(PAIRS.replace('unit = "pair"', 'unit = "response"')))
    named = PAIRS.replace('"a"', '"first"').replace('"b"', '"second"')
    assert not has_sides(load(named)), "options of another name are asked in the data's own order"


def test_a_condition_that_holds_for_one_side_only_is_refused():
    assert has_sides(load(PAIRS))
    one_sided = PAIRS.replace('show_when = { better = ["a", "b"] }', 'show_when = { better = ["a"] }')
    with pytest.raises(ProtocolError) as refused:
        load(one_sided)
    (problem,) = refused.value.problems
    assert problem.line == one_sided.split("\n").index('show_when = { better = ["a"] }') + 1
    names = "'show_when' of question 'why' names one of 'a' and 'b' of 'better'"
    assert problem.message == f"{names}; raters see the two in either order, so name both"
