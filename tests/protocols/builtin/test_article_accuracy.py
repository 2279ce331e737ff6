"""The built-in protocol, word for word as raters read it, and its three proportions worked by hand."""

import pytest

from annotation.protocols import Protocol, builtin, holds, load

ACCURATE, UNASSESSED = {"accuracy": "accurate"}, {"accuracy": "cannot_assess"}
SEVERITIES = {"disputed": ["severe"], "unsupported": ["not_severe"], "inaccurate": ["severe", "not_severe"]}
RATINGS = [ACCURATE] * 3 + [{"accuracy": key, "severity": each} for key in SEVERITIES for each in SEVERITIES[key]]
RATINGS += [UNASSESSED] * 2


@pytest.fixture
def protocol() -> Protocol:
    return builtin()["article-accuracy"]


def proportion(protocol: Protocol, key: str, ratings: list[dict[str, str]]) -> tuple[int, int]:
    measure = protocol.measure(key)
    among = [rating for rating in ratings if holds(measure.among, rating)]
    return sum(holds(measure.counts, rating) for rating in among), len(among)


def test_cannot_assess_is_left_out_of_every_proportion(protocol: Protocol) -> None:
    counts = {"accurate": 3, "inaccurate": 2, "severely_inaccurate": 1}
    assert {key: proportion(protocol, key, RATINGS) for key in counts} == {key: (k, 7) for key, k in counts.items()}
    assert proportion(protocol, "severely_inaccurate", [{"accuracy": "disputed", "severity": "severe"}]) == (0, 1)
    assert proportion(protocol, "accurate", [UNASSESSED]) == (0, 0)


def test_three_measures_say_which_way_is_better_and_reports_count_options_of_accuracy(protocol: Protocol) -> None:
    directions = [(measure.key, measure.better) for measure in protocol.measures]
    assert directions == [("accurate", "higher"), ("inaccurate", "lower"), ("severely_inaccurate", "lower")]
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
