"""Automatic metrics: predicted preferences, and rank correlations with people."""

from collections.abc import Iterator

from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, SHARE
from ...text.metrics import metrics_note
from ...text.names import Names


def tables(report: Report, names: Names) -> Iterator[Table]:
    """Yield the tables that have rows; nothing without scores."""
    part = report.metrics
    if part is None:
        return
    columns = [
        Column("Metric", LABEL),
        Column("Predicted", SHARE, "predicted"),
        Column("Undecided", COUNT, "undecided"),
    ]
    predictions = [
        Row([row.metric, Figure.of(row.predicted), Figure(n=row.undecided)], {"value": row.metric})
        for row in part.predictions
    ]
    yield Table(
        "metric_predictions", "Automatic metrics: predicted preferences", columns, predictions, metrics_note(part)
    )
    columns = [
        Column("Metric", LABEL),
        Column("Figure", LABEL),
        Column("Over", LABEL),
        Column("Spearman’s rho", COEFFICIENT, "spearman"),
        Column("Kendall’s tau-b", COEFFICIENT, "kendall_tau_b"),
        Column("n", COUNT),
    ]
    correlations = [
        Row(
            [
                row.metric,
                names.measure(row.figure),
                row.over.capitalize(),
                Figure.of(row.spearman, n=row.n),
                Figure.of(row.kendall_tau_b, n=row.n),
                row.n,
            ],
            {"value": f"{row.metric}: {row.over}", "key": row.figure},
        )
        for row in part.correlations
    ]
    title = "Automatic metrics: rank correlation with people"
    yield Table("metric_correlations", title, columns, correlations, metrics_note(part))
