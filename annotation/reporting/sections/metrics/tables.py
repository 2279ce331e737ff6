"""Automatic metrics: predicted preferences, and rank correlations with people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...report import Report
from ...tables import Column, Figure, Kind, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, MEAN, SHARE
from ...text.names import Names
from .figures import MetricReport
from .text import metrics_note

FEW_COLUMNS = 4
"""So many columns fit the page with each interval beside its figure."""
RANK_CORRELATION = replace(COEFFICIENT, counts=MEAN.counts)


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


def tables_of_project(report: MetricReport, names: Names) -> dict[str, list[Table]]:
    """Return what the scores of a project say: predicted preferences, correlations and means, each by group."""
    predicted: dict[str, dict[str, dict[str, Figure]]] = {}
    for row in report.predictions:
        undecided = f"{row.undecided} undecided" if row.undecided else ""
        group = predicted.setdefault(row.key or "All prompts", {}).setdefault(
            (row.value or "") if row.key else "All prompts", {}
        )
        group[row.metric] = Figure.of(row.predicted, after=undecided)
    correlated: dict[str, dict[str, dict[str, Figure]]] = {"Over responses": {}, "Over systems": {}}
    for pair in report.correlations:
        if pair.spearman.value is not None:
            group = correlated[f"Over {pair.over}"].setdefault(names.measure(pair.figure), {})
            group[pair.metric] = Figure.of(pair.spearman, n=pair.n)
    systems = list(dict.fromkeys(mean.system for mean in report.means if mean.key is None and mean.system))
    means = {
        "By system": {
            system or "All responses": {row.metric: Figure.of(row.mean) for row in report.means_of(system)}
            for system in (*systems, None)
        }
    }
    for mean in report.means:
        if mean.key is not None and mean.system is None:
            means.setdefault(mean.key, {}).setdefault(mean.value or "", {})[mean.metric] = Figure.of(mean.mean)
    kinds = {"predictions": (predicted, SHARE), "correlations": (correlated, RANK_CORRELATION), "means": (means, MEAN)}
    return {
        name: [_by_group(title, report.metrics, rows, kind) for title, rows in groups.items() if any(rows.values())]
        for name, (groups, kind) in kinds.items()
    }


def _by_group(title: str, metrics: Sequence[str], groups: Mapping[str, Mapping[str, Figure]], kind: Kind) -> Table:
    """Return a row for each group. Many metrics are the rows if the groups are fewer, so that it fits the page."""
    columns = [metric for metric in metrics if any(metric in figures for figures in groups.values())]
    if len(columns) > max(FEW_COLUMNS, len(groups)):
        head, names = "Metric", list(groups)
        rows = [Row([metric, *(groups[name].get(metric) for name in names)]) for metric in columns]
    else:
        head, names = "", columns
        rows = [Row([name, *(figures.get(metric) for metric in columns)]) for name, figures in groups.items()]
    return Table(title, title, [Column(head, LABEL), *(Column(name, kind) for name in names)], rows)
