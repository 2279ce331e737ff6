"""How many ratings and prompts an evaluation needs for an interval of a wanted width.

The normal approximation is enough for planning; what makes the numbers honest is the design effect, which the
project's own ratings give once there are some.
"""

import math
from dataclasses import dataclass

from .quantiles import normal_quantile, two_sided


@dataclass(frozen=True, slots=True)
class SampleSize:
    """Ratings (before and after rounding up) and the prompts that bring them."""

    ratings_exact: float
    ratings: int
    prompts: int


def sample_size(
    p: float, half_width: float, *, deff: float = 1.0, ratings_per_prompt: float = 1, level: float = 0.95
) -> SampleSize:
    """Ratings needed for p ± half_width: deff · z² p(1-p) / half_width², and prompts of `ratings_per_prompt`
    assessed ratings.

    Raises ValueError unless 0 <= p <= 1 and the other numbers are above 0.
    """
    _check(p, half_width=half_width, deff=deff, ratings_per_prompt=ratings_per_prompt)
    exact = deff * normal_quantile(two_sided(level)) ** 2 * p * (1 - p) / half_width**2
    ratings = _rounded_up(exact)
    return SampleSize(exact, ratings, _rounded_up(ratings / ratings_per_prompt))


def half_width(p: float, ratings: float, *, deff: float = 1.0, level: float = 0.95) -> float:
    """What `ratings` assessed ratings give: z · sqrt(deff · p(1-p) / ratings), the inverse of
    `sample_size`.
    """
    _check(p, ratings=ratings, deff=deff)
    return normal_quantile(two_sided(level)) * math.sqrt(deff * p * (1 - p) / ratings)


def design_effect(icc: float, mean_cluster_size: float) -> float:
    """1 + (m - 1) · ICC (Kish 1965): how much more clustered ratings vary than as many independent ones."""
    return 1 + (mean_cluster_size - 1) * icc


def _rounded_up(value: float) -> int:
    """Up to the next whole number, but not because of the last digits of a float."""
    return math.ceil(value - 1e-9)


def _check(p: float, **positive: float) -> None:
    if not 0 <= p <= 1:
        raise ValueError(f"p is {p}: give the expected proportion as a number from 0 to 1")
    for name, value in positive.items():
        if value <= 0:
            raise ValueError(f"{name} is {value}: give a number above 0")
