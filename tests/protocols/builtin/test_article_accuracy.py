"""The built-in protocol, word for word as raters read it, and its three proportions worked by hand."""

import pytest

from annotation.protocols import Protocol, builtin, holds

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


def test_raters_read_the_definitions_of_the_study_and_each_option_has_a_key_and_a_sign_of_its_own(protocol) -> None:
    accuracy, severity = protocol.questions
    options = [*accuracy.options, *severity.options]
    assert [option.shortcut for option in options] == ["1", "2", "3", "4", "5", "s", "n"]
    assert len({option.sign for option in options}) == 7
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


def test_the_protocol_with_a_score_asks_and_measures_the_same_and_an_issue_weighs_5_if_it_is_severe_else_1(protocol):
    weighted = builtin()["article-accuracy-weighted"]
    assert (weighted.questions, weighted.measures, weighted.unit) == (protocol.questions, protocol.measures, "sentence")
    [score] = weighted.scores
    assert {key: score.points({"accuracy": key, "severity": "severe"}) for key in ("inaccurate", "disputed")} == {
        "inaccurate": 500, "disputed": 500
    }  # fmt: skip
    assert score.points({"accuracy": "unsupported", "severity": "not_severe"}) == 100
    assert (score.points(ACCURATE), score.points(UNASSESSED)) == (0, None)
