"""The number of units that an evaluation needs to detect a difference between two systems.

Both systems answer the same prompts. The test is that of the report's difference: the linearized difference of two
ratios over its standard error, against t with the degrees of freedom of its interval (`comparisons`). Its power is that
of the noncentral t distribution.
"""

import math
from dataclasses import dataclass

from .intervals import MIN_CLUSTERS, degrees_of_freedom
from .planning import Correlations, Design, Plan, fewest_units, nested_design_effect, plan_for
from .quantiles import noncentral_t_cdf, t_quantile, two_sided

STEPS = 60  # halvings of the range in which the detectable difference is searched for


@dataclass(frozen=True, slots=True)
class DifferenceTest:
    """A two-sided test of a difference: its `power` and `alpha`, divided by the `pairs` that are compared (Bonferroni;
    Holm's first step), and the `correlation` of the two systems' linearized results by unit.
    """

    power: float = 0.8
    alpha: float = 0.05
    pairs: int = 1
    correlation: float = 0.0

    @property
    def alpha_each(self) -> float:
        return self.alpha / self.pairs


def other_share(share: float, difference: float) -> float:
    """Return the proportion that differs from `share` by `difference` toward one half, where variances are largest."""
    return share + difference if share <= 0.5 else share - difference


def difference_se(
    a: float, b: float, units: int, design: Design, correlations: Correlations, correlation: float
) -> float:
    """Return the standard error of a - b: sqrt(V_a + V_b - 2 r sqrt(V_a V_b)), V = deff · p(1-p) / n.

    The expected value of the linearized one, as the covariance of two ratios is that of their sums by unit.
    """
    scale = nested_design_effect(design, correlations) / (units * design.ratings_per_unit)
    variance_a, variance_b = (scale * p * (1 - p) for p in (a, b))
    variance = variance_a + variance_b - 2 * correlation * math.sqrt(variance_a * variance_b)
    return math.sqrt(max(0.0, variance))


def power_of(
    share: float, difference: float, units: int, design: Design, correlations: Correlations, test: DifferenceTest
) -> float:
    """Return the power to detect a `difference` > 0 from `share` with `units` units, at least 2."""
    other = other_share(share, difference)
    se = difference_se(share, other, units, design, correlations, test.correlation)
    if se == 0:
        return 1.0
    return _power_of_t(difference / se, degrees_of_freedom(units, design.effective_units(units)), test)


def _power_of_t(shift: float, degrees: float, test: DifferenceTest) -> float:
    """Return the power against a difference of `shift` standard errors."""
    critical = t_quantile(1 - test.alpha_each / 2, degrees)
    return 1 - noncentral_t_cdf(critical, degrees, shift) + noncentral_t_cdf(-critical, degrees, shift)


def plan_difference(
    share: float, difference: float, design: Design, correlations: Correlations, test: DifferenceTest
) -> Plan:
    """Return the fewest units that detect a `difference` from `share`, at least as many as an interval needs.

    Raises ValueError unless the difference lies above 0 and both proportions between 0 and 1.
    """
    if difference <= 0 or not 0 <= other_share(share, difference) <= 1:
        raise ValueError(f"difference is {difference}: give a number above 0 that leaves both proportions from 0 to 1")

    def is_powerful(units: int) -> bool:
        return power_of(share, difference, units, design, correlations, test) >= test.power

    return plan_for(fewest_units(is_powerful), design, correlations)


def detectable_difference(
    share: float, units: int, design: Design, correlations: Correlations, test: DifferenceTest
) -> float | None:
    """Return the smallest difference from `share` that `units` units detect; None with fewer than 10 units, and where
    even the largest difference toward one half and beyond is not detected.
    """
    low, high = 0.0, max(share, 1 - share)
    if units < MIN_CLUSTERS or power_of(share, high, units, design, correlations, test) < test.power:
        return None
    for _ in range(STEPS):
        middle = (low + high) / 2
        is_detected = power_of(share, middle, units, design, correlations, test) >= test.power
        low, high = (low, middle) if is_detected else (middle, high)
    return high


def detectable_from_interval(half_width: float, degrees: float, test: DifferenceTest, *, level: float = 0.95) -> float:
    """Return the smallest difference that a study detects whose interval of a difference has this half-width.

    The standard error is half_width / t with these degrees of freedom; it is taken not to change with the difference.
    """
    return half_width / t_quantile(two_sided(level), degrees) * detectable_shift(degrees, test)


def detectable_shift(degrees: float, test: DifferenceTest) -> float:
    """Return the smallest difference that is detected, in standard errors: about t(1 - alpha/2) + t(power)."""
    low, high = 0.0, 1.0
    while _power_of_t(high, degrees, test) < test.power:
        low, high = high, 2 * high
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if _power_of_t(middle, degrees, test) >= test.power else (middle, high)
    return high
