"""Scores, weighted sums of errors per 100 ratings, and their differences between systems."""

from collections.abc import Iterator

from msgspec.structs import replace

from ....i18n.english import localized
from ....i18n.unit_names import unit_words
from ....protocols import Protocol, Score
from ...parts import Bounds
from ...report import Report
from ...tables import Table
from ...tables.kinds import SCORE
from ...text.figure_format import listed
from ...text.names import Names
from ..differences.figures import Comparison
from ..differences.significance import without_unreliable_bounds
from ..differences.tables import by_prompt, differences
from ..differences.text import inference_note
from ..means.tables import estimates
from ..proportions.tables import by_prompt as estimates_by_prompt

TITLE = "Weighted errors per 100 ratings"


def tables(report: Report, names: Names) -> Iterator[Table]:
    rows, title = report.score_comparisons or (), "Differences between systems in weighted errors per 100 ratings"
    if report.overall.scores is not None:
        note = f"In brackets 95 % intervals and the number of ratings. {scores_note(report, names)}"
        yield estimates("scores", TITLE, note, SCORE, report, names)
    if any(row.prompts for row in rows):
        note = score_differences_note(report, names.unit)
        yield differences("score_comparisons", title, rows, note, names, report.method.cluster)
    if any(score.by_prompt for score in (report.overall.scores or {}).values()):
        yield estimates_by_prompt("scores_by_prompt", TITLE, "scores", report, names)
    if any(row.by_prompt and row.prompts for row in rows):
        yield by_prompt("score_comparisons_by_prompt", title, rows, names)


def weights_in_words(score: Score, protocol: Protocol) -> str:
    """Return the weights of a score in their order: `3: Inaccurate or Disputed, Severe; 1: Inaccurate`."""
    parts = []
    for entry in score.weights:
        weight = localized(f"{entry.weight:.2f}".rstrip("0").rstrip("."))
        answers = [
            listed([protocol.question(key).option(value).label for value in values], "or")
            for key, values in entry.when.items()
        ]
        parts.append(f"{weight}: {', '.join(answers)}")
    return "; ".join(parts)


def scores_note(report: Report, names: Names) -> str:
    """Return what each score of a report weighs and how its interval was computed; "" without scores."""
    if report.overall.scores is None or names.protocol is None:
        return ""
    units, scores = unit_words(names.unit, 2), names.protocol.scores
    sentences = [
        f"{score.label}: the sum of weights per 100 rated {units} ({weights_in_words(score, names.protocol)}; other "
        "answers: 0)."
        for score in scores
    ]
    if any(len(score.weights) > 1 for score in scores):
        sentences.append("The first weight that fits an answer counts.")
    ways = {"bca": "BCa bootstrap", "korn-graubard": "Korn-Graubard with the effective number of ratings"}
    used = methods_of_scores(report)
    if intervals := listed([words for method, words in ways.items() if method in used], "or"):
        sentences.append(
            f"Intervals of scores: 95 %, those of the share of the largest possible score ({intervals}), with "
            f"{unit_words(report.method.cluster, 2)} as sampling units."
        )
    return " ".join(sentences)


def methods_of_scores(report: Report) -> set[str]:
    """Return the methods of the intervals of scores in all cells."""
    cells = [report.overall, *report.systems, *(cell for cells in report.by.values() for cell in cells)]
    return {score.method for cell in cells for score in (cell.scores or {}).values()}


def score_differences(report: Report) -> list[Comparison]:
    """Return the comparisons of scores for tables, per rating: in the format of points they are per 100 ratings."""

    def per_rating(*values: float | None) -> list[float | None]:
        return [None if value is None else value / 100 for value in values]

    rows = []
    for row in without_unreliable_bounds(report.score_comparisons or ()):
        (difference, low, high), bounds = per_rating(row.difference, row.low, row.high), row.by_prompt
        ends = per_rating(bounds.low, bounds.high) if bounds else []
        by_prompt = bounds and Bounds(ends[0], ends[1], bounds.method)
        rows.append(replace(row, difference=difference, low=low, high=high, by_prompt=by_prompt))
    return rows


def score_differences_note(report: Report, unit: str) -> str:
    """Describe the differences in scores of a report as tables show them; its ratings are about a `unit`."""
    rows = report.score_comparisons or ()
    how = inference_note(rows, report.method.cluster, studentized=report.is_studentized)
    return (
        f"Differences of scores, per 100 rated {unit_words(unit, 2)}, on the prompts that both systems have an "
        f"assessed rating for; each score is compared as its share of the largest possible one. {how}"
    )
