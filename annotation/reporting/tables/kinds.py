"""The kinds of columns: how a value looks in every format."""

from collections.abc import Callable

from ..text import figure_format as words
from .table import Figure, Kind

Bounds = Callable[[float, float], str]


def _between(number: Callable[[float | None], str]) -> Bounds:
    return lambda low, high: f"{number(low)} – {number(high)}"


def _k_of_n(figure: Figure) -> str:
    return "" if figure.k is None or figure.n is None else f"{words.count(int(figure.k))}/{words.count(int(figure.n))}"


def _n(figure: Figure) -> str:
    return "" if figure.n is None else words.count(int(figure.n))


def plain(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def ratio(value: float | None) -> str:
    """Format an odds ratio or a variance with about three digits: 0.0312, 0.312, 3.12, 31.2, 312."""
    if value is None:
        return words.UNDEFINED
    if value >= 1000:
        return f"> {words.count(999)}"
    if 0 < value < 0.0005:
        return "< 0.001"
    return f"{value:.{3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0}f}"


LABEL = Kind(str, place="label")
RUNNING_TEXT = Kind(str, place="label", wraps=True)
TEXT = Kind(str, place="text")
INTERVAL = Kind(str)
COUNT = Kind(lambda value: words.count(int(value)), shows_count=True)
PLAIN = Kind(plain)
PERCENT = Kind(words.percent, words.interval, scale=100)
SHARE = Kind(words.percent, words.interval, _k_of_n, scale=100, is_marked=True, has_counts_of_nothing=True)
MEASURE = Kind(
    words.percent, words.interval, _k_of_n, undefined=str(words.NOTHING_TO_ASSESS), scale=100, is_marked=True
)
MEAN = Kind(words.mean, _between(words.mean), _n)
SCORE = Kind(words.score, _between(words.score), _n, scale=1)
SCORE_ALONE = Kind(words.score, _between(words.score), scale=1)
POINTS = Kind(words.points, words.points_between, scale=100)
CHANGE = Kind(words.points)
COEFFICIENT = Kind(words.coefficient, _between(words.coefficient))
COEFFICIENT_3 = Kind(
    lambda value: words.coefficient(value, words.AGREEMENT_DIGITS),
    lambda low, high: words.joined_bounds(words.coefficient(end, words.AGREEMENT_DIGITS) for end in (low, high)),
)
RATIO = Kind(ratio, _between(ratio))
DESIGN_EFFECT = Kind(words.design_effect)
P = Kind(words.p_value)
SECONDS = Kind(lambda value: f"{value:,.1f}")
