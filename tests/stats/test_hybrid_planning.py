"""Plans of hybrid estimates: a worked example by independent code, plans against the widths of studies of that size."""

import math

import numpy as np
import pytest
from scipy import stats

from annotation.stats.hybrid_planning import planner
from annotation.stats.plan_frame import PlanFrame
from tests.stats.planned_samples import drawn_frame, planner_of, population

STUDIES = 40


def worked_example():
    """Return forty prompts with one response of four sentences. One sentence of each was drawn, π = ¼, all are rated.

    People find every fourth of them inaccurate; the judge is wrong about every fifth prompt's first sentence, and finds
    the others accurate, but the last sentence of every third prompt.
    """
    prompt = np.repeat(np.arange(40), 4)
    position = np.tile(np.arange(4), 40)
    drawn = position == 0
    truth = np.where(drawn, (prompt % 4 > 0).astype(float), 0.0)
    verdict = np.where(
        drawn, np.where(prompt % 5 > 0, prompt % 4 > 0, prompt % 4 == 0), ~((position == 3) & (prompt % 3 == 0))
    )
    return prompt, drawn, truth, verdict.astype(float)


def independent_half_width(prompt, drawn, truth, verdict, items):
    """Return the planned half-widths with the judge and of people alone for `items` of 160, and λ, from all pairs.

    At most one sentence of each prompt is sampled if items ≤ 40, so π_ij = 0 in a prompt. Between them: with π = x/4,
    x = items / 40, and k = ⌊x⌋, the mean of π_ij over the 12 pairs is k (2x − k − 1) / 12.
    """
    w, others = 4.0, (prompt[:, None] == prompt) & ~np.eye(160, dtype=bool)
    hits, rated = w * truth[drawn].sum(), w * drawn.sum()
    alone = hits / rated

    def by_prompt(values):
        return np.bincount(prompt, values)

    def human(value):
        return w * drawn * (truth - value)

    def judged(value):
        return (w * drawn - 1) * (verdict - value)

    u, v = by_prompt(human(alone)), by_prompt(judged(alone))
    lam = min(1.0, max(0.0, np.cov(u, v)[0, 1] / np.var(v, ddof=1)))
    bottom = rated - lam * (w * drawn - 1).sum()
    theta = (hits - lam * ((w * drawn - 1) * verdict).sum()) / bottom
    r, s = np.where(drawn, truth - theta, 0.0), verdict - theta
    squares, totals, in_prompt = w * (r**2).sum(), by_prompt(w * r), s @ others @ s
    # θ is that of people and judge, so residuals do not sum to 0.
    assert (totals.sum() ** 2 - (totals**2).sum()) / (160**2 - 40 * 4**2) != 0
    # No two sentences of a prompt are rated: the products in a prompt are those of the judge's verdicts.
    product = in_prompt / (40 * 12) / np.mean(s**2) * (squares / 160)
    between = squares + max(0.0, 40 * 12 * product)

    def covariance(count):
        x, pi = count / 40, count / 160
        k = math.floor(x + 1e-9)
        return 1 / pi - 1, k * (2 * x - k - 1) / 12 / pi**2 - 1

    def expected(count, with_judge):
        own, other = covariance(count)
        of_people = max(0.0, own * squares + other * 40 * 12 * product)
        if not with_judge:
            return between + of_people
        judge = own * (s**2).sum() + other * in_prompt
        common = own * w * r @ s + other * w * r @ others @ s
        best = min(1.0, max(0.0, common / judge))
        return max(between, between + of_people - 2 * best * common + best**2 * judge)

    def se_ratio(count):
        """Prompts are worth those of equal size, from Σ m² = 160 + 480 + Σ Δ."""
        own, other = covariance(count)
        effective = min(40.0, 40 * 640 / (640 + 160 * own + 480 * other))
        of_pairs = max(0.0, 1 - (1 + own) * squares / expected(count, False))
        c4 = math.sqrt(2 / 39) * math.gamma(20) / math.gamma(19.5)
        return c4 / math.sqrt(1 + 4 * of_pairs * max(0.0, 40 / effective - 1) / 40)

    widths = []
    for value, weight, denominator, most in ((theta, lam, bottom, 160), (alone, 0.0, rated, items)):
        now = 40 / 39 * (by_prompt(human(value) - weight * judged(value)) ** 2).sum() / denominator**2
        grown = expected(items, weight > 0) / expected(40, weight > 0)
        variance = now * grown * (se_ratio(items) / se_ratio(40)) ** 2
        size = min(most, value * (1 - value) / variance) * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 39)) ** 2
        low = stats.beta.ppf(0.025, value * size, size - value * size + 1)
        high = stats.beta.ppf(0.975, value * size + 1, size - value * size)
        widths.append((high - low) / 2)
    return widths, lam


