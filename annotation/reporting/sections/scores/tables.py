"""Scores, weighted sums of errors per 100 ratings, and their differences between systems."""

from collections.abc import Iterator

from ...report import Report
from ...tables import Table
from ...tables.kinds import SCORE
from ...text.names import Names
from ..differences.tables import by_prompt, differences
from ..means.tables import estimates
from ..proportions.tables import by_prompt as estimates_by_prompt
from .text import score_differences_note, scores_note

TITLE = "Weighted errors per 100 ratings"


def tables(report: Report, names: Names) -> Iterator[Table]:
    """Yield the tables of scores and of their differences, each also by prompt."""
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
