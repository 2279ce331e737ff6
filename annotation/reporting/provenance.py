"""What a report was made from, in words: which ratings were left out by choice, which never count."""

from collections.abc import Callable
from typing import Any

from .naming import breakdown
from .wording import count, listed

LEFT_OUT = {
    "unfinished": "in responses that are not finished yet",
    "retired": "of sentences that were merged or split since",
    "training": "given in training",
    "qualification": "given in the qualification",
    "hidden gold": "of responses mixed in as hidden gold",
    "judge": "by model judges",
    "gold": "given as gold",
    "adjudicator": "given in adjudication",
    "adjudicated": "replaced by an adjudication",
    "below_gold": "by raters below the chosen accuracy on gold answers",
    "without_rater": "by raters left out by name",
    "too_fast": "given in less than the chosen time",
    "filtered": "about other systems or prompts than the chosen ones",
}


def filters_in_words(filters: dict[str, Any], unit: str = "item") -> list[str]:
    """What a report leaves out or replaces by choice, a phrase each; nothing where nothing was chosen."""
    return [_FILTERS[name](value, unit) for name, value in filters.items() if name in _FILTERS]


def left_out_in_words(reasons: dict[str, int]) -> str:
    """215 given as gold answers, 3 in responses that are not finished yet."""
    return ", ".join(f"{count(n)} {LEFT_OUT.get(reason, reason)}" for reason, n in reasons.items())


def origin(part: str, what: str, value: Any, unit: str) -> str:
    """One thing that a report was made from (see `differences.origins`) in words; "none" where it has none."""
    if value in (None, {}, []):
        return "none"
    if part == "filters":
        return "; ".join(filters_in_words({what: value}, unit))
    if what == "left_out":
        return left_out_in_words(value)
    return count(value) if isinstance(value, int) else str(value)


def _answers(value: str, unit: str) -> str:
    return f"where a {unit} was adjudicated, the adjudication stands as its one rating"


def _least_gold(value: float, unit: str) -> str:
    return f"without raters who were right on fewer than {100 * value:.4g} % of their gold answers"


def _without_raters(value: list[str], unit: str) -> str:
    return f"without the ratings of {listed(list(value), 'and')}"


def _least_seconds(value: float, unit: str) -> str:
    return f"without ratings given in less than {value:g} second{'' if value == 1 else 's'}"


def _systems(value: list[str], unit: str) -> str:
    return f"{listed(list(value), 'and')} only"


def _metadata(value: dict[str, list[str]], unit: str) -> str:
    said = [f"whose {breakdown(key)} is {listed(list(values), 'or')}" for key, values in value.items()]
    return f"only prompts {listed(said, 'and')}"


_FILTERS: dict[str, Callable[[Any, str], str]] = {
    "answers": _answers,
    "least_gold": _least_gold,
    "without_raters": _without_raters,
    "least_seconds": _least_seconds,
    "systems": _systems,
    "metadata": _metadata,
}
