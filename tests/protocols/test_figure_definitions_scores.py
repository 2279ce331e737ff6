"""Scores of a protocol: what is read, and what is wrong with a file, by line."""

import pytest

from annotation.protocols import ProtocolError, builtin, texts_of
from tests.protocols.scored import SCORE, scored, source


def problems_of(score: str) -> list[str]:
    """Return the problems with line numbers within `score`."""
    before = source("").count("\n")
    with pytest.raises(ProtocolError) as caught:
        scored(score)
    return [f"{problem.line - before}: {problem.message}" for problem in caught.value.problems]


def test_the_first_weight_that_holds_counts():
    severe, [score] = {"severity": "severe"}, scored().scores
    assert score.points({"accuracy": "inaccurate"} | severe) == 300
    assert score.points({"accuracy": "inaccurate", "severity": "not_severe"}) == 50
    assert score.points({"accuracy": "disputed"} | severe) == 50
    assert score.points({"accuracy": "accurate"}) == 0
    assert score.points({"accuracy": "cannot_assess"}) is None


def test_scores_are_lower_the_better_and_need_weights():
    [score] = scored().scores
    assert (score.key, score.better) == ("weighted", "lower")
    assert {"Weighted errors", "Severe errors weigh 3."} <= set(texts_of(scored()))
    assert [protocol.slug for protocol in builtin().values() if protocol.scores] == ["article-accuracy-weighted"]
    without = SCORE.split("weights =")[0]
    own = without + '[[scores.weights]]\nwhen = { accuracy = ["inaccurate"] }\nweight = 25\n'
    assert [entry.weight for entry in scored(own).scores[0].weights] == [25]
    assert problems_of(without) == ["2: score 'weighted' needs 'weights', tables headed [[scores.weights]]"]


MISTAKES = [
    ("weight = 3", "weight = -3", "8: 'weight' of weight 1 of score 'weighted' must be a number from 0 to 100 with at"),
    ("weight = 3", "weight = 0.333", "8: 'weight' of weight 1 of score 'weighted' must be a number from 0 to 100"),
    ("weight = 3", "weight = true", "8: 'weight' of weight 1 of score 'weighted' must be a number from 0 to 100"),
    ("weight = 3", "wait = 3", "8: 'weight' of weight 1 of score 'weighted' must be a number from 0 to 100"),
    ('severity = ["severe"]', 'severity = ["grave"]', "8: weight 1 of score 'weighted' refers to 'grave', which is"),
    ('["inaccurate", "disputed"]', '["cannot_assess"]', "9: weight 2 of score 'weighted' counts 'cannot_assess'"),
    ('{ accuracy = ["inaccurate", "disputed"] }', "{}", "9: weight 2 of score 'weighted' needs 'when', the answers"),
    ('key = "weighted"', 'key = "accurate"', "3: score 'accurate' uses the measure key 'accurate' again"),
    ("description =", "describes =", "5: score 'weighted' has no field 'describes'; did you mean 'description'?"),
]


@pytest.mark.parametrize(("right", "wrong", "says"), MISTAKES)
def test_a_mistake_is_named_with_its_line(right, wrong, says):
    problems = problems_of(SCORE.replace(right, wrong))
    assert any(problem.startswith(says) for problem in problems), problems
