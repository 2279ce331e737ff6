"""Quantiles of the normal, t and beta distributions, and of a sample.

SciPy is imported inside the functions: the pages that only count need not wait half a second for it. Its
`special` functions are used rather than `scipy.stats`, which takes several times as long to import.
"""

import math

import numpy as np
from numpy.typing import NDArray

# With more values, a quantile is searched for beyond a bound that is estimated from every 16th value.
MANY, EVERY = 2_000, 16

# Distance of that bound from the quantile's position, in standard errors of a share.
MARGIN = 4.0


def normal_quantile(probability: float) -> float:
    """Return z with P(Z <= z) = probability, for the standard normal distribution."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def normal_cdf(value: float) -> float:
    """Return P(Z <= value) for the standard normal distribution."""
    from scipy.special import ndtr

    return float(ndtr(value))


def t_quantile(probability: float, degrees: float) -> float:
    """Return t with P(T <= t) = probability, for Student's t with `degrees` > 0 degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))


def t_cdf(value: float, degrees: float) -> float:
    """Return P(T <= value) for Student's t with `degrees` > 0 degrees of freedom."""
    from scipy.special import stdtr

    return float(stdtr(degrees, value))


def noncentral_t_cdf(value: float, degrees: float, shift: float) -> float:
    """Return P(T <= value) for the noncentral t distribution with `degrees` > 0 and noncentrality `shift` >= 0.

    SciPy returns NaN for some values far below the shift, where it is below 1e-10.
    """
    from scipy.special import nctdtr

    probability = float(nctdtr(degrees, shift, value))
    return 0.0 if math.isnan(probability) else probability


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return x with P(X <= x) = probability, for the beta distribution with a, b > 0."""
    from scipy.special import betaincinv

    return float(betaincinv(a, b, probability))


def two_sided(level: float) -> float:
    """Return the upper probability of a two-sided interval: 0.95 gives 0.975.

    Raises ValueError unless 0 < level < 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}: a confidence level lies between 0 and 1, such as 0.95")
    return (1 + level) / 2


def quantile(values: NDArray[np.float64], probability: float) -> float:
    """Return the type-7 quantile (Hyndman and Fan 1996) of one sample of finite values, at least one.

    The same to the last digit as `numpy.quantile`, in a quarter of its time where the quantile lies in a tail.
    """
    position = (len(values) - 1) * probability
    whole = min(math.floor(position), len(values) - 1)
    second = min(whole + 1, len(values) - 1)
    tail, skipped = _tail(values, whole, second) if len(values) >= MANY else (values, 0)
    ordered = np.partition(tail, [whole - skipped, second - skipped])
    below, above = float(ordered[whole - skipped]), float(ordered[second - skipped])
    beyond, step = position - whole, above - below
    return above - step * (1 - beyond) if beyond >= 0.5 else below + step * beyond


def _tail(values: NDArray[np.float64], first: int, second: int) -> tuple[NDArray[np.float64], int]:
    """Return the values of one tail, including those at both positions, and the number of smaller values.

    The start of the tail is estimated from a part of the values; if that fails, all values are returned.
    """
    size, part = len(values), values[::EVERY]
    share = first / size
    margin = MARGIN * math.sqrt(share * (1 - share) / len(part)) + 1 / len(part)
    if share < 0.5:
        tail = values[values <= _at(part, share + margin)]
        return (tail, 0) if len(tail) > second else (values, 0)
    tail = values[values >= _at(part, share - margin)]
    skipped = size - len(tail)
    return (tail, skipped) if skipped <= first else (values, 0)


def _at(part: NDArray[np.float64], share: float) -> float:
    index = min(max(int(share * len(part)), 0), len(part) - 1)
    return float(np.partition(part, index)[index])
