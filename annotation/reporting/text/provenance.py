"""The origin of a report in words: ratings excluded by choice, ratings that never count."""

from collections.abc import Mapping, Sequence

from django.utils.translation import get_language_info
from msgspec import convert

from ...i18n.english import localized
from ...i18n.unit_names import counted, unit_words
from ..choices import ADJUDICATED
from ..data.groups import RATER
from ..parts import ExcludedResponses, Filters
from ..report import Report
from .figure_format import count, listed
from .names import breakdown_label

LEFT_OUT = {
    "unfinished": "in responses that are not finished yet",
    "retired": "of sentences that were merged or split since",
    "excluded": "of excluded responses",
    "training": "given in training",
    "qualification": "given in the qualification",
    "hidden gold": "of responses used as hidden gold",
    "judge": "by model judges",
    "gold": "given as gold",
    "adjudicator": "given in adjudication",
    "adjudicated": "replaced by an adjudication",
    "below_gold": "by raters below the chosen accuracy on gold answers",
    "without_rater": "by raters excluded by name",
    "too_fast": "given in less than the chosen time",
    "filtered": "about other systems or prompts than the chosen ones",
}


def adjudications(report: Report) -> int:
    """Count the adjudications among the counted ratings: each is the only rating of its item and in no rater's cell. 0
    where single ratings were not read.
    """
    if report.filters is None or report.filters.answers != ADJUDICATED or report.data.items is None:
        return 0
    return report.data.ratings - sum(cell.ratings for cell in report.by.get(RATER, ()))


def choices_in_words(filters: Filters | None, chosen_cluster: str | None, unit: str) -> list[str]:
    """Describe the choices of a report: filters, and the sampling unit if somebody chose it. Empty for the default."""
    clusters = [as_clusters(chosen_cluster)] if chosen_cluster else []
    return [*filters_in_words(filters, unit).values(), *clusters]


def as_clusters(cluster: str) -> str:
    """Return `documents as the sampling unit`."""
    return f"{unit_words(cluster, 2)} as the sampling unit"


def filters_in_words(filters: Filters | None, unit: str = "item") -> dict[str, str]:
    """Return a phrase for each filter that is set, by its name."""
    phrases: dict[str, str] = {}
    if filters is None:
        return phrases
    if filters.answers:
        phrases["answers"] = f"where a {unit_words(unit)} was adjudicated, the adjudication replaces its ratings"
    if filters.least_gold is not None:
        share = localized(f"{100 * filters.least_gold:.4g} %")
        phrases["least_gold"] = f"without raters with an accuracy on gold below {share}"
    if filters.without_raters:
        phrases["without_raters"] = f"without the ratings of {listed(list(filters.without_raters), 'and')}"
    if filters.least_seconds is not None:
        seconds, word = localized(f"{filters.least_seconds:g}"), "second" if filters.least_seconds == 1 else "seconds"
        phrases["least_seconds"] = f"without ratings given in less than {seconds} {word}"
    if filters.systems:
        phrases["systems"] = f"{listed(list(filters.systems), 'and')} only"
    if filters.metadata:
        conditions = [
            f"whose {breakdown_label(key)} is {listed(list(values), 'or')}" for key, values in filters.metadata.items()
        ]
        phrases["metadata"] = f"only prompts {listed(conditions, 'and')}"
    return phrases


def left_out_in_words(reasons: Mapping[str, int]) -> str:
    """Return `215 given as gold, 3 in responses that are not finished yet`."""
    return ", ".join(f"{count(n)} {LEFT_OUT.get(reason, reason)}" for reason, n in reasons.items())


def excluded_note(report: Report, unit: str) -> str:
    """State how many responses, or pairs, leads excluded and why; "" where there is none."""
    excluded = report.data.excluded
    return f"Excluded by the project leads: {_excluded_in_words(excluded, unit)}." if excluded else ""


def _excluded_in_words(excluded: Sequence[ExcludedResponses], unit: str) -> str:
    """Return `3 responses (“wrong document”) and 1 response (“garbled text”)`."""
    kind = "pair" if unit == "pair" else "response"
    return listed([f"{counted(row.responses, kind)} (“{row.reason}”)" for row in excluded], "and")


def readings_by_language(counts_by_language: Mapping[str, int], unit: str) -> str:
    """List in which languages raters read the questions: Spanish (3 annotations of a response)."""
    kind = "pair" if unit == "pair" else "response"
    readings = []
    for code, n in counts_by_language.items():
        language, annotations = get_language_info(code)["name_translated"], "annotation" if n == 1 else "annotations"
        readings.append(f"{language} ({count(n)} {annotations} of a {kind})")
    return listed(readings, "and")


def origin(part: str, key: str, value: object, unit: str) -> str:
    """Describe one value of `report_comparison.origins`; "none" where the report has none."""
    if value in (None, {}, []):
        return "none"
    if part == "filters":
        return "; ".join(filters_in_words(convert({key: value}, Filters), unit).values())
    if key == "left_out":
        return left_out_in_words(convert(value, dict[str, int]))
    if key == "excluded":
        return _excluded_in_words(convert(value, list[ExcludedResponses]), unit)
    if key == "shown_in_translation":
        return readings_by_language(convert(value, dict[str, int]), unit)
    return count(value) if isinstance(value, int) else str(value)
