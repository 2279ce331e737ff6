"""Order of the values of a breakdown: numbers, number words and common ordinal scales ascending.

A report stores values by code point, as its bytes are compared; figures and tables for people show "zero, two, five,
infinity" and not "five, infinity, two, zero".
"""

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from ..report import Cell, Report

_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_UNITS = (*_ONES, *_TEENS)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {
    **{word: float(n) for n, word in enumerate(_UNITS)},
    **{word: 10.0 * n for n, word in enumerate(_TENS, start=2)},
    **{f"{tens}-{_UNITS[n]}": 10.0 * t + n for t, tens in enumerate(_TENS, start=2) for n in range(1, 10)},
    "hundred": 100.0,
    "thousand": 1e3,
    "million": 1e6,
    **{word: float("inf") for word in ("infinity", "infinite", "inf", "∞")},
    **dict.fromkeys(("none", "no"), -0.5),
}
_NUMBER = re.compile(r"(?P<sign>[<≤>≥]=?)?\s*(?P<value>[-−]?\d+(?:[.,]\d+)*)\s*(?:%|\+|[-–—].*|(?:to|or|and) .*)?")
SCALES = tuple(
    tuple(scale.split(", "))
    for scale in (
        "unfamiliar, familiar, research",
        "none, very low, low, medium low, medium, moderate, medium high, high, very high",
        "never, almost never, very rarely, rarely, seldom, occasionally, sometimes, often, frequently, very often, "
        "usually, almost always, always",
        "none, few, a few, some, several, many, most, all",
        "trivial, very easy, easy, medium, moderate, normal, intermediate, difficult, hard, very difficult, very hard",
        "novice, beginner, basic, elementary, intermediate, proficient, advanced, expert",
        "tiny, very small, small, medium, large, very large, huge",
        "very short, short, medium, long, very long",
        "very bad, bad, very poor, poor, fair, average, acceptable, good, very good, excellent",
        "strongly disagree, disagree, somewhat disagree, neutral, neither, somewhat agree, agree, strongly agree",
        "not at all, slightly, somewhat, moderately, very, extremely",
        "no, partly, partially, somewhat, maybe, yes",
        "false, true",
        "minor, moderate, major, severe, critical",
        "young, middle-aged, old",
        "weak, moderate, strong",
        "past, present, future",
        "first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth",
        "monday, tuesday, wednesday, thursday, friday, saturday, sunday",
        "january, february, march, april, may, june, july, august, september, october, november, december",
    )
)


def ordered_values(values: Iterable[str]) -> list[str]:
    """Return distinct values in ascending order if they are all numbers or all of one scale, else as they are."""
    distinct = list(dict.fromkeys(values))
    key = _order_of(distinct)
    return sorted(distinct, key=key) if key else distinct


def with_ordered_values(report: Report) -> Report:
    """Return the report with the cells of each breakdown in the order of their values."""
    return replace(report, by={key: ordered_cells(cells) for key, cells in report.by.items()})


def ordered_cells(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a breakdown: systems in their order, the values of each ascending."""
    systems = {system: n for n, system in enumerate(dict.fromkeys(cell.system for cell in cells))}
    values = {value: n for n, value in enumerate(ordered_values(str(cell.value) for cell in cells))}
    return sorted(cells, key=lambda cell: (systems[cell.system], values[str(cell.value)]))


def _order_of(values: Sequence[str]) -> Callable[[str], float] | None:
    """Return the sort key that places every value; None without one."""
    words = {value: " ".join(value.lower().replace("_", " ").split()) for value in values}
    for scale in SCALES:
        if all(word in scale for word in words.values()):
            return lambda value: scale.index(words[value])
    numbers = {value: _number(word) for value, word in words.items()}
    placed = {value: number for value, number in numbers.items() if number is not None}
    return placed.__getitem__ if len(placed) == len(words) else None


def _number(word: str) -> float | None:
    """Return the number that a value begins with: `5`, `five`, `10-20`, `< 5` (just below 5), `20+`."""
    if word in _WORDS:
        return _WORDS[word]
    match = _NUMBER.fullmatch(word)
    if not match:
        return None
    number = _decimal(match["value"].replace("−", "-"))
    return (
        number if number is None else number + 1e-6 * {"<": -2, "≤": -1, ">": 2, "≥": 1}.get(_first(match["sign"]), 0)
    )


def _first(sign: str | None) -> str:
    return (sign or "")[:1]


def _decimal(text: str) -> float | None:
    """Read 1,234.5 and 0.5; None for what is no number, such as a version 1.2.3."""
    try:
        return float(re.sub(r",(?=\d{3}\b)", "", text))
    except ValueError:
        return None
