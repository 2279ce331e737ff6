"""Tables of raters: each one's agreement with gold and with the others, and the agreement of every two."""

from collections.abc import Iterator, Sequence

from ..reporting.report import RaterQuality, Report
from ..reporting.text import figure_format
from ..reporting.text.names import Names, agreement_of
from . import cell_text
from .table import Grid

RATER_NOTE = (
    "Accuracy on gold: share of the answers that equal the gold answer, all options counted. Agreement with other "
    "raters: share of the ratings that equal the majority of the other raters of the item; ties are excluded. "
    "Intervals: Wilson’s on gold, Korn-Graubard with other raters. Leniency: percentage points above (+) or below (−) "
    "the others on the same items, shrunk toward 0 (empirical Bayes). Seconds: the median of a rating."
)


def rater_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the tables that the report has figures for."""
    if any(agreement.rater_pairs for agreement in report.agreement.values()):
        yield rater_pairs(report, names)
    if report.raters:
        yield raters(report.raters)


def rater_pairs(report: Report, names: Names) -> Grid:
    """Return the agreement of each pair of raters, question by question."""
    rows = [
        [
            agreement_of(question, names),
            f"{pair.a} and {pair.b}",
            figure_format.count(pair.items),
            figure_format.percent_or_dash(pair.percent),
            figure_format.agreement_value("gwet_ac1", pair.ac1),
        ]
        for question, agreement in report.agreement.items()
        for pair in agreement.rater_pairs or ()
    ]
    head = ["Question", "Raters", "Items", "Agreement", "Gwet’s AC1"]
    return Grid("rater_pairs", "Pairwise agreement", head, rows, labels=2)


def raters(raters: Sequence[RaterQuality]) -> Grid:
    """Return each rater's ratings, agreement with gold and with the others, leniency and time."""
    rows = [
        [
            row.rater,
            figure_format.count(row.ratings),
            figure_format.count(row.assessed),
            cell_text.bounded_share(row.gold),
            cell_text.bounded_share(row.leave_one_out),
            cell_text.leniency(row.leniency),
            cell_text.seconds(row.seconds),
            figure_format.listed([str(flag) for flag in row.flags], "and") or "none",
        ]
        for row in raters
    ]
    head = [
        "Rater",
        "Ratings",
        "Assessed",
        "Accuracy on gold",
        "Agreement with other raters",
        "Leniency",
        "Seconds",
        "Quality alerts",
    ]
    return Grid("raters", "Raters", head, rows, RATER_NOTE)
