"""What a crossed random-effects model says: odds ratios of systems, variance components, marginal proportions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from .comparisons import holm
from .crossed_factor import Floats
from .crossed_fit import UNLIMITED_VARIANCE, Optimum
from .quantiles import normal_quantile, two_sided

NODES = 61
"""Of the Gauss-Hermite quadrature: more change no digit that is published, up to a standard deviation of 5."""
LARGE_VARIANCE = 16
"""Above this the Laplace approximation is not reliable."""
NOT_FITTED, ONE_RATING_EACH = "not fitted", "one rating each"


@dataclass(frozen=True, slots=True)
class Component:
    """The variance of the effects of one grouping, on the logit scale; `singular`: the estimate is 0."""

    grouping: str
    levels: int
    variance: float
    singular: bool


@dataclass(frozen=True, slots=True)
class OddsRatio:
    """The odds of a hit under system a over those under b, with Wald's interval and test on the log scale.

    `p_holm`: adjusted over all pairs.
    """

    a: int
    b: int
    value: float
    low: float
    high: float
    p: float
    p_holm: float | None


@dataclass(frozen=True, slots=True)
class MarginalShare:
    """The share of hits of a system over the distribution of the random effects; delta method on the logit scale."""

    system: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CrossedFit:
    """A fitted model, or the `reason` why there is none; then all but `ratings`, `dropped` and `separated` is empty.

    `fixed`: the logit of each system where all random effects are 0; `covariance`: of these, from the inverse of half
    the Hessian of the Laplace deviance by all parameters (as lme4's `vcov` with `use.hessian = TRUE`), so that the
    uncertainty of the variances is part of it. `dropped`: groupings that the model has not, each with the reason.
    `separated`: systems that the model has not, because all or none of their ratings are hits; `ratings`, `fixed` and
    `covariance` are without them.
    """

    status: str
    ratings: int
    reason: str | None = None
    dropped: tuple[tuple[str, str], ...] = ()
    log_likelihood: float | None = None
    fixed: tuple[float, ...] = ()
    covariance: tuple[tuple[float, ...], ...] = ()
    components: tuple[Component, ...] = ()
    odds_ratios: tuple[OddsRatio, ...] = ()
    marginal: tuple[MarginalShare, ...] = ()
    separated: tuple[int, ...] = ()

    @property
    def is_reliable(self) -> bool:
        """Whether there is a model, and no variance so large that the Laplace approximation fails."""
        return self.status != NOT_FITTED and all(part.variance <= LARGE_VARIANCE for part in self.components)

    @property
    def lacks_inner_variance(self) -> bool:
        """Whether the Laplace approximation gives the variance between items no limit, or no reliable estimate: then a
        model of one answer per item is possible. Where each response has one item, the variance is that of responses.
        """
        if dict(self.dropped).get("item") == ONE_RATING_EACH:
            return False
        inner = [part for part in self.components[:1] if part.grouping in ("item", "response")]
        return self.reason == UNLIMITED_VARIANCE or any(part.variance > LARGE_VARIANCE for part in inner)

    def renumbered(self, systems: Sequence[int]) -> "CrossedFit":
        """Return the fit with its systems 0, 1, … under the numbers `systems`."""
        return replace(
            self,
            odds_ratios=tuple(replace(row, a=systems[row.a], b=systems[row.b]) for row in self.odds_ratios),
            marginal=tuple(replace(row, system=systems[row.system]) for row in self.marginal),
        )


def components(optimum: Optimum, names: list[str], levels: list[int]) -> tuple[Component, ...]:
    """Return the variance of each grouping."""
    rows = zip(names, levels, optimum.sds.tolist(), strict=True)
    return tuple(Component(name, size, sd * sd, sd == 0) for name, size, sd in rows)


def odds_ratios(fixed: Floats, covariance: Floats, level: float) -> tuple[OddsRatio, ...]:
    """Return every pair of systems, a before b."""
    pairs = list(combinations(range(len(fixed)), 2))
    tests = [_wald(fixed, covariance, a, b) for a, b in pairs]
    ps = [math.erfc(abs(difference) / se / math.sqrt(2)) for difference, se in tests]
    z = normal_quantile(two_sided(level))
    return tuple(
        OddsRatio(a, b, _exp(difference), _exp(difference - z * se), _exp(difference + z * se), p, p_holm)
        for (a, b), (difference, se), p, p_holm in zip(pairs, tests, ps, holm(ps), strict=True)
    )


def _wald(fixed: Floats, covariance: Floats, a: int, b: int) -> tuple[float, float]:
    """Return the difference of two fixed effects and its standard error."""
    variance = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
    return float(fixed[a] - fixed[b]), math.sqrt(variance)


def _exp(value: float) -> float:
    return math.exp(min(value, 700.0))


def marginal_shares(optimum: Optimum, level: float) -> tuple[MarginalShare, ...]:
    """Return the share of each system: the mean of the inverse logit over normal effects with the total variance."""
    z = normal_quantile(two_sided(level))
    total = math.sqrt(float(optimum.sds @ optimum.sds))
    return tuple(_marginal(optimum, number, total, z) for number in range(len(optimum.fixed)))


def _marginal(optimum: Optimum, system: int, total: float, z: float) -> MarginalShare:
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    weights = weights / weights.sum()
    shares = 1 / (1 + np.exp(-(float(optimum.fixed[system]) + total * nodes)))
    slopes = weights * shares * (1 - shares)
    share, by_fixed, by_total = float(weights @ shares), float(slopes.sum()), float(slopes @ nodes)
    slope = np.zeros(len(optimum.covariance))
    slope[: len(optimum.sds)] = by_total * optimum.sds / total if total else 0.0
    slope[len(optimum.sds) + system] = by_fixed
    se = math.sqrt(float(slope @ optimum.covariance @ slope)) / (share * (1 - share))
    logit = math.log(share / (1 - share))
    return MarginalShare(system, share, _expit(logit - z * se), _expit(logit + z * se))


def _expit(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
