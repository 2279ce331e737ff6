"""The number of ratings and prompts that an evaluation needs for an interval of a given width.

The normal approximation is enough for planning; realistic numbers need the design effect, which the project's own
ratings give once there are some. Two ratings of one sentence are more alike than two of different sentences of one
prompt, and these more than two of different prompts; so a further rater on the same sentences adds less information
than the same work on further prompts, and a plan distinguishes the two.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .intervals import MIN_CLUSTERS
from .quantiles import normal_quantile, two_sided
from .undefined import quotient


@dataclass(frozen=True, slots=True)
class SampleSize:
    """Ratings (before and after rounding up) and the prompts that provide them."""

    ratings_exact: float
    ratings: int
    prompts: int


def sample_size(
    p: float, half_width: float, *, deff: float = 1.0, ratings_per_prompt: float = 1, level: float = 0.95
) -> SampleSize:
    """Return ratings needed for p ± half_width: deff · z² p(1-p) / half_width², and prompts of `ratings_per_prompt`
    assessed ratings.

    Raises ValueError unless 0 <= p <= 1 and the other numbers are above 0.
    """
    _check(p, half_width=half_width, deff=deff, ratings_per_prompt=ratings_per_prompt)
    exact = deff * normal_quantile(two_sided(level)) ** 2 * p * (1 - p) / half_width**2
    ratings = _rounded_up(exact)
    return SampleSize(exact, ratings, _rounded_up(ratings / ratings_per_prompt))


def half_width(p: float, ratings: float, *, deff: float = 1.0, level: float = 0.95) -> float:
    """Return the half-width for `ratings` assessed ones: z · sqrt(deff · p(1-p) / ratings), the inverse of
    `sample_size`."""
    _check(p, ratings=ratings, deff=deff)
    return normal_quantile(two_sided(level)) * math.sqrt(deff * p * (1 - p) / ratings)


def design_effect(icc: float, mean_cluster_size: float) -> float:
    """Return 1 + (m - 1) · ICC (Kish 1965): how much more clustered ratings vary than as many independent ones."""
    return 1 + (mean_cluster_size - 1) * icc


@dataclass(frozen=True, slots=True)
class Correlations:
    """Correlations of ratings from 0 to 1: of two ratings of one prompt about different items, of two raters about one
    item, and of two ratings by one rater about different prompts.
    """

    prompt: float
    item: float
    rater: float = 0.0


@dataclass(frozen=True, slots=True)
class Design:
    """A design: for one system `items` assessed ones per prompt (a mean, so not whole), each by `raters`."""

    items: float
    raters: int

    @property
    def ratings_per_prompt(self) -> float:
        return self.items * self.raters


@dataclass(frozen=True, slots=True)
class Plan:
    """The requirements of a design: prompts for one system, and the design effect.

    `is_at_minimum`: the width would need fewer prompts than an interval requires.
    """

    design: Design
    deff: float
    prompts: int
    is_at_minimum: bool


def nested_design_effect(design: Design, correlations: Correlations) -> float:
    """Return 1 + (K - 1) · r_item + K (m - 1) · r_prompt for m items a prompt, each rated by K.

    The variance of a mean over p(1-p) / (m K) when the ratings of a prompt correlate by r_item within an item and by
    r_prompt between its items; Kish's 1 + (mK - 1) · ICC where the two are the same.
    """
    within, between = (
        (design.raters - 1) * correlations.item,
        design.raters * max(0.0, design.items - 1) * correlations.prompt,
    )
    return 1 + within + between


def between_items(icc: float, item: float, design: Design) -> float:
    """Return the correlation of ratings about *different* items of a prompt, from the intraclass correlation of all its
    ratings and that within an item: the ICC is the mean over the pairs of both kinds. Cut off at 0 and at `item`.
    """
    pairs = design.raters * (design.items - 1)
    if pairs <= 0:
        return max(0.0, icc)
    correlation = (icc * (design.ratings_per_prompt - 1) - (design.raters - 1) * item) / pairs
    return min(max(0.0, correlation), max(0.0, item))


def plan(p: float, half_width: float, design: Design, correlations: Correlations, *, level: float = 0.95) -> Plan:
    """Return the prompts that a design needs for p ± half_width, at least as many as an interval needs. Raises
    ValueError as `sample_size` does.
    """
    deff = nested_design_effect(design, correlations)
    needed = sample_size(p, half_width, deff=deff, ratings_per_prompt=design.ratings_per_prompt, level=level).prompts
    return Plan(design, deff, max(needed, MIN_CLUSTERS), needed < MIN_CLUSTERS)


def planned_half_width(
    p: float, prompts: float, design: Design, correlations: Correlations, *, level: float = 0.95
) -> float:
    """Return the half-width for `prompts` prompts of a design: the inverse of `plan`."""
    deff = nested_design_effect(design, correlations)
    return half_width(p, prompts * design.ratings_per_prompt, deff=deff, level=level)


def least_half_width(p: float, correlations: Correlations, raters: int, *, level: float = 0.95) -> float:
    """Return the half-width that no number of prompts can improve if the raters are a sample of all raters.

    z · sqrt(p(1-p) r_rater / J): a rater's habits affect all their ratings, so only more raters average them out.
    """
    return half_width(p, raters, deff=max(correlations.rater, 0.0), level=level) if correlations.rater > 0 else 0.0


def rater_correlation(hits: ArrayLike, raters: ArrayLike, clusters: ArrayLike) -> float | None:
    """Return how much two ratings by one rater about different clusters (prompts) correlate: a moment estimate.

    All of shape (ratings,): 0/1, who rated, and the cluster. The mean product of e = hit - p over such pairs, over
    p(1-p); below 0 when raters differ less than chance makes them. None without such a pair or when p is 0 or 1.
    """
    hit, rater, cluster = (np.asarray(values, dtype=np.int64) for values in (hits, raters, clusters))
    n, k = len(hit), int(hit.sum())
    if not n or k in (0, n):
        return None
    p = k / n
    rater_in_cluster = rater * (int(cluster.max()) + 1) + cluster
    (all_products, all_pairs), (near_products, near_pairs) = (
        _products(hit, groups, p) for groups in (rater, rater_in_cluster)
    )
    covariance = quotient(all_products - near_products, all_pairs - near_pairs)
    return None if covariance is None else covariance / (p * (1 - p))


def _products(hits: NDArray[np.int64], groups: NDArray[np.int64], p: float) -> tuple[float, int]:
    """Return sums over groups: of the squared sums of hit - p, and of the squared sizes."""
    _, group = np.unique(groups, return_inverse=True)
    n = np.bincount(group)
    k = np.bincount(group, hits)
    return math.fsum((k - p * n) ** 2), int((n * n).sum())


def _rounded_up(value: float) -> int:
    """Round up to the next whole number, but not because of the last digits of a float."""
    return math.ceil(value - 1e-9)


def _check(p: float, **positive: float) -> None:
    if not 0 <= p <= 1:
        raise ValueError(f"p is {p}: give the expected proportion as a number from 0 to 1")
    for name, value in positive.items():
        if value <= 0:
            raise ValueError(f"{name} is {value}: give a number above 0")
