"""The tables of a report about automatic metrics: predicted preferences, and rank correlations with people."""

from collections.abc import Iterator

from ..reporting.report import Coefficient, Proportion, Report
from ..reporting.text.figure_format import coefficient, coefficient_bounds, count, interval, percent_or_dash
from ..reporting.text.metrics import metrics_note
from ..reporting.text.names import Names
from .cell_text import counts
from .table import Grid

PREDICTIONS, CORRELATIONS = "metric_predictions", "metric_correlations"
_OVER = {"responses": "Responses", "systems": "Systems"}


def metric_grids(report: Report, names: Names) -> Iterator[Grid]:
    """Yield the tables that have rows; nothing without scores."""
    part = report.metrics
    if part is None:
        return
    if part.predictions:
        rows = [[row.metric, _share(row.predicted), count(row.undecided)] for row in part.predictions]
        head, title = ["Metric", "Predicted", "Undecided"], "Automatic metrics: predicted preferences"
        yield Grid(PREDICTIONS, title, head, rows, metrics_note(part))
    if part.correlations:
        rows = [
            [row.metric, names.measure(row.figure), _OVER[row.over], _value(row.spearman), _value(row.kendall_tau_b),
             count(row.n)]
            for row in part.correlations
        ]  # fmt: skip
        head = ["Metric", "Figure", "Over", "Spearman’s rho", "Kendall’s tau-b", "n"]
        yield Grid(CORRELATIONS, "Automatic metrics: rank correlation with people", head, rows, metrics_note(part), 3)


def metric_rows_of(report: Report) -> Iterator[dict[str, str | float | None]]:
    """Yield the same figures as rows of the tidy table: `value` is the metric, and after a colon what is ranked."""
    part = report.metrics
    for row in part.predictions if part else ():
        share = row.predicted
        about = {"table": PREDICTIONS, "value": row.metric}
        bounds = {"estimate": share.value, "low": share.low, "high": share.high, "method": share.method}
        yield {**about, "figure": "predicted", "k": share.k, "n": share.n, **bounds}
        yield {**about, "figure": "undecided", "n": row.undecided}
    for pair in part.correlations if part else ():
        about = {"table": CORRELATIONS, "value": f"{pair.metric}: {pair.over}", "key": pair.figure}
        for figure, estimate in (("spearman", pair.spearman), ("kendall_tau_b", pair.kendall_tau_b)):
            bounds = {"estimate": estimate.value, "low": estimate.low, "high": estimate.high, "method": estimate.method}
            yield {**about, "figure": figure, "n": pair.n, **bounds}


def _share(share: Proportion) -> str:
    bounds = interval(share.low, share.high)
    return f"{percent_or_dash(share.value)}{f' [{bounds}]' if bounds else ''} {counts(share)}"


def _value(estimate: Coefficient) -> str:
    bounds = coefficient_bounds(estimate)
    return f"{coefficient(estimate.value)}{f' [{bounds}]' if bounds else ''}"
