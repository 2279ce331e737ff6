"""Automatic metrics: predicted preferences, and rank correlations with people."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....metrics.text_metrics import COMPUTED, source_of
from ...report import Report
from ...tables import Column, Figure, Kind, Row, Table
from ...tables.kinds import COEFFICIENT, COUNT, LABEL, MEAN, SHARE
from ...text.figure_format import count, listed
from ...text.names import Names
from .figures import MetricReport, MetricsAgainstPeople

FEW_COLUMNS = 4
"""So many columns fit the page with each interval beside its figure."""
RANK_CORRELATION = replace(COEFFICIENT, counts=MEAN.counts)
Cell = tuple[str, str, str, Figure]
"""A figure of a metric: title of its table, group, metric, figure."""


def tables(report: Report, names: Names) -> Iterator[Table]:
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
    predictions, correlations, means = list[Cell](), list[Cell](), list[Cell]()
    for row in report.predictions:
        undecided = f"{row.undecided} undecided" if row.undecided else ""
        title, group = (row.key, row.value or "") if row.key else ("All prompts", "All prompts")
        predictions.append((title, group, row.metric, Figure.of(row.predicted, after=undecided)))
    for pair in sorted(report.correlations, key=lambda pair: pair.over):  # over responses, then over systems
        if pair.spearman.value is not None:
            figure = Figure.of(pair.spearman, n=pair.n)
            correlations.append((f"Over {pair.over}", names.measure(pair.figure), pair.metric, figure))
    for mean in sorted(report.means, key=lambda mean: mean.system is None):  # all responses after the systems
        if mean.key is None:
            means.append(("By system", mean.system or "All responses", mean.metric, Figure.of(mean.mean)))
        elif mean.system is None:
            means.append((mean.key, mean.value or "", mean.metric, Figure.of(mean.mean)))
    return {
        "predictions": _by_title(predictions, report.metrics, SHARE),
        "correlations": _by_title(correlations, report.metrics, RANK_CORRELATION),
        "means": _by_title(means, report.metrics, MEAN),
    }


def _by_title(cells: Sequence[Cell], metrics: Sequence[str], kind: Kind) -> list[Table]:
    """Return a table for each title, with a row for each group. Many metrics are the rows if the groups are fewer, so
    that it fits the page.
    """
    by_title: dict[str, dict[str, dict[str, Figure]]] = {}
    for title, group, metric, figure in cells:
        by_title.setdefault(title, {}).setdefault(group, {})[metric] = figure
    tables = []
    for title, groups in by_title.items():
        used = [metric for metric in metrics if any(metric in figures for figures in groups.values())]
        if len(used) > max(FEW_COLUMNS, len(groups)):
            head, columns = "Metric", list(groups)
            rows = [Row([metric, *(figures.get(metric) for figures in groups.values())]) for metric in used]
        else:
            head, columns = "", used
            rows = [Row([name, *(figures.get(metric) for metric in used)]) for name, figures in groups.items()]
        tables.append(Table(title, title, [Column(head, LABEL), *(Column(name, kind) for name in columns)], rows))
    return tables


def metrics_note(part: MetricsAgainstPeople) -> str:
    if part.predictions:
        return (
            "The share of people’s preferences for the response with the higher value; far below 50 %, people prefer "
            f"lower values. {count(part.ties)} ties are excluded, and so are preferences for which the metric is "
            "undecided: it has equal values, or none."
        )
    note = (
        "Rank correlations of a metric with people’s figures, response by response, and of the means of systems over "
        "the same responses."
    )
    has_intervals = any(row.spearman.low is not None for row in part.correlations)
    return note if has_intervals else f"{note} Frozen reports have their intervals."


def metrics_methods(report: Report) -> str:
    """Return the sentences of the Methods; "" without scores."""
    part = report.metrics
    if part is None:
        return ""
    computed = [name for name in part.metrics if source_of(name) == COMPUTED]
    imported = [name for name in part.metrics if source_of(name) != COMPUTED]
    sources = [
        f"computed from the texts: {listed(computed, 'and')}" if computed else "",
        f"imported: {listed(imported, 'and')}" if imported else "",
    ]
    metrics = "; ".join(filter(None, sources))
    return f"Automatic metrics of the responses are held against the ratings ({metrics}). {metrics_note(part)}"
