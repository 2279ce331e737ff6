"""Plans of hybrid estimates: components against plain loops, monotone widths, the worth of judges, undefined cases."""

import numpy as np
import pytest

from annotation.stats.hybrid import hybrid, people_alone, unit_sums
from annotation.stats.hybrid_planning import HybridComponents, hybrid_components, hybrid_plan


def study(seed, *, errors=0.1, share=0.15, units=100, items=12):
    """Return the arrays of `unit_sums` for items sampled on their own."""
    generator = np.random.default_rng(seed)
    unit = np.repeat(np.arange(units), items)
    truth = generator.random(len(unit)) < generator.beta(6, 2, units)[unit]
    verdict = truth ^ (generator.random(len(unit)) < errors)
    sampled = generator.random(len(unit)) < share
    one = np.ones(len(unit))
    return unit, truth * sampled, one * sampled, verdict, one, sampled, np.full(len(unit), share)


def test_components_equal_plain_loops():
    arrays = study(1)
    parts = hybrid_components(*arrays, units=100)
    current = hybrid(unit_sums(*arrays, units=100))
    human = common = judge = of_sampling = 0.0
    for _, y, a, f, g, sampled, pi in zip(*arrays, strict=True):
        w, r, s = sampled / pi, y - current.value * a, f - current.value * g
        human, common, judge = human + w * r * r, common + w * r * s, judge + s * s
        of_sampling += w * (w - 1) * (r - current.lambda_ * s) ** 2
    assert parts.human == pytest.approx(human)
    assert parts.remaining == pytest.approx(human - common**2 / judge)
    assert parts.between == pytest.approx(max(human, sum(z * z for z in current.z) * 100 / 99 - of_sampling))
    assert (parts.items, parts.assessed) == (1200, current.denominator)


def test_the_plan_for_what_was_rated_has_about_the_width_of_the_estimate():
    widths = []
    for seed in range(20):
        arrays = study(seed)
        sums, n = unit_sums(*arrays, units=100), int(arrays[5].sum())
        plan = hybrid_plan(hybrid_components(*arrays, units=100), n)
        both, alone = hybrid(sums), people_alone(sums)
        widths.append((plan.with_judge / (both.high - both.low) * 2, plan.people_alone / (alone.high - alone.low) * 2))
    assert np.mean(widths, axis=0) == pytest.approx([1, 1], abs=0.05)


def test_more_ratings_are_narrower_and_all_items_leave_the_judge_nothing():
    parts = hybrid_components(*study(2), units=100)
    plans = [hybrid_plan(parts, n) for n in (100, 200, 400, 800, 1200, 5000)]
    widths = [plan.with_judge for plan in plans]
    assert widths == sorted(widths, reverse=True)
    assert all(plan.with_judge < plan.people_alone and plan.worth > plan.items for plan in plans[:4])
    assert plans[4].with_judge == plans[4].people_alone
    assert (plans[5], plans[4].worth) == (plans[4], 1200)


def test_the_worth_is_what_people_alone_need_for_the_same_width():
    parts = hybrid_components(*study(3), units=100)
    plan = hybrid_plan(parts, 200)
    assert hybrid_plan(parts, round(plan.worth)).people_alone == pytest.approx(plan.with_judge, rel=0.01)


def test_the_worth_by_hand():
    # The judge leaves a quarter of the variance of the items: 1000 / (1 + (1000/100 - 1) / 4)
    parts = HybridComponents(0.8, 200.0, 160.0, 40.0, 1000.0, (10,) * 100)
    assert hybrid_plan(parts, 100).worth == pytest.approx(1000 / 3.25)


def test_a_judge_that_tells_nothing_is_worth_nothing():
    parts = hybrid_components(*study(4, errors=0.5), units=100)
    assert hybrid_plan(parts, 200).worth == pytest.approx(200, rel=0.05)


def test_undefined_plans():
    unit, y, a, f, g, sampled, pi = study(5)
    assert hybrid_components(unit, 0 * y, 0 * a, f, g, sampled, pi, units=100) is None
    parts = hybrid_components(unit, y, a, f, g, sampled, pi, units=100)
    plan = hybrid_plan(parts, 5)
    assert (plan.with_judge, plan.people_alone) == (None, None)
    everything = hybrid_components(unit, a, a, g, g, sampled, pi, units=100)
    assert hybrid_plan(everything, 200).people_alone is None
    with pytest.raises(ValueError, match="one at least"):
        hybrid_plan(parts, 0)
