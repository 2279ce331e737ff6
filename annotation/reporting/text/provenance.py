"""What a report was made from, in words: which ratings were left out by choice, which never count."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import get_language_info, gettext_noop, ngettext
from django.utils.translation import gettext as _

from ...i18n.numbers import localised
from ...i18n.unit_names import unit_words
from ..choices import ADJUDICATED
from ..compute.breakdowns import RATER
from .figure_format import count, listed
from .naming import breakdown

LEFT_OUT = {
    "unfinished": gettext_noop("in responses that are not finished yet"),
    "retired": gettext_noop("of sentences that were merged or split since"),
    "training": gettext_noop("given in training"),
    "qualification": gettext_noop("given in the qualification"),
    "hidden gold": gettext_noop("of responses mixed in as hidden gold"),
    "judge": gettext_noop("by model judges"),
    "gold": gettext_noop("given as gold"),
    "adjudicator": gettext_noop("given in adjudication"),
    "adjudicated": gettext_noop("replaced by an adjudication"),
    "below_gold": gettext_noop("by raters below the chosen accuracy on gold answers"),
    "without_rater": gettext_noop("by raters left out by name"),
    "too_fast": gettext_noop("given in less than the chosen time"),
    "filtered": gettext_noop("about other systems or prompts than the chosen ones"),
}


def adjudications(report: dict[str, Any]) -> int:
    """How many of the ratings that a report counts are adjudications: these are in no rater's cell, and each is all of
    its item. 0 where the ratings were not looked at one by one.
    """
    if report.get("filters", {}).get("answers") != ADJUDICATED or report["data"]["items"] is None:
        return 0
    given: int = report["data"]["ratings"] - sum(cell["ratings"] for cell in report["by"].get(RATER, ()))
    return given


def filters_in_words(filters: dict[str, Any], unit: str = "item") -> list[str]:
    """What a report leaves out or replaces by choice, a phrase each; nothing where nothing was chosen. In one order:
    PostgreSQL gives back what it stores of JSON in another."""
    return [in_words(filters[name], unit) for name, in_words in _FILTERS.items() if name in filters]


def left_out_in_words(reasons: dict[str, int]) -> str:
    """215 given as gold answers, 3 in responses that are not finished yet."""
    return ", ".join(f"{count(n)} {_(LEFT_OUT.get(reason, reason))}" for reason, n in reasons.items())


def readings_by_language(shown: dict[str, int], unit: str) -> str:
    """Spanish (3 readings of a response): in what language raters were shown the questions."""
    counts = []
    for code, n in shown.items():
        if unit == "pair":
            said = ngettext("%(language)s (%(n)s reading of a pair)", "%(language)s (%(n)s readings of a pair)", n)
        else:
            said = ngettext(
                "%(language)s (%(n)s reading of a response)", "%(language)s (%(n)s readings of a response)", n
            )
        counts.append(said % {"language": get_language_info(code)["name_translated"], "n": count(n)})
    return listed(counts, _("and"))


def origin(part: str, what: str, value: Any, unit: str) -> str:
    """One thing that a report was made from (see `differences.origins`) in words; "none" where it has none."""
    if value in (None, {}, []):
        return _("none")
    if part == "filters":
        return "; ".join(filters_in_words({what: value}, unit))
    if what == "left_out":
        return left_out_in_words(value)
    if what == "shown_in_translation":
        return readings_by_language(value, unit)
    return count(value) if isinstance(value, int) else str(value)


def _answers(value: str, unit: str) -> str:
    said = _("where a %(unit)s was adjudicated, the adjudication stands as its one rating")
    return said % {"unit": unit_words(unit)}


def _least_gold(value: float, unit: str) -> str:
    said = _("without raters who were right on fewer than %(share)s of their gold answers")
    return said % {"share": localised(f"{100 * value:.4g} %")}


def _without_raters(value: list[str], unit: str) -> str:
    return _("without the ratings of %(names)s") % {"names": listed(list(value), _("and"))}


def _least_seconds(value: float, unit: str) -> str:
    said = ngettext(
        "without ratings given in less than %(n)s second",
        "without ratings given in less than %(n)s seconds",
        1 if value == 1 else 2,
    )
    return said % {"n": localised(f"{value:g}")}


def _systems(value: list[str], unit: str) -> str:
    return _("%(names)s only") % {"names": listed(list(value), _("and"))}


def _metadata(value: dict[str, list[str]], unit: str) -> str:
    said = [
        _("whose %(key)s is %(values)s") % {"key": breakdown(key), "values": listed(list(values), _("or"))}
        for key, values in value.items()
    ]
    return _("only prompts %(conditions)s") % {"conditions": listed(said, _("and"))}


_FILTERS: dict[str, Callable[[Any, str], str]] = {
    "answers": _answers,
    "least_gold": _least_gold,
    "without_raters": _without_raters,
    "least_seconds": _least_seconds,
    "systems": _systems,
    "metadata": _metadata,
}
