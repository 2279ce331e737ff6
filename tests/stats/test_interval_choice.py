"""Which interval is printed: the rule at its edges, and what the report takes from it."""

import dataclasses
import json
from statistics import NormalDist

import numpy as np
import pytest

from annotation.stats.bootstrap import Resamples, bca, left_out, replicates
from annotation.stats.interval_choice import Headline, headline, headlines, method_for
from annotation.stats.intervals import clopper_pearson, korn_graubard
from annotation.stats.proportions import ratio


@pytest.mark.parametrize(
    "clusters, k, n, method",
    [
        (0, 0, 0, "none"), (9, 50, 100, "none"), (10, 50, 100, "korn-graubard"), (49, 50, 100, "korn-graubard"),
        (50, 20, 40, "bca"), (50, 19, 100, "korn-graubard"), (50, 81, 100, "korn-graubard"),
        (158, 0, 900, "korn-graubard"),
    ],
)  # fmt: skip
def test_the_rule_at_its_edges(clusters, k, n, method):
    assert method_for(clusters, k, n) == method


def test_very_unequal_clusters_get_no_bootstrap():
    """Sixty that are worth fewer than forty: CV² of their sizes above .5."""
    assert method_for(60, 50, 100, 40.0) == "bca"
    assert method_for(60, 50, 100, 39.9) == "korn-graubard"
    n = np.array([40] * 5 + [2] * 55)  # 310² / 8220 = 11.7
    assert headline(n // 2, n, resamples=Resamples(60, 100)).method == "korn-graubard"


def test_of_values_between_0_and_1_whole_hits_count():
    """In quarters: 79 quarters are 19 whole hits, 80 are 20."""
    few, enough = np.zeros(100, dtype=int), np.zeros(100, dtype=int)
    few[:79], enough[:80] = 1, 1
    n = np.full(100, 12)
    assert headline(few, n, resamples=Resamples(100, 100), unit=4).method == "korn-graubard"
    assert headline(enough, n, resamples=Resamples(100, 100), unit=4).method == "bca"
    # Values of a quarter vary less than hits: the design effect is below 1 and taken as 1, so as 19.75 of 300.
    exact = clopper_pearson(*(size * 300 * (NormalDist().inv_cdf(0.975) / 1.984217) ** 2 for size in (79 / 1200, 1)))
    bounds = headline(few, n, unit=4)
    assert (bounds.k, bounds.n, bounds.value) == (79, 1200, 79 / 1200)
    assert (bounds.low, bounds.high) == pytest.approx((exact.low, exact.high), abs=1e-6)
    k, n = np.resize([0, 1, 2, 0], 60), np.full(60, 5)
    for resamples in (None, Resamples(60, 200)):
        once, in_hundredths = (
            headline(k, n, resamples=resamples),
            headline(100 * k, 100 * n, unit=100, resamples=resamples),
        )
        assert (in_hundredths.low, in_hundredths.high) == pytest.approx((once.low, once.high), abs=1e-12)
        assert once.method == in_hundredths.method


def project(clusters=60, seed=1):
    generator = np.random.default_rng(seed)
    n = generator.integers(1, 12, clusters)
    return generator.binomial(n, generator.beta(3, 1.5, clusters)), n


def test_enough_prompts_and_events_take_the_bootstrap_unless_all_are_alike():
    k, n = project()
    resamples = Resamples(60, 200)
    interval, drawn = headline(k, n, resamples=resamples), replicates(k, n, resamples)[0]
    expected = bca(drawn, k.sum() / n.sum(), left_out(k, n))
    assert (interval.low, interval.high, interval.method) == (expected.low, expected.high, "bca")
    assert interval.low < interval.value < interval.high
    interval, expected = headline(k, n), korn_graubard(ratio(k, n))
    assert (interval.low, interval.high, interval.method) == (expected.low, expected.high, "korn-graubard")
    n = np.tile([2, 4, 6], 20)
    intervals = headline(n // 2, n, resamples=Resamples(60, 500))
    assert (intervals.method, intervals.value, intervals.deff) == ("korn-graubard", 0.5, 0)
    assert intervals.low < 0.45 and intervals.high > 0.55


def test_a_cell_follows_the_rule_on_its_own_and_is_the_same_alone_and_among_others():
    k, n = project()
    some, few = n.copy(), n.copy()
    some[30:], few[5:] = 0, 0
    resamples = Resamples(60, 200)
    table = headlines([k, k * (some > 0), k * (few > 0), 0 * k], [n, some, few, 0 * n], resamples=resamples)
    assert [cell.method for cell in table] == ["bca", "korn-graubard", "none", "none"]
    assert [cell.clusters for cell in table] == [60, 30, 5, 0]
    many = headlines([k, n - k, k] * 40, [n, n, n] * 40, resamples=resamples)
    assert set(many) == {headline(k, n, resamples=resamples), headline(n - k, n, resamples=resamples)}
    fields = dataclasses.asdict(many[0])
    assert json.loads(json.dumps(fields, allow_nan=False)) == fields
    with pytest.raises(ValueError, match="same clusters"):
        headline(k, n, resamples=Resamples(61, 100))


def test_few_prompts_keep_counts():
    intervals = headline([1, 2, 3], [4, 4, 4])
    assert (intervals.k, intervals.n, intervals.value) == (6, 12, 0.5)
    assert (intervals.low, intervals.high, intervals.method) == (None, None, "none")
    assert headline([], []) == Headline(None, 0, 0, None, None, "none", None, 0, None, None)
    assert headline([0] * 60, [0] * 60, resamples=Resamples(60, 100)).value is None
