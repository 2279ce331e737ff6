"""Scores in words: the weights of a protocol's scores, and how their intervals were computed."""

from msgspec.structs import replace

from ....i18n.numbers import localized
from ....i18n.unit_names import unit_words
from ....protocols import Condition, Protocol, Score
from ...parts import Bounds
from ...report import Report
from ...text.figure_format import listed
from ...text.names import Names
from ..differences.figures import Comparison
from ..differences.significance import without_unreliable_bounds
from ..differences.text import inference_note


def weights_in_words(score: Score, protocol: Protocol) -> str:
    """Return the weights of a score in their order: `3: Inaccurate, Severe; 1: Inaccurate`."""
    return "; ".join(f"{_number(entry.weight)}: {_answers(entry.when, protocol)}" for entry in score.weights)


def scores_note(report: Report, names: Names) -> str:
    """Return what each score of a report weighs and how its interval was computed; "" without scores."""
    if report.overall.scores is None or names.protocol is None:
        return ""
    sentence = "%(label)s: the sum of weights per 100 rated %(units)s (%(weights)s; other answers: 0)."
    units = unit_words(names.unit, 2)
    scores = [
        sentence % {"label": score.label, "units": units, "weights": weights_in_words(score, names.protocol)}
        for score in names.protocol.scores
    ]
    return " ".join(filter(None, [*scores, _first_weight(names.protocol), _intervals(report)]))


def score_differences(report: Report) -> list[Comparison]:
    """Return the comparisons of scores for tables, per rating: in the format of points they are per 100 ratings."""
    return [_per_rating(row) for row in without_unreliable_bounds(report.score_comparisons or ())]


def score_differences_note(report: Report, unit: str) -> str:
    """Describe the differences in scores of a report as tables show them; its ratings are about a `unit`."""
    sentence = (
        "Differences of scores, per 100 rated %(units)s, on the prompts that both systems have an assessed rating for; "
        "each score is compared as its share of the largest possible one."
    )
    rows = report.score_comparisons or ()
    how = inference_note(rows, report.method.cluster, studentized=report.is_studentized)
    return f"{sentence % {'units': unit_words(unit, 2)}} {how}"


def _per_rating(row: Comparison) -> Comparison:
    difference, low, high = map(_divide_by_100, (row.difference, row.low, row.high))
    return replace(row, difference=difference, low=low, high=high, by_prompt=_bounds_per_rating(row.by_prompt))


def _bounds_per_rating(bounds: Bounds | None) -> Bounds | None:
    return bounds and Bounds(_divide_by_100(bounds.low), _divide_by_100(bounds.high), bounds.method)


def _divide_by_100(value: float | None) -> float | None:
    return None if value is None else value / 100


def _first_weight(protocol: Protocol) -> str:
    return "The first weight that fits an answer counts." if any(len(s.weights) > 1 for s in protocol.scores) else ""


def methods_of_scores(report: Report) -> set[str]:
    """Return the methods of the intervals of scores in all cells."""
    cells = [report.overall, *report.systems, *(cell for cells in report.by.values() for cell in cells)]
    return {score.method for cell in cells for score in (cell.scores or {}).values()}


def _intervals(report: Report) -> str:
    used = methods_of_scores(report)
    ways = {"bca": "BCa bootstrap", "korn-graubard": "Korn-Graubard with the effective number of ratings"}
    intervals = listed([words for method, words in ways.items() if method in used], "or")
    sentence = (
        "Intervals of scores: 95 %%, those of the share of the largest possible score (%(intervals)s), with "
        "%(clusters)s as sampling units."
    )
    named = {"intervals": intervals, "clusters": unit_words(report.method.cluster, 2)}
    return sentence % named if intervals else ""


def _answers(condition: Condition, protocol: Protocol) -> str:
    """Return the answers of a condition: Inaccurate or Disputed, Severe."""
    parts = []
    for key, values in condition.items():
        question = protocol.question(key)
        parts.append(listed([question.option(value).label for value in values], "or"))
    return ", ".join(parts)


def _number(weight: float) -> str:
    return localized(f"{weight:.2f}".rstrip("0").rstrip("."))
