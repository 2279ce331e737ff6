"""The built-in protocol with a score: questions and measures of article-accuracy, errors weighted by severity."""

import pytest

from annotation.protocols import builtin

PROTOCOL = builtin()["article-accuracy-weighted"]


def test_questions_and_measures_are_those_of_article_accuracy():
    own = builtin()["article-accuracy"]
    assert (PROTOCOL.questions, PROTOCOL.measures, PROTOCOL.unit) == (own.questions, own.measures, own.unit)


@pytest.mark.parametrize(
    ("answers", "hundredths"),
    [
        ({"accuracy": "accurate"}, 0),
        ({"accuracy": "inaccurate", "severity": "severe"}, 500),
        ({"accuracy": "disputed", "severity": "severe"}, 500),
        ({"accuracy": "unsupported", "severity": "not_severe"}, 100),
        ({"accuracy": "cannot_assess"}, None),
    ],
)
def test_an_issue_weighs_5_if_it_is_severe_else_1(answers, hundredths):
    [score] = PROTOCOL.scores
    assert score.points(answers) == hundredths
