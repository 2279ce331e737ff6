"""Closed-form intervals for a proportion.

`wilson` and `clopper_pearson` treat ratings as independent; the others start from a `Ratio` and so take its clusters
into account. The report uses Korn and Graubard's: exact binomial bounds on the effective number of ratings, which stay
within 0 and 1, may be asymmetric, and exist when all or none of the ratings are hits.
"""

import math
from dataclasses import dataclass, replace

from .proportions import Ratio
from .quantiles import beta_quantile, normal_quantile, t_quantile, two_sided

# Clusters are very unequal if they are this many times those of equal size that they are worth: CV² of sizes above .5.
VERY_UNEQUAL = 1.5

# With fewer clusters a standard error over clusters is unreliable, so counts are shown without an interval.
MIN_CLUSTERS = 10


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of an interval, both None when it is not defined; `method` names how they were computed."""

    low: float | None
    high: float | None
    method: str


@dataclass(frozen=True, slots=True)
class BoundedFigure:
    """A figure with bounds where there are any; `method` is then theirs, else `none`."""

    value: float | None
    low: float | None
    high: float | None
    method: str

    @classmethod
    def of(cls, value: float | None, bounds: Interval | None) -> "BoundedFigure":
        if value is None or bounds is None or bounds.low is None:
            return cls(value, None, None, "none")
        return cls(value, bounds.low, bounds.high, bounds.method)


def wilson(k: float, n: float, level: float = 0.95) -> Interval:
    """Return Wilson's score interval for k of n independent ratings (Wilson 1927; Newcombe 1998, method 3).

    n may be fractional (an effective number). Undefined for n = 0.
    """
    if n <= 0:
        return Interval(None, None, "wilson")
    z2 = normal_quantile(two_sided(level)) ** 2
    p = k / n
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    low = 0.0 if k == 0 else max(0.0, middle - half)
    high = 1.0 if k == n else min(1.0, middle + half)
    return Interval(low, high, "wilson")


def clopper_pearson(k: float, n: float, level: float = 0.95) -> Interval:
    """Return exact binomial bounds for k of n independent ratings (Clopper and Pearson 1934), from beta quantiles.

    k and n may be fractional, as Korn and Graubard (1998) use them. Undefined for n = 0.
    """
    if n <= 0:
        return Interval(None, None, "clopper-pearson")
    upper = two_sided(level)
    low = 0.0 if k <= 0 else beta_quantile(1 - upper, k, n - k + 1)
    high = 1.0 if k >= n else beta_quantile(upper, k + 1, n - k)
    return Interval(low, high, "clopper-pearson")


def t_bounds(
    estimate: float | None, se: float | None, clusters: int, level: float = 0.95, effective: float | None = None
) -> Interval:
    """Return estimate ± t · se with t of `degrees_of_freedom(clusters, effective)`; not cut off at 0 and 1.

    For means and for differences. Undefined without a standard error.
    """
    if estimate is None or se is None or clusters < 2:
        return Interval(None, None, "t")
    half = t_quantile(two_sided(level), degrees_of_freedom(clusters, effective)) * se
    return Interval(estimate - half, estimate + half, "t")


def logit_bounds(
    estimate: float, se: float, clusters: int, level: float = 0.95, effective: float | None = None
) -> Interval:
    """Return the bounds of a mean strictly between 0 and 1 on the logit scale, where its standard error is
    se / (m (1 − m)), with the t of `t_bounds` (Dean and Pagano 2015): between 0 and 1, too.
    """
    center, spread = math.log(estimate / (1 - estimate)), se / (estimate * (1 - estimate))
    scale = t_bounds(center, spread, clusters, level, effective)
    if scale.low is None or scale.high is None:
        return Interval(None, None, "logit-t")
    return Interval(_expit(scale.low), _expit(scale.high), "logit-t")


def _expit(x: float) -> float:
    """Return 1 / (1 + e^-x), without overflow."""
    return 0.5 * (1 + math.tanh(x / 2))


def degrees_of_freedom(clusters: int, effective: float | None = None) -> float:
    """Return `clusters` - 1, or if they are very unequal their `effective` number - 1, at least 1.

    The variance then rests on a few large clusters (Carter, Schnepel and Steigerwald 2017). Up to a CV² of sizes of .5
    the usual degrees keep the coverage (benchmarks/coverage_by_design.py).
    """
    if effective is None or not are_very_unequal(clusters, effective):
        return clusters - 1
    return max(1.0, effective - 1)


def are_very_unequal(clusters: int, effective: float) -> bool:
    """Return whether a few clusters hold most ratings: CV² of sizes above .5, `effective` = clusters / (1 + CV²)."""
    return clusters > VERY_UNEQUAL * effective


def effective_n(ratio: Ratio, level: float = 0.95) -> float | None:
    """Return how many independent ratings the clustered ones are worth: n / max(deff, 1) · (z/t)².

    t has `degrees_of_freedom` (Korn and Graubard 1998; Dean and Pagano 2015 for capping the design effect at 1).
    When p is 0 or 1 the design effect is 0/0 and is taken as 1, as in the NCHS standards (Parker et al. 2017). None
    with fewer than two clusters.
    """
    if ratio.clusters < 2:
        return None
    upper = two_sided(level)
    deff = 1.0 if ratio.deff is None else max(ratio.deff, 1.0)
    degrees = degrees_of_freedom(ratio.clusters, ratio.effective_clusters)
    return ratio.n / deff * (normal_quantile(upper) / t_quantile(upper, degrees)) ** 2


def korn_graubard(ratio: Ratio, level: float = 0.95) -> Interval:
    """Return Clopper-Pearson bounds at p on the effective number of ratings (Korn and Graubard 1998)."""
    size = effective_n(ratio, level)
    if size is None or ratio.value is None:
        return Interval(None, None, "korn-graubard")
    return replace(bounds_at(ratio.value, size, level), method="korn-graubard")


def bounds_at(value: float, size: float, level: float = 0.95) -> Interval:
    """Return Clopper-Pearson bounds at a share of an effective number of ratings."""
    return clopper_pearson(size if value >= 1 else value * size, size, level)


def closed_form(ratio: Ratio, level: float = 0.95) -> Interval:
    """Return the interval to report without resampling: Korn-Graubard, or `none` with fewer than 10 clusters."""
    if ratio.clusters < MIN_CLUSTERS:
        return Interval(None, None, "none")
    return korn_graubard(ratio, level)
