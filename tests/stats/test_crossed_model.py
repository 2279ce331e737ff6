"""The crossed random-effects model: stored figures of lme4, singular fits, and what has no estimate.

The stored figures are of `tests/stats/crossed_model.R` with R 4.2.2 and lme4 1.1-31; `with_lme4.py` fits them again.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from annotation.stats.crossed_factor import Layout, factorize
from annotation.stats.crossed_laplace import LaplaceDeviance, Rows
from annotation.stats.crossed_model import CROSSED, NESTED, Ratings, crossed_model
from annotation.stats.crossed_results import Component, CrossedFit
from tests.stats.crossed_ratings import COLUMNS, NONE, SDS, draw, ratings_of

GROUPINGS = (*NESTED, CROSSED)


@pytest.fixture(scope="module")
def fit() -> CrossedFit:
    """Return the model of 2,304 ratings of 3 systems, 12 documents, 48 prompts and 8 raters."""
    return crossed_model(ratings_of(draw(seed=2)))


@pytest.fixture(scope="module")
def singular() -> CrossedFit:
    """Return the model of ratings in which only items and raters differ."""
    return crossed_model(ratings_of(draw(sds=NONE | {"item": 1.0, "rater": 0.6})))


def assert_fit(fit: CrossedFit, likelihood: float, fixed: list[float], sds: dict[str, float], errors: list[float]):
    """Check the model against figures of lme4."""
    assert fit.log_likelihood == pytest.approx(likelihood, abs=0.01)
    assert fit.fixed == pytest.approx(fixed, rel=0.001)
    assert {row.grouping: math.sqrt(row.variance) for row in fit.components} == pytest.approx(sds, rel=0.001)
    assert [math.sqrt(row[i]) for i, row in enumerate(fit.covariance)] == pytest.approx(errors, rel=0.001)


def test_the_estimates_and_standard_errors_are_those_of_lme4(fit):
    assert fit.status == "fitted"
    sds = {"item": 1.025053761, "response": 0.8290047199, "prompt": 0.9540338334, "document": 1.197925918,
           "rater": 0.5668797916}  # fmt: skip
    fixed, errors = [2.000645959, 0.6583490594, 2.220338949], [0.4696564148, 0.4596868807, 0.4719906395]
    assert_fit(fit, -1067.413323, fixed, sds, errors)
    assert [row.levels for row in fit.components] == [576, 144, 48, 12, 8]
    assert fit.covariance[0][1] == pytest.approx(0.1813178087, rel=0.001)
    # R: integrate(function(z) plogis(b + total * z) * dnorm(z), -12, 12) with the figures of lme4.
    assert [row.value for row in fit.marginal] == pytest.approx([0.7687831685, 0.5958257101, 0.7924305171], rel=0.001)
    assert all(row.low < row.value < row.high for row in fit.marginal)
    first, difference = fit.odds_ratios[0], fixed[0] - fixed[1]  # odds ratios are Wald's
    se = math.sqrt(errors[0] ** 2 + errors[1] ** 2 - 2 * 0.1813178087)
    assert (first.a, first.b) == (0, 1)
    assert first.value == pytest.approx(math.exp(difference), rel=0.001)
    bounds = [math.exp(difference + side * 1.959964 * se) for side in (-1, 1)]
    assert [first.low, first.high] == pytest.approx(bounds, rel=0.002)
    assert first.p == pytest.approx(math.erfc(difference / se / math.sqrt(2)), rel=0.01)
    p = [factor * row.p for factor, row in zip((2, 1, 3), fit.odds_ratios, strict=True)]
    assert [row.p_holm for row in fit.odds_ratios] == pytest.approx(p)


def test_a_variance_of_zero_is_said(singular):
    """lme4: isSingular() with response and document at 0."""
    assert singular.status == "singular"
    assert [row.grouping for row in singular.components if row.singular] == ["response", "document"]
    sds = {"item": 0.8429962498, "response": 0, "prompt": 0.1861463428, "document": 0, "rater": 0.8344595938}
    fixed, errors = [1.511302581, 0.8318429454, 2.217818061], [0.3213202343, 0.3156833192, 0.3303205787]
    assert_fit(singular, -1106.802739, fixed, sds, errors)


def test_the_order_of_the_ratings_does_not_matter_and_the_same_give_the_same_digits():
    rows = draw(prompts=24, documents=6)
    first, same, reversed_order = (crossed_model(ratings_of(each)) for each in (rows, rows, rows[::-1]))
    assert first == same and first.status != "not fitted"
    assert reversed_order.fixed == pytest.approx(first.fixed, rel=1e-6)
    assert reversed_order.covariance[0] == pytest.approx(first.covariance[0], rel=1e-5)
    # An item that a rater rated twice counts twice.
    twice = ratings_of([row for row in rows for _ in range(2)])
    assert crossed_model(twice).ratings == 2 * first.ratings
    assert crossed_model(replace(twice, groupings={"rater": twice.groupings["rater"]})).status == "fitted"

    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    with pytest.raises(StopError):
        crossed_model(twice, progress=stop)


@pytest.mark.parametrize(("separated", "hit"), [(1, 1), (0, 0)])
def test_a_system_without_a_miss_or_a_hit_is_left_out_of_the_model(separated, hit):
    """The model is that of the other systems' ratings alone, under their own numbers."""
    rows = [(hit, *row[1:]) if row[1] == separated else row for row in draw(prompts=24)]
    fit = crossed_model(ratings_of(rows))
    a, b = (system for system in range(3) if system != separated)
    others = [(row[0], int(row[1] == b), *row[2:]) for row in rows if row[1] != separated]
    alone = crossed_model(ratings_of(others))
    assert (fit.reason, fit.separated, fit.ratings) == (None, (separated,), len(others))
    for name in ("status", "log_likelihood", "fixed", "components"):
        assert getattr(fit, name) == getattr(alone, name)
    assert [(row.a, row.b) for row in fit.odds_ratios] == [(a, b)]
    assert [row.system for row in fit.marginal] == [a, b]
    assert [row.value for row in fit.marginal] == [row.value for row in alone.marginal]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([(1, *row[1:]) if row[1] == 1 else row for row in draw(logits=(1.0, 2.0))], "separation"),  # one other system
        (draw(prompts=1, items=2)[:40], "too few ratings"),
        (draw(sds=NONE | {"item": 100.0}, documents=6, prompts=24), "unlimited variance"),  # raters always agree
        ([(*row[:2], 0, 0, 0, number, 0) for number, row in enumerate(draw())], "no grouping"),
    ],
)
def test_ratings_without_a_model_have_its_reason(rows, reason):
    fit = crossed_model(ratings_of(rows))
    assert (fit.status, fit.reason, fit.odds_ratios, fit.log_likelihood) == ("not fitted", reason, (), None)


