"""Intervals of a difference from those of its two proportions: MOVER (Zou and Donner 2008).

"Method of variance estimates recovery": each bound of the difference takes, on each side, the distance of the estimate
from the bound of its own interval. With Wilson intervals of independent proportions it is Newcombe's method 10 (1998).
It needs no standard error, so it exists where the data show no variation: two systems that are always right.
"""

import math

from .intervals import Interval, korn_graubard
from .proportions import Ratio, by_observation


def mover(a: float, bounds_a: Interval, b: float, bounds_b: Interval) -> Interval:
    """Return the bounds of a - b from the intervals of a and b, taken as independent (Zou and Donner 2008, eq. 9):

    low = a - b - √((a - low_a)² + (high_b - b)²), high = a - b + √((high_a - a)² + (b - low_b)²).

    For systems on the same clusters, whose proportions mostly vary together, it is too wide rather than too narrow.
    Undefined where one of the intervals is.
    """
    if bounds_a.low is None or bounds_a.high is None or bounds_b.low is None or bounds_b.high is None:
        return Interval(None, None, "none")
    below, above = _length(a - bounds_a.low, bounds_b.high - b), _length(bounds_a.high - a, b - bounds_b.low)
    return Interval(a - b - below, a - b + above, "mover")


def mover_of_ratios(a: Ratio, b: Ratio, level: float = 0.95, unit: int = 1) -> Interval:
    """Return MOVER's bounds of the difference of two clustered proportions, from Korn and Graubard's intervals.

    `unit`: what one observation adds to n (`by_observation`).
    """
    if a.value is None or b.value is None:
        return Interval(None, None, "none")
    bounds_a, bounds_b = (korn_graubard(by_observation(side, unit), level) for side in (a, b))
    return mover(a.value, bounds_a, b.value, bounds_b)


def _length(x: float, y: float) -> float:
    return math.sqrt(x * x + y * y)
