"""The figures of automatic metrics as a table: one row for each figure."""

from collections.abc import Callable, Iterator, Mapping

from ..reporting.parts import Coefficient, MeanEstimate, Proportion
from ..reporting.sections.metrics.figures import MetricReport
from .rating_columns import Column, Row
from .writers import write_csv_columns

COLUMNS = (
    Column("figure", "text", "mean, predicted (share of preferences), spearman, kendall_tau_b or question_similarity"),
    Column("metric", "text", "name of the metric; rougeL of the similarity of questions"),
    Column("system", "text", "of a mean: the system; empty: all"),
    Column("key", "text", "metadata key of the prompts, or document; empty: all prompts"),
    Column("value", "text", "its value, or the imported id of the document"),
    Column("human_figure", "text", "of a correlation: key of the measure or mean"),
    Column("over", "text", "of a correlation: responses or systems"),
    Column("estimate", "number", "the figure; empty: undefined"),
    Column("low", "number", "lower bound of the interval; empty: none"),
    Column("high", "number", "upper bound of the interval; empty: none"),
    Column("method", "text", "method of the interval"),
    Column("n", "whole", "responses, preferences that the metric can predict, systems, documents or questions"),
    Column("undecided", "whole", "preferences for which the metric has equal values or none"),
)


def metric_rows(report: MetricReport) -> Iterator[Row]:
    """Yield the values of COLUMNS."""
    for mean in report.means:
        about = {"system": mean.system, "key": mean.key, "value": mean.value}
        yield {"figure": "mean", "metric": mean.metric, **about, **_estimate(mean.mean), "n": mean.mean.n}
    for row in report.predictions:
        counts = {"n": row.predicted.n, "undecided": row.undecided}
        about = {"key": row.key, "value": row.value}
        yield {"figure": "predicted", "metric": row.metric, **about, **_estimate(row.predicted), **counts}
    for pair in report.correlations:
        for name, estimate in (("spearman", pair.spearman), ("kendall_tau_b", pair.kendall_tau_b)):
            about = {"human_figure": pair.figure, "over": pair.over}
            yield {"figure": name, "metric": pair.metric, **about, **_estimate(estimate), "n": pair.n}
    if report.similarity:
        about = {"figure": "question_similarity", "metric": "rougeL"}
        yield {**about, **_estimate(report.similarity.mean), "n": report.similarity.mean.n}
        for each in report.similarity.documents:
            counted = {"estimate": each.rouge_l, "n": each.questions}
            yield {**about, "key": "document", "value": each.document, **counted}


def _estimate(figure: MeanEstimate | Proportion | Coefficient) -> Row:
    return {"estimate": figure.value, "low": figure.low, "high": figure.high, "method": figure.method}


FORMATS: Mapping[str, tuple[str, Callable[[MetricReport], Iterator[bytes]]]] = {
    "csv": ("text/csv; charset=utf-8", lambda report: write_csv_columns(metric_rows(report), COLUMNS)),
    "json": ("application/json", lambda report: iter([report.to_json()])),
}
"""Format -> content type, and what writes it."""
