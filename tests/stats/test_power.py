"""The sample size of a difference: textbook numbers, and the power of simulated studies."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.stats.comparisons import compare_measures
from annotation.stats.nested_correlations import unit_correlation
from annotation.stats.planning import Correlations, Design, nested_design_effect
from annotation.stats.power import (
    DifferenceTest,
    detectable_difference,
    detectable_from_interval,
    detectable_shift,
    difference_se,
    other_share,
    plan_difference,
    power_of,
)
from tests.stats.clusters import paired_difference
from tests.stats.simulated_studies import draw_studies, known_design

INDEPENDENT = Correlations(0, 0)


@pytest.mark.parametrize(("effect", "pairs"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_the_pairs_of_a_paired_t_test(effect, pairs):
    """Cohen (1988), as G*Power computes them (Faul et al. 2007): two-sided alpha .05, power .80, d_z .2, .5 and .8."""
    # One rating a unit; the correlation that makes the difference of .1 these standard deviations of a difference.
    a, b = 0.5, 0.6
    variance_a, variance_b = a * (1 - a), b * (1 - b)
    r = (variance_a + variance_b - (0.1 / effect) ** 2) / (2 * math.sqrt(variance_a * variance_b))
    test = DifferenceTest(correlation=r)
    assert plan_difference(a, 0.1, Design(1, 1), INDEPENDENT, test).units == pairs
    assert power_of(a, 0.1, pairs - 1, Design(1, 1), INDEPENDENT, test) < 0.8
    # With a pair fewer the effect, times the root of the number of pairs, is not detected.
    test = DifferenceTest()
    assert detectable_shift(pairs - 1, test) <= effect * math.sqrt(pairs)
    assert detectable_shift(pairs - 2, test) > effect * math.sqrt(pairs - 1)


def test_textbook_cases_and_what_needs_more_units():
    # Of many degrees z: (1.95996 + .84162) / 1.95996 = 1.42940 half-widths; of 3 pairs (2.39398 + .84162) / 1.95996.
    assert detectable_from_interval(0.1, 10**6, DifferenceTest()) == pytest.approx(0.142940, abs=1e-5)
    assert detectable_from_interval(0.1, 10**6, DifferenceTest(pairs=3)) == pytest.approx(0.165085, abs=1e-5)
    # (1.95996 + .84162)² · (.5 · .5 + .6 · .4) / .1² = 384.6 for each; t instead of z adds 2.
    size = plan_difference(0.5, 0.1, Design(1, 1), INDEPENDENT, DifferenceTest())
    assert size.units == 387
    assert other_share(0.9, 0.05) == pytest.approx(0.85)
    assert other_share(0.2, 0.05) == pytest.approx(0.25)
    design, alike = Design(8, 2, 1.0), Correlations(0.1, 0.5)
    units = [plan_difference(0.8, 0.05, design, alike, DifferenceTest(pairs=pairs)).units for pairs in (1, 3, 10)]
    assert units == sorted(units) and len(set(units)) == 3
    paired = plan_difference(0.8, 0.05, design, alike, DifferenceTest(correlation=0.5)).units
    assert paired == pytest.approx(units[0] / 2, rel=0.05)


def test_the_standard_error_is_that_of_the_linearized_difference():
    """With the design effect and the correlation of the same data: all sizes equal, p 1/2 for both."""
    generator = np.random.default_rng(5)
    k_a, k_b = (np.concatenate([half, 4 - half]) for half in generator.integers(0, 5, (2, 40)))
    n = np.full(80, 4)
    measured = paired_difference(k_a, n, k_b, n, draws=1)
    r = unit_correlation(k_a, n, k_b, n)
    deff_a, deff_b = (((k - 2) ** 2).sum() / 80 for k in (k_a, k_b))  # Σ (k - n/2)² / (n · p(1-p)) for 80 units of 4
    variance = 0.25 / 320 * (deff_a + deff_b - 2 * r * math.sqrt(deff_a * deff_b))
    assert measured.se == pytest.approx(math.sqrt(80 / 79 * variance))
    equal = difference_se(0.5, 0.5, 80, Design(4, 1), Correlations(0.2, 0.2), r)
    assert equal == pytest.approx(math.sqrt(2 * 1.6 * 0.25 / 320 * (1 - r)))


@given(st.floats(0.05, 0.95), st.floats(0.03, 0.3), st.integers(1, 10), st.floats(0, 0.8))
@settings(max_examples=50)
def test_the_detectable_difference_of_a_plan_is_the_one_planned(share, difference, pairs, r):
    design, alike = Design(6, 2, 1.2, 3, 0.4), Correlations(0.1, 0.5, document=0.05)
    test = DifferenceTest(pairs=pairs, correlation=r)
    size = plan_difference(share, difference, design, alike, test)
    found = detectable_difference(share, size.units, design, alike, test)
    assert found is not None and found <= difference + 1e-9
    assert power_of(share, found, size.units, design, alike, test) == pytest.approx(0.8, abs=1e-6)


def test_no_difference_is_detectable_with_too_few_units_and_none_is_refused():
    assert detectable_difference(0.5, 9, Design(20, 2), INDEPENDENT, DifferenceTest()) is None
    assert detectable_difference(0.5, 10, Design(1, 1), INDEPENDENT, DifferenceTest(pairs=10)) is None
    for difference in (0, -0.1, 0.8):
        with pytest.raises(ValueError, match="difference is"):
            plan_difference(0.6, difference, Design(1, 1), INDEPENDENT, DifferenceTest())


@pytest.mark.parametrize("documents", [True, False])
def test_simulated_studies_of_the_planned_size_have_the_planned_power(documents):
    share, difference, studies = 0.75, 0.08, 500
    alike, design = Correlations(0.12, 0.35, document=0.05), known_design(2, documents=documents)
    other = other_share(share, difference)
    test = DifferenceTest(correlation=_correlation(share, other, design, alike))
    size = plan_difference(share, difference, design, alike, test)
    systems = draw_studies([share, other], (studies, size.units), 2, alike, seed=3, documents=documents)
    k, n = (np.stack(counts, axis=1) for counts in zip(*(system.counts for system in systems), strict=True))
    compared = [row for (row,) in compare_measures(zip(k, n, strict=True), draws=1)]
    detected = np.mean([row.low > 0 or row.high < 0 for row in compared])
    assert detected == pytest.approx(0.8, abs=0.05)
    measured = [unit_correlation(k[i, 0], n[i, 0], k[i, 1], n[i, 1]) for i in range(100)]
    assert np.mean(measured) == pytest.approx(test.correlation, abs=0.03)


def _correlation(a: float, b: float, design: Design, alike: Correlations) -> float:
    """Return the correlation of two simulated systems by unit, which have the same numbers but lengths of their own.

    A pair of ratings, one of each system, shares a number as often as two of different prompts or of different
    sentences of one system do.
    """
    size, prompts = design.ratings_per_prompt, design.prompts
    pairs = (1 + design.cv2_prompts) * prompts**2 - prompts
    shared = size**2 * (prompts * alike.prompt + pairs * alike.document) * (min(a, b) - a * b)
    spread = size * prompts * nested_design_effect(design, alike)
    return shared / (spread * math.sqrt(a * (1 - a) * b * (1 - b)))
