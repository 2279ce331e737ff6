"""The tables of scores, weighted sums of errors per 100 ratings, and of their differences between systems."""

from collections.abc import Iterator

from ..reporting.report import Report
from ..reporting.text.names import Names
from ..reporting.text.scores import score_differences, score_differences_note, scores_note
from .difference_tables import differences
from .mean_tables import estimates
from .table import Grid

TITLE = "Weighted errors per 100 ratings"
DIFFERENCES = "Differences between systems in weighted errors per 100 ratings"


def score_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the table of scores and that of their differences, if the protocol has any."""
    if report.overall.scores is None:
        return
    note = f"In brackets 95 % intervals and the number of ratings. {scores_note(report, names)}"
    yield estimates("scores", TITLE, note, report, names)
    rows, note = score_differences(report), score_differences_note(report, names.unit)
    if any(row.prompts for row in rows):
        yield differences("score_comparisons", DIFFERENCES, rows, note, names, report.method.cluster)
