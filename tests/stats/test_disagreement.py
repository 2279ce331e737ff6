"""How far apart raters are, pair by pair."""

from itertools import combinations

import numpy as np
import pytest

from annotation.stats.disagreement import NONE, Aspect, disagreement

# Four sets of answers: accurate, inaccurate and severe, inaccurate and not severe, cannot assess.
ACCURACY = Aspect(np.array([0, 1, 1, 2]), none_differs=True)
SEVERITY = Aspect(np.array([NONE, 0, 1, NONE]), none_differs=True)
ACCURATE = Aspect(np.array([1, 0, 0, NONE]), none_differs=False)
ASPECTS = (ACCURACY, SEVERITY, ACCURATE)


def test_the_score_is_that_of_the_rule():
    scores = {
        (2, 0, 0, 0): 0,
        (1, 0, 0, 0): 0,
        (1, 1, 0, 0): 300,  # both questions and the measure
        (2, 2, 0, 0): 300,
        (3, 2, 0, 0): 300,
        (4, 1, 0, 0): 200,  # 4 · 3 of an even split's 6
        (0, 1, 1, 0): 100,
        (1, 0, 0, 1): 100,  # who cannot assess is not among the measure's
        (1, 1, 1, 0): 350,  # (3 + 3 + 1) of 2
    }
    assert disagreement(list(scores), ASPECTS).tolist() == list(scores.values())


def test_it_is_the_sum_over_pairs_of_ratings():
    counts = np.random.default_rng(3).integers(0, 5, (50, 4))
    for row, score in zip(counts, disagreement(counts, ASPECTS).tolist(), strict=True):
        ratings = [answer for answer, n in enumerate(row) for _ in range(n)]
        apart = sum(
            aspect.value[a] != aspect.value[b]
            and (aspect.none_differs or NONE not in (aspect.value[a], aspect.value[b]))
            for a, b in combinations(ratings, 2)
            for aspect in ASPECTS
        )
        assert score == pytest.approx(100 * apart / max(1, len(ratings) ** 2 // 4), abs=0.5)


def test_without_items_or_aspects_there_is_nothing_to_score():
    assert disagreement(np.zeros((0, 4)), ASPECTS).tolist() == []
    assert disagreement([[1, 1]], []).tolist() == [0]
    assert disagreement([[1, 1]], [Aspect(np.array([NONE, NONE]), none_differs=False)]).tolist() == [0]
