"""The sample size of an interval: textbook numbers, inverses, and simulated studies."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.stats.intervals import clopper_pearson, degrees_of_freedom, korn_graubard, t_bounds
from annotation.stats.planning import (
    Correlations,
    Design,
    expected_se_ratio,
    half_width,
    least_half_width,
    nested_design_effect,
    plan,
    planned_half_width,
    rounded_up,
)
from annotation.stats.proportions import ratio, ratios
from annotation.stats.quantiles import t_quantile
from tests.stats import simulated_studies
from tests.stats.simulated_studies import Ratings, draw_studies, known_design

shares = st.floats(0, 1)

NARROWER_THAN_PLANNED = {(True, 20, "MORE_UNEQUAL"), (False, 20, "MORE_UNEQUAL"), (False, 50, "MORE_UNEQUAL")}
"""Settings with few units of very unequal sizes, whose intervals are 2 to 7 % narrower than planned."""


def design_effect(icc: float, mean_cluster_size: float, cv2: float = 0.0) -> float:
    """Return 1 + ((1 + CV²) m - 1) · ICC (Eldridge, Ashby and Kerry 2006); of equal sizes 1 + (m - 1) · ICC (Kish)."""
    return nested_design_effect(Design(mean_cluster_size, 1, cv2), Correlations(icc, icc))


def test_textbook_cases_of_sample_sizes():
    # z² / 4 / .05² = 384.1459, times 2.25 = 864.3
    assert half_width(0.5, 384.1459) == pytest.approx(0.05, abs=1e-8)
    assert half_width(0.5, 384) > 0.05 > half_width(0.5, 385)
    assert design_effect(0.25, 6) == 2.25
    assert half_width(0.5, 864, deff=2.25) > 0.05 > half_width(0.5, 865, deff=2.25)
    assert half_width(0.0, 7) == 0
    assert (rounded_up(385 / (0.1 + 0.2)), rounded_up(385 / (385 / 3))) == (1284, 3)  # 385 / .3 = 1283.3
    # c4 of quality control charts, Montgomery (2009), appendix VI: .9727 for 10 observations, .9869 for 20.
    assert expected_se_ratio(10, Design(1, 1), Correlations(0, 0)) == pytest.approx(0.9727, abs=5e-5)
    assert expected_se_ratio(20, Design(1, 1), Correlations(0, 0)) == pytest.approx(0.9869, abs=5e-5)
    for p, ratings, deff, words in ((1.2, 9, 1, "p is 1.2"), (0.5, 9, -1, "deff is -1"), (0.5, 0, 1, "ratings is 0")):
        with pytest.raises(ValueError, match=words):
            half_width(p, ratings, deff=deff)
    with pytest.raises(ValueError, match="half_width is 0"):
        plan(0.5, 0, Design(1, 1), Correlations(0, 0))


def test_unequal_cluster_sizes_cost_what_eldridge_ashby_and_kerry_say():
    """Int. J. Epidemiol. 35 (2006): a coefficient of variation below .23 is negligible (up to 5 %), .65 is usual for
    general practices and adds up to 42 %; 1 + (((1 + CV²) m) - 1) · ICC.
    """
    assert design_effect(1, 30, 0.23**2) / design_effect(1, 30) == pytest.approx(1.05, abs=0.005)
    assert design_effect(1, 30, 0.65**2) / design_effect(1, 30) == pytest.approx(1.42, abs=0.005)
    assert design_effect(0.05, 20, 0.65**2) == pytest.approx(2.3725)  # 1 + (1.4225 · 20 - 1) · .05; equal sizes: 1.95


@given(shares, st.floats(1, 30), st.integers(1, 10), st.floats(0, 3))
def test_one_correlation_is_kishs_and_with_unequal_sizes_the_published_design_effect(icc, items, raters, cv2):
    effect = nested_design_effect(Design(items, raters), Correlations(icc, icc))
    assert effect == pytest.approx(design_effect(icc, items * raters))
    effect = nested_design_effect(Design(items, 1, cv2), Correlations(icc, icc))
    assert effect == pytest.approx(design_effect(icc, items, cv2))


def test_the_design_effect_counts_pairs_of_ratings():
    # Two documents of one and three prompts, each of one sentence by two raters: the pairs of ratings, counted.
    design, alike = Design(1, 2, prompts=2, cv2_prompts=0.25), Correlations(0.3, 0.5, document=0.2)
    # Of 8 ratings: 8 in pairs with the other rater, 6 · 4 with other prompts of their document, over 8.
    assert nested_design_effect(design, alike) == pytest.approx(1 + 8 / 8 * 0.5 + 24 / 8 * 0.2)
    assert nested_design_effect(Design(1, 1), Correlations(0.9, 0.9)) == 1
    assert nested_design_effect(Design(0.8, 1), Correlations(0.9, 0.9)) == 1  # some prompts have nothing to assess
    proportion = ratio([5, 0] * 40, [5] * 80)  # prompts all one or all the other: ICC 1
    assert design_effect(proportion.icc, 5) == pytest.approx(proportion.deff, rel=0.02)
    # More prompts per document even out lengths, but not documents.
    parts = Design(5, 2, 1.2, prompts=3, cv2_prompts=0.3)
    assert parts.with_more_prompts(2).unit_variation == pytest.approx(1.2 / 6 + 0.3)
    observed = replace(parts, cv2_units=1.5)
    assert observed.with_more_prompts(2).unit_variation == pytest.approx(1.5 - 1.2 / 3 + 1.2 / 6)


@given(st.floats(0.05, 0.95), st.floats(0.01, 0.2), st.floats(1, 20), shares, shares)
@settings(max_examples=40)
def test_a_plan_brings_its_width_and_more_raters_help_but_not_as_much_as_more_prompts(p, goal, items, icc, other):
    alike, plans = Correlations(min(icc, other), max(icc, other)), []
    for raters in (1, 2, 3, 5):
        design = Design(items, raters)
        plans.append(plan(p, goal, design, alike))
        prompts = plans[-1].prompts
        assert planned_half_width(p, prompts, design, alike) <= goal + 1e-9
        if not plans[-1].is_at_minimum and prompts > 11:
            assert planned_half_width(p, prompts - 2, design, alike) > goal
        on_others = planned_half_width(p, 100 * raters, Design(items, 1), alike)
        assert on_others <= planned_half_width(p, 100, design, alike) + 1e-12
    assert [each.prompts for each in plans] == sorted((each.prompts for each in plans), reverse=True)


def test_few_units_have_exact_bounds_and_wide_disagreement_a_width_that_stays():
    result = plan(0.5, 0.4, Design(10, 3), Correlations(0, 0))
    assert (result.prompts, result.is_at_minimum) == (10, True)
    # z · sqrt(.25 · .02 / 4) = 1.95996 · .035355
    assert least_half_width(0.5, Correlations(0.1, 0.4, 0.02), 4) == pytest.approx(0.069295, abs=1e-6)
    assert least_half_width(0.5, Correlations(0.1, 0.4, 0.0), 4) == 0
    # 10 ratings are worth 10 · (1.96 / 2.262)² = 7.51, of which half: Clopper and Pearson's .148 to .852.
    exact = clopper_pearson(7.508 / 2, 7.508)
    few = planned_half_width(0.5, 10, Design(1, 1), Correlations(0, 0))
    assert few == pytest.approx((exact.high - exact.low) / 2, abs=1e-3)
    many = planned_half_width(0.5, 100, Design(1, 1), Correlations(0, 0))
    assert many == pytest.approx(1.98422 / 20 * 0.997477, abs=1e-6)  # t of 99 degrees, c4(99) = .997477
    # CV² of the ratings per document: 1.1 / 2.55 + .407 = .838
    assert known_design(2).effective_units(60) == pytest.approx(60 / 1.8384, abs=0.01)
    assert Design(5, 2).effective_units(60) == 60


ALIKE = Correlations(0.12, 0.35, document=0.05)  # in simulated studies; with a fixed seed


def mean_half_widths(study: Ratings) -> list[float]:
    """Return the mean over studies of half the linearized interval and of half that of Korn and Graubard."""
    drawn = ratios(*study.counts)
    linearized = [t_bounds(each.value, each.se, each.clusters, effective=each.effective_clusters) for each in drawn]
    exact = [korn_graubard(each) for each in drawn]
    return [float(np.mean([each.high - each.low for each in bounds])) / 2 for bounds in (linearized, exact)]


@pytest.mark.parametrize(
    ("share", "half", "documents", "units", "prompts", "seed"),
    [(0.8, 0.045, True, 60, 153, 1), (0.6, 0.07, False, 77, 77, 2)],
    ids=["documents with unequal prompts and lengths", "prompts with unequal lengths"],
)
def test_studies_of_the_planned_size_have_the_planned_width(share, half, documents, units, prompts, seed):
    raters = 2 if documents else 1
    size = plan(share, half, known_design(raters, documents=documents), ALIKE)
    assert (size.units, size.prompts) == (units, prompts)
    [study] = draw_studies([share], (300, units), raters, ALIKE, seed=seed, documents=documents)
    assert mean_half_widths(study) == pytest.approx([half, half], rel=0.05)


@pytest.mark.parametrize(
    ("documents", "units", "lengths"),
    sorted(
        {*product((True, False), (20, 50, 150), ("LESS_UNEQUAL", "LENGTHS", "MORE_UNEQUAL"))} - NARROWER_THAN_PLANNED
    ),
)
def test_intervals_of_any_number_of_units_have_the_planned_width(units, documents, lengths):
    options = {"documents": documents, "lengths": getattr(simulated_studies, lengths)}
    design = known_design(2, **options)
    se = math.sqrt(nested_design_effect(design, ALIKE) * 0.75 * 0.25 / (units * design.ratings_per_unit))
    degrees = degrees_of_freedom(units, design.effective_units(units))
    linearized = t_quantile(0.975, degrees) * se * expected_se_ratio(units, design, ALIKE)
    planned = planned_half_width(0.75, units, design, ALIKE)
    [study] = draw_studies([0.75], (300, units), 2, ALIKE, seed=3, **options)
    assert mean_half_widths(study) == pytest.approx([linearized, planned], rel=0.05)


@pytest.mark.parametrize("units", [20, 50, 150])
def test_lengths_that_cluster_by_document_are_planned_with_the_observed_sizes_of_documents(units):
    """Long responses about the same documents: CV² of ratings per document 1.95 instead of .84."""
    alike, design = Correlations(0.2, 0.3, document=0.18), known_design(2)
    [study] = draw_studies([0.75], (300, units), 2, alike, seed=4, lengths_of_documents=True)
    sizes = study.counts[1]
    observed = replace(design, cv2_units=float(sizes.var() / sizes.mean() ** 2))
    assert observed.cv2_units == pytest.approx(2.1 * 1.41 - 1, rel=0.1)
    obtained = mean_half_widths(study)[1]
    assert planned_half_width(0.75, units, observed, alike) == pytest.approx(obtained, rel=0.15)
    assert planned_half_width(0.75, units, design, alike) < 0.91 * obtained