@pytest.mark.parametrize("items", [40, 60, 100])
def test_the_worked_example_equals_independent_code(items):
    prompt, drawn, truth, verdict = worked_example()
    one = np.ones(160)
    frame = PlanFrame(prompt, prompt, prompt, np.full(160, 0.25), drawn, drawn, one, 40)
    of_example = planner(frame, truth, one, verdict, one)
    widths, lam = independent_half_width(prompt, drawn, truth, verdict, items)
    assert 0 < of_example.both.lambda_ == pytest.approx(lam)
    plan = of_example.plan(items)
    assert (plan.with_judge, plan.people_alone) == pytest.approx(widths, rel=1e-6)


@pytest.mark.parametrize("design", ["uniform", "responses", "uncertain"])
@pytest.mark.parametrize("part", [1.0, 0.6])
def test_a_plan_without_further_ratings_is_the_present_interval(design, part):
    generator = np.random.default_rng(2)
    now = planner_of(generator, population(generator), design, 300, part)
    plan = now.plan(0)
    assert plan.items == now.frame.rated
    assert plan.with_judge == pytest.approx((now.both.high - now.both.low) / 2, rel=1e-9)
    assert plan.people_alone == pytest.approx((now.people.high - now.people.low) / 2, rel=1e-9)


@pytest.mark.parametrize(
    ("design", "size", "further", "options"),
    [
        ("uniform", 150, 150, {"icc": 0.1}),
        ("uniform", 150, 150, {"icc": 0.4}),
        ("uniform", 150, 450, {"icc": 0.2, "documents": 30}),
        ("uniform", 240, 0, {"part": 0.5}),  # the rest of an unfinished sample
        ("responses", 300, 300, {"icc": 0.1}),
        ("responses", 300, 300, {"icc": 0.4}),
        ("uncertain", 150, 150, {"icc": 0.1}),
        ("uncertain", 150, 450, {"icc": 0.4}),
    ],
)
def test_plans_have_the_mean_width_of_studies_of_that_size(design, size, further, options):
    """The half-widths with the judge and of people alone."""
    generator, part = np.random.default_rng(11), options.get("part", 1.0)
    of_population = {name: value for name, value in options.items() if name != "part"}
    planned, found = [], []
    for _ in range(STUDIES):
        plan = planner_of(generator, population(generator, **of_population), design, size, part).plan(size + further)
        planned.append((plan.with_judge, plan.people_alone))
        study = planner_of(generator, population(generator, **of_population), design, size + further)
        found.append([(each.high - each.low) / 2 for each in (study.both, study.people)])
    assert np.mean(planned, axis=0) == pytest.approx(np.mean(found, axis=0), rel=0.1)


@pytest.mark.parametrize(("design", "size"), [("uniform", 200), ("responses", 300), ("uncertain", 200)])
def test_people_alone_with_the_worth_of_the_judge_have_the_width_with_it(design, size):
    generator = np.random.default_rng(13)
    judge = (0.97, 0.85)
    with_judge, worth, alone = [], [], []
    for _ in range(STUDIES):
        study = planner_of(generator, population(generator, judge=judge), design, size)
        with_judge.append(study.both.high - study.both.low)
        worth.append(study.worth())
    further = round(float(np.median(worth)))
    for _ in range(STUDIES):
        study = planner_of(generator, population(generator, judge=judge), design, size + further)
        alone.append(study.people.high - study.people.low)
    assert further > 50
    assert np.mean(alone) == pytest.approx(np.mean(with_judge), rel=0.1)


def test_more_ratings_are_narrower_and_a_judge_without_weight_is_worth_nothing():
    generator = np.random.default_rng(14)
    study = planner_of(generator, population(generator, judge=(0.97, 0.85)), "uniform", 200)
    plans = [study.plan(n) for n in (200, 300, 500, 900, study.frame.items, 10**6)]
    widths = [plan.with_judge for plan in plans]
    assert widths == sorted(widths, reverse=True)
    assert all(plan.with_judge < plan.people_alone for plan in plans[:3])
    assert plans[4] == plans[5] and plans[4].items == study.frame.items
    generator = np.random.default_rng(15)
    frame = drawn_frame(generator, study := population(generator), "uniform", 200)
    one = np.ones(frame.items)
    useless = planner(frame, study.truth, one, one, one)
    assert useless.both.lambda_ == 0 and useless.worth() == 0
    plan = useless.plan(400)
    assert plan.with_judge == plan.people_alone


def test_undefined_plans_and_ratings_that_are_all_alike():
    generator = np.random.default_rng(16)
    frame = drawn_frame(generator, study := population(generator), "uniform", 200)
    one, none = np.ones(frame.items), np.zeros(frame.items)
    assert planner(frame, none, none, study.verdict, one) is None  # nothing was assessed
    alike = planner(frame, one, one, study.verdict, one)
    assert (alike.people.value, alike.people.high) == (1, 1)
    assert alike.plan(0).people_alone == pytest.approx((1 - alike.people.low) / 2)
    size = 400 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 79)) ** 2
    assert alike.plan(400).people_alone == pytest.approx((1 - 0.025 ** (1 / size)) / 2, rel=0.01)
    few = planner_of(generator, population(generator, prompts=8), "uniform", 60)
    assert (few.plan(80).with_judge, few.plan(80).people_alone, few.worth()) == (None, None, None)
