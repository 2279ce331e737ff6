"""How alike ratings are: small cases by hand, and the correlations of simulated studies."""

import numpy as np
import pytest

from annotation.stats.nested_correlations import (
    nested_correlations,
    rater_correlation,
    squared_variation,
    unit_correlation,
)
from annotation.stats.planning import Correlations, Design, nested_design_effect
from annotation.stats.proportions import cluster_counts, ratio
from tests.stats.simulated_studies import draw_studies


def test_correlations_of_small_cases_by_hand():
    # e is ± 1/2: pairs within a prompt have the product 1/4, pairs of different prompts -1/4.
    assert nested_correlations([1, 1, 0, 0], [[0, 0, 1, 1]]) == [1]
    # Two prompts of two sentences, each by two raters who agree; half the sentences of each prompt are right.
    hits, item, prompt = [1, 1, 0, 0, 1, 1, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 0, 0, 1, 1, 1, 1]
    # Products: same sentence 1/4; other sentence of the prompt -1/4; other prompt 0.
    assert nested_correlations(hits, [prompt, item]) == [-1, 1]
    assert nested_correlations([1, 0], [[0, 1], [0, 1]]) == [None, None]
    assert nested_correlations([1, 1], [[0, 0]]) == [None]
    assert nested_correlations([], [[]]) == [None]
    assert squared_variation([4, 4, 4]) == 0
    assert squared_variation([1, 3]) == 0.25
    assert squared_variation([]) is None


def test_the_correlations_of_simulated_studies_are_found_again():
    alike = Correlations(0.12, 0.35, document=0.05)
    [drawn] = draw_studies([0.7], (1, 3000), 2, alike, seed=4)
    found = nested_correlations(drawn.hits, [drawn.document, drawn.prompt, drawn.item])
    assert found == pytest.approx([0.05, 0.12, 0.35], abs=0.01)


def test_a_plan_of_the_same_data_has_their_design_effect():
    """The linearized one of the report, with unequal lengths: this is what makes plan and interval agree."""
    [drawn] = draw_studies([0.7], (1, 80), 2, Correlations(0.2, 0.4), seed=6, documents=False)
    prompt, item = nested_correlations(drawn.hits, [drawn.prompt, drawn.item])
    sizes = np.bincount(drawn.prompt)
    design = Design(sizes.mean() / 2, 2, squared_variation(sizes))
    measured = ratio(*cluster_counts(drawn.prompt, drawn.hits, 80)).deff
    assert nested_design_effect(design, Correlations(prompt, item)) == pytest.approx(measured, rel=0.06)


def test_the_correlations_of_a_raters_own_ratings_and_of_two_systems_on_the_same_units():
    # One rater always says yes, the other always no: e is ± 1/2, every pair of one rater has the product 1/4.
    assert rater_correlation([1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 0, 1]) == 1
    assert rater_correlation([1, 0], [0, 0], [0, 0]) is None  # one prompt: no pair to compare
    assert rater_correlation([1, 1], [0, 0], [0, 1]) is None  # nobody said no
    assert rater_correlation([], [], []) is None
    twice = np.repeat(np.random.default_rng(3).integers(0, 2, 400), 2)  # raters of one mind
    assert abs(rater_correlation(twice, np.tile([0, 1], 400), np.repeat(np.arange(400), 2))) < 0.05
    n, k = np.full(4, 2), np.array([2, 0, 2, 0])
    assert (unit_correlation(k, n, k, n), unit_correlation(k, n, 2 - k, n)) == (1, -1)
    common = np.array([2, 0, 0, 2])  # two of the units
    assert unit_correlation(np.array([2, 0, 0, 0]), n, np.array([2, 0, 0, 1]), common) == 1
    assert unit_correlation(n, n, k, n) is None
