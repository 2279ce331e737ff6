"""Rule judges: what each finds, and answers that every built-in protocol allows."""

import pytest

from annotation import protocols
from annotation.judging.passages import PassageIndex, numbers_in
from annotation.judging.rules import RULES, check_protocol, rule_answers
from annotation.model_calls.errors import ModelError
from annotation.models import Document
from annotation.protocols import builtin

DOCUMENT = Document(
    title="Terns",
    sections=[
        {"heading": "Abstract", "paragraphs": [{"id": "p1", "text": "Terns fly further on turbid days. They dive."}]},
        {"heading": "Results", "paragraphs": [{"id": "p2", "text": "The median range was 11.8 km of 1,200 flights."}]},
    ],
)
INDEX = PassageIndex(DOCUMENT)


@pytest.mark.parametrize(
    ("rule", "text", "is_positive", "passage"),
    [
        ("lexical-overlap", "On turbid days, terns fly further.", True, "Terns fly further on turbid days."),
        ("lexical-overlap", "Gulls eat chips in winter.", False, None),
        ("lexical-overlap", "Terns sleep, eat and breed inland.", False, "Terns fly further on turbid days."),
        ("numbers", "The range was 11.80 km in 1200 flights.", True, None),
        ("numbers", "The range was 17.3 km.", False, None),
        ("numbers", "They fly.", True, None),
        ("always-accurate", "Gulls eat chips.", True, None),
    ],
)
def test_a_rule_finds(rule, text, is_positive, passage):
    finding = RULES[rule](text, INDEX)
    assert finding.is_positive == is_positive
    assert finding.reason
    assert (finding.passage["text"] if finding.passage else None) == passage


def test_numbers_are_compared_by_value_for_the_answers_of_article_accuracy():
    assert numbers_in("1,200 and 1200, 3.50, 2.0, 007") == ["1200", "1200", "3.5", "2", "007"]
    protocol = builtin()["article-accuracy"]
    assert rule_answers("numbers", protocol, True, "why") == {"accuracy": "accurate"}
    assert rule_answers("numbers", protocol, False, "why") == {"accuracy": "inaccurate", "severity": "not_severe"}
    assert rule_answers("lexical-overlap", protocol, False, "why") == {
        "accuracy": "unsupported",
        "severity": "not_severe",
    }


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("slug", sorted(builtin()))
def test_a_rule_answers_each_built_in_protocol_validly_or_is_refused(rule, slug):
    protocol = builtin()[slug]
    kinds = {kind for question in protocol.questions for kind in question.kinds} or {"sentence"}
    if protocol.unit == "pair":
        with pytest.raises(ModelError, match="compares pairs"):
            check_protocol(rule, protocol, kinds)
        return
    check_protocol(rule, protocol, kinds)
    for kind in kinds:
        narrowed = protocol.for_item(is_last=True, kind=kind)
        good, bad = (rule_answers(rule, narrowed, is_positive, "why") for is_positive in (True, False))
        assert protocols.problems(narrowed, good) == protocols.problems(narrowed, bad) == {}
        assert good != bad