@pytest.mark.parametrize(
    ("options", "dropped"),
    [
        ({"documents": 48, "overlap": 1}, {"item": "one rating each", "document": "same as prompt"}),
        ({"logits": (1.0,)}, {"response": "same as prompt"}),
        ({"prompts": 1, "items": 30}, {"prompt": "one level", "document": "one level", "response": "same as system"}),
    ],
)
def test_groupings_that_tell_nothing_more_are_dropped(options, dropped):
    fit = crossed_model(ratings_of(draw(**options)))
    assert dict(fit.dropped) == dropped
    assert [row.grouping for row in fit.components] == [name for name in GROUPINGS if name not in dropped]
    if "logits" in options:
        assert fit.odds_ratios == () and len(fit.marginal) == 1


def test_groupings_that_are_unknown_or_not_nested_and_lengths_are_refused():
    with pytest.raises(ValueError, match="nested"):
        crossed_model(ratings_of([(*row[:4], row[4] % 7, *row[5:]) for row in draw()]))
    with pytest.raises(ValueError, match="unknown"):
        Ratings.of([1], [0], 1, {"week": [0]})
    with pytest.raises(ValueError, match="every rating"):
        Ratings.of([1, 0], [0, 0], 1, {"item": [0]})


def fitted(**variances: float) -> CrossedFit:
    parts = [Component(name, 30, variance, False) for name, variance in variances.items()]
    return CrossedFit("fitted", 90, components=tuple(parts))


