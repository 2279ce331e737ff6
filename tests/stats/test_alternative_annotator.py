"""The alternative annotator test by hand, against SciPy's t test and plain loops, and undefined."""

import dataclasses
import json

import numpy as np
import pytest
from scipy import stats

from annotation.stats.alternative_annotator import alternative_annotator_test, benjamini_yekutieli


def random_labels(seed, items=60, raters=4, errors=0.2, judge_errors=0.1):
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, 3, items)
    labels = np.where(generator.random((items, raters)) < errors, (truth[:, None] + 1) % 3, truth[:, None])
    labels[generator.random((items, raters)) < 0.2] = -1
    return labels, np.where(generator.random(items) < judge_errors, (truth + 1) % 3, truth)


def test_advantages_and_adjusted_p_by_hand():
    # Agreements with raters 1 and 2, of judge and of rater 0: 2 and 0, 2 and 2, 0 and 2, 1 and 1
    labels = [[0, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 1]]
    first = alternative_annotator_test(labels, [1, 1, 1, 1], epsilon=0.2, fewest_items=2).raters[0]
    assert (first.items, first.judge_advantage, first.rater_advantage) == (4, 0.75, 0.75)
    # differences rater - judge: -1, 0, 1, 0, less .2: t = -.2 / (sd .8165 / 2)
    assert first.p == pytest.approx(stats.t.cdf(-0.2 / (np.sqrt(2 / 3) / 2), 3), abs=1e-12)
    # 1 + 1/2 + 1/3 = 11/6; .01 * 3 * 11/6 / 1, .02 * 3 * 11/6 / 2, .5 * 3 * 11/6 / 3
    assert benjamini_yekutieli([0.5, 0.01, 0.02]) == pytest.approx([0.5 * 11 / 6, 0.055, 0.055])
    assert benjamini_yekutieli([]) == []


@pytest.mark.parametrize("seed", range(4))
def test_random_labels_equal_plain_loops(seed):
    labels, judge = random_labels(seed)
    result = alternative_annotator_test(labels, judge, epsilon=0.1, fewest_items=5)
    ps, advantages = [], []
    for j in range(labels.shape[1]):
        differences, wins = [], []
        for i, row in enumerate(labels):
            others = [label for k, label in enumerate(row) if k != j and label >= 0]
            if row[j] < 0 or not others:
                continue
            judge_score = sum(label == judge[i] for label in others) / len(others)
            rater_score = sum(label == row[j] for label in others) / len(others)
            wins.append(judge_score >= rater_score)
            differences.append(int(rater_score >= judge_score) - int(judge_score >= rater_score))
        ps.append(stats.ttest_1samp(differences, 0.1, alternative="less").pvalue)
        advantages.append(np.mean(wins))
    assert [each.p for each in result.raters] == pytest.approx(ps, abs=1e-10)
    assert [each.judge_advantage for each in result.raters] == pytest.approx(advantages, abs=1e-12)
    adjusted = stats.false_discovery_control(ps, method="by")
    assert [each.p_adjusted for each in result.raters] == pytest.approx(list(adjusted), abs=1e-10)
    assert result.winning_rate == np.mean(adjusted <= 0.05)
    assert result.advantage == pytest.approx(np.mean(advantages))
    assert result.passes == (np.mean(adjusted <= 0.05) >= 0.5)


def test_a_judge_equal_to_a_majority_wins_and_agreement_of_all_needs_an_epsilon():
    labels, judge = random_labels(1, items=200, errors=0.3, judge_errors=0.02)
    assert alternative_annotator_test(labels, judge, epsilon=0.1).winning_rate == 1
    bad = np.random.default_rng(3).integers(0, 3, 200)
    result = alternative_annotator_test(labels, bad, epsilon=0.1)
    assert (result.winning_rate, result.passes) == (0, False)
    for epsilon, rate in ((0.1, 1), (0, 0)):
        assert alternative_annotator_test(np.zeros((40, 3), dtype=int), [0] * 40, epsilon=epsilon).winning_rate == rate
    for judge, epsilon, words in (([0, 1], 0.1, "items x raters"), ([0], 2, "it is a share")):
        with pytest.raises(ValueError, match=words):
            alternative_annotator_test([[0, 1]], judge, epsilon=epsilon)


def test_copies_are_no_further_evidence_and_raters_with_few_items_are_not_tested():
    labels, judge = random_labels(2)
    once = alternative_annotator_test(labels, judge, epsilon=0.1)
    copies = np.repeat(np.arange(60), 3)
    clustered = alternative_annotator_test(labels[copies], judge[copies], epsilon=0.1, units=copies)
    assert [each.p for each in clustered.raters] == pytest.approx([each.p for each in once.raters])
    independent = alternative_annotator_test(labels[copies], judge[copies], epsilon=0.1)
    assert independent.raters[0].p < once.raters[0].p
    labels, judge = random_labels(4)
    labels[20:, 3] = -1
    result = alternative_annotator_test(labels, judge, epsilon=0.1)
    assert (result.tested, result.raters[3].p, result.raters[3].judge_wins) == (3, None, None)
    nothing = alternative_annotator_test(np.full((40, 3), -1), [0] * 40, epsilon=0.1)
    assert (nothing.tested, nothing.winning_rate, nothing.advantage, nothing.passes) == (0, None, None, None)
    assert json.loads(json.dumps(dataclasses.asdict(nothing), allow_nan=False))["tested"] == 0
