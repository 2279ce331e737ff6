"""The built-in protocol, word for word as raters read it, and its three proportions worked by hand."""

import pytest

from annotation.protocols import Protocol, builtin, holds, load

RATINGS = [
    {"accuracy": "accurate"},
    {"accuracy": "accurate"},
    {"accuracy": "accurate"},
    {"accuracy": "disputed", "severity": "severe"},
    {"accuracy": "unsupported", "severity": "not_severe"},
    {"accuracy": "inaccurate", "severity": "severe"},
    {"accuracy": "inaccurate", "severity": "not_severe"},
    {"accuracy": "cannot_assess"},
    {"accuracy": "cannot_assess"},
]


@pytest.fixture
def protocol() -> Protocol:
    return builtin()["article-accuracy"]


def proportion(protocol: Protocol, key: str, ratings: list[dict[str, str]]) -> tuple[int, int]:
    measure = protocol.measure(key)
    among = [rating for rating in ratings if holds(measure.among, rating)]
    return sum(holds(measure.counts, rating) for rating in among), len(among)


@pytest.mark.parametrize(
    ("measure", "k"), [("accurate", 3), ("inaccurate", 2), ("severely_inaccurate", 1)], ids=lambda value: str(value)
)
def test_cannot_assess_is_left_out_of_every_proportion(protocol: Protocol, measure: str, k: int) -> None:
    assert proportion(protocol, measure, RATINGS) == (k, 7)


def test_a_severe_disputed_sentence_is_not_severely_inaccurate(protocol: Protocol) -> None:
    assert proportion(protocol, "severely_inaccurate", [{"accuracy": "disputed", "severity": "severe"}]) == (0, 1)


def test_nothing_but_cannot_assess_leaves_nothing_to_take_a_proportion_of(protocol: Protocol) -> None:
    assert proportion(protocol, "accurate", [{"accuracy": "cannot_assess"}]) == (0, 0)


def test_the_measures_are_these_three_and_say_which_way_is_better(protocol: Protocol) -> None:
    directions = [(measure.key, measure.better) for measure in protocol.measures]
    assert directions == [("accurate", "higher"), ("inaccurate", "lower"), ("severely_inaccurate", "lower")]


def test_reports_count_the_options_of_accuracy_and_assess_all_but_cannot_assess(protocol: Protocol) -> None:
    assert protocol.unit == "sentence"
    assert protocol.first_measured_question.key == "accuracy"
    assert protocol.left_out("accuracy") == ("cannot_assess",)
    assert protocol.left_out("severity") == ()


def test_raters_read_the_definitions_of_the_study(protocol: Protocol) -> None:
    accuracy, severity = protocol.questions
    assert accuracy.text == "How accurate is the sentence according to the article?"
    assert {option.key: option.definition for option in accuracy.options} == {
        "accurate": "all factual claims are supported by the article (and no contradictory information)",
        "disputed": "at least one factual claim has a mix of supportive and contradicting evidence in the article and "
        "this discrepancy cannot be reconciled",
        "unsupported": "at least one factual claim has no evidence to consider (either supporting or contradictory)",
        "inaccurate": "at least one factual claim is contradicted by the article or is unreasonable",
        "cannot_assess": "Can't confidently assess or no claim: the sentence includes no claims; or cannot understand, "
        "identify, or properly assess the claims in this sentence",
    }
    assert severity.text == (
        'If you selected "Inaccurate", "Unsupported", or "Disputed" for the above question, do you think the issue is '
        "severe?"
    )
    assert [option.label for option in severity.options] == ["Severe", "Not Severe"]


def test_every_option_has_a_key_and_a_sign_of_its_own(protocol: Protocol) -> None:
    options = [option for question in protocol.questions for option in question.options]
    assert [option.shortcut for option in options] == ["1", "2", "3", "4", "5", "s", "n"]
    assert len({option.sign for option in options}) == 7


def test_every_builtin_protocol_is_named_after_its_file_and_loads_from_its_own_source() -> None:
    for slug, protocol in builtin().items():
        assert protocol.slug == slug
        assert load(protocol.source) == protocol