@pytest.mark.parametrize(
    ("fit", "expected"),
    [
        (CrossedFit("not fitted", 90, "unlimited variance"), True),
        (CrossedFit("not fitted", 90, "unlimited variance", dropped=(("item", "one rating each"),)), False),
        (CrossedFit("not fitted", 90, "no convergence"), False),
        (fitted(item=16.5), True),
        (fitted(response=16.5), True),
        (fitted(item=15.5), False),
        (fitted(item=1.0, rater=20.0), False),
    ],
)
def test_ratings_hardly_ever_differ_where_items_have_an_unlimited_or_a_large_variance(fit, expected):
    assert fit.lacks_inner_variance is expected
    assert fit.is_reliable is (fit.status == "fitted" and max(part.variance for part in fit.components) <= 16)


def test_the_variance_of_items_may_have_no_estimate_though_raters_often_differ():
    """Four raters err in 6 % of their ratings of 500 sentences, of which 90 % are accurate."""
    generator = np.random.default_rng(1)
    item, system = np.repeat(np.arange(500), 4), np.repeat(np.arange(500) % 2, 4)
    hit = (generator.random(500) < 0.9)[item] ^ (generator.random(2000) < 0.06)
    hits = np.bincount(item, hit)
    assert np.count_nonzero((hits > 0) & (hits < 4)) > 100
    fit = crossed_model(Ratings.of(hit, system, 2, {"item": item}))
    assert fit.lacks_inner_variance and not fit.is_reliable


def rows_of(groupings: tuple[str, ...]) -> Rows:
    columns = np.array(draw(documents=4, prompts=8, items=2, raters=5, overlap=2)).T
    levels = [np.unique(columns[COLUMNS.index(name)], return_inverse=True)[1] for name in groupings]
    layout = Layout.of(levels, len([name for name in groupings if name != CROSSED]))
    return Rows(columns[0].astype(float), np.ones(columns.shape[1]), columns[1], 3, layout)


SUBSETS = [GROUPINGS, NESTED, (CROSSED,), ("item", "prompt", CROSSED), ("document",)]


@pytest.mark.parametrize("groupings", SUBSETS)
def test_the_gradient_is_that_of_the_deviance(groupings):
    deviance = LaplaceDeviance(rows_of(groupings))
    at = np.array([*[0.5, 0.8, 0.6, 0.9, 0.4][: len(groupings)], 1.0, 0.5, 1.5])
    steps = 1e-5 * np.eye(len(at))
    differences = [(deviance(at + step)[0] - deviance(at - step)[0]) / 2e-5 for step in steps]
    assert deviance(at)[1] == pytest.approx(differences, abs=1e-3)


@pytest.mark.parametrize("groupings", SUBSETS)
def test_the_factor_is_that_of_the_dense_matrix(groupings):
    layout = rows_of(groupings).layout
    values = np.array([SDS[name] for name in groupings])
    weights = np.linspace(0.1, 0.25, len(layout.rows[0]))
    parts = [np.eye(size)[level] * sd for size, level, sd in zip(layout.sizes, layout.rows, values, strict=True)]
    design = np.concatenate(parts, axis=1)
    dense = np.eye(design.shape[1]) + design.T @ (weights[:, None] * design)
    factor, right = factorize(layout, values, weights), np.arange(1.0, design.shape[1] + 1)
    assert factor.log_determinant() == pytest.approx(np.linalg.slogdet(dense)[1])
    split = np.split(right, np.cumsum(layout.sizes)[:-1])
    assert np.concatenate(factor.solve(split)) == pytest.approx(np.linalg.solve(dense, right))
    inverse, starts = np.linalg.inv(dense), np.cumsum([0, *layout.sizes[:-1]])
    for g, of_g in enumerate(factor.row_covariances()):
        for h, entries in enumerate(of_g):
            assert entries == pytest.approx(inverse[starts[g] + layout.rows[g], starts[h] + layout.rows[h]])
