"""Questions about items of a kind, means and correlations: the built-in protocol, and mistakes in a file."""

import pytest

from annotation.protocols import ProtocolError, builtin, load

SOURCE = builtin()["fact-support"].source
PROTOCOL = builtin()["fact-support"]


def keys(*, last: bool, kind: str) -> list[str]:
    return [question.key for question in PROTOCOL.for_item(is_last=last, kind=kind).questions]


def test_facts_of_each_side_have_a_question_and_means_their_measures() -> None:
    assert keys(last=False, kind="fact") == ["in_reference"]
    assert keys(last=False, kind="reference_fact") == ["in_response"]
    assert keys(last=True, kind="reference_fact") == ["in_response", "precision", "recall"]
    first, second = (PROTOCOL.question(key) for key in ("in_reference", "in_response"))
    assert [option.shortcut for option in first.options] == [option.shortcut for option in second.options]
    assert PROTOCOL.mean("fact_f1").of == ("supported_by_reference", "supported_by_response")
    assert dict(PROTOCOL.mean("human_recall").values) == {"none": 0, "part": 0.5, "all": 1}
    assert PROTOCOL.mean("human_f1").of == ("human_precision", "human_recall")
    assert PROTOCOL.shows_reference


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('of = ["supported_by_reference"]', 'of = ["supported_by_refrence"]', "did you mean 'supported_by_reference'?"),
        ('of = ["supported_by_reference"]', "", "mean 'fact_precision' needs either 'of'"),
        ('question = "recall"', 'question = "recal"', "'recal', which is not a choice question; did you mean 'recall'"),
        ("{ none = 0, part = 0.5", "{ none = 0, half = 0.5", "'half', which is not an option of 'precision'"),
        ("{ none = 0, part", '{ none = "0", part', "gives 'none' no number"),
        ("{ none = 0, part = 0.5", "{ none = 0, part = 5", "an earlier mean with values from 0 to 1"),
        ('of = ["human_precision", ', 'of = ["human_f1", ', "'human_f1', which is not a measure or an earlier mean"),
        ('key = "fact_recall"', 'key = "supported_by_response"', "uses the measure key 'supported_by_response' again"),
        ('between = ["fact_f1", "human_f1"]', 'between = ["fact_f1"]', "needs 'between', two means"),
        ('between = ["fact_f1", "human_f1"]', 'between = ["fact_f1", "recall"]', "'recall', which is not a mean"),
        ('kinds = ["fact"]', "", "uses the shortcut '1' again"),
        ('kinds = ["reference_fact"]', 'kinds = ["Reference"]', "'Reference', which must be the kind of an item"),
        (
            "once = true",
            'once = true\nshow_when = { in_reference = ["supported"] }',
            "refers to 'in_reference', which is not asked about all of its items",
        ),
    ],
)
def test_mistakes_are_named_with_a_remedy(old: str, new: str, message: str) -> None:
    assert old in SOURCE
    with pytest.raises(ProtocolError) as refused:
        load(SOURCE.replace(old, new, 1))
    assert message in str(refused.value)


def test_the_same_protocol_without_means_still_loads() -> None:
    protocol = load(SOURCE[: SOURCE.index("# Each response weighs")])
    assert protocol.means == protocol.correlations == ()
