"""Quantiles of the normal, t and beta distributions.

SciPy is imported inside the functions: the pages that only count need not wait half a second for it. Its
`special` functions are used rather than `scipy.stats`, which takes several times as long to import.
"""


def normal_quantile(probability: float) -> float:
    """z with P(Z <= z) = probability, for the standard normal distribution."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def normal_cdf(value: float) -> float:
    """P(Z <= value) for the standard normal distribution."""
    from scipy.special import ndtr

    return float(ndtr(value))


def t_quantile(probability: float, degrees: float) -> float:
    """t with P(T <= t) = probability, for Student's t with `degrees` > 0 degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))


def beta_quantile(probability: float, a: float, b: float) -> float:
    """x with P(X <= x) = probability, for the beta distribution with a, b > 0."""
    from scipy.special import betaincinv

    return float(betaincinv(a, b, probability))


def two_sided(level: float) -> float:
    """The upper probability of a two-sided interval: 0.95 gives 0.975.

    Raises ValueError unless 0 < level < 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}: a confidence level lies between 0 and 1, such as 0.95")
    return (1 + level) / 2
