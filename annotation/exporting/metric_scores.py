"""Automatic metrics as files: the single scores of a project's data set, and the figures of a report.

`metrics.score_files` reads the file of scores, too: its rows have the fields of an import, and further ones.
"""

from collections.abc import Callable, Iterator, Mapping

from django.db.models import QuerySet

from ..metrics.text_metrics import source_of
from ..models import MetricScore, Project
from ..reporting.parts import Coefficient, MeanEstimate, Proportion
from ..reporting.sections.metrics.figures import MetricReport
from ..site.database_transactions import one_snapshot
from .rating_columns import Column, Row, named_rows
from .writers import CSV, JSON_LINES, write_csv

COLUMNS = (
    Column("response", "text", "imported id of the response"),
    Column("against", "text", "of a pair: imported id of the response that it is compared with; empty otherwise"),
    Column("metric", "text", "name of the metric"),
    Column("value", "number", "its value; of a pair above 0: `response` is better"),
    Column("source", "text", "computed (by this site) or imported"),
    Column("prompt", "text", "imported id of the prompt"),
    Column("system", "text", "system that produced the response"),
)
FIGURE_COLUMNS = (
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
FORMATS = {"csv": CSV, "jsonl": JSON_LINES}


def scores_of(project: Project) -> QuerySet[MetricScore]:
    return MetricScore.objects.filter(response__dataset=project.dataset_id)


def export_metric_scores(project: Project, format: str) -> Iterator[bytes]:
    """Yield the file in one of FORMATS, of one snapshot, in the order of imported ids."""
    with one_snapshot():
        yield from FORMATS[format].write(metric_score_rows(project), COLUMNS)


def metric_score_rows(project: Project) -> Iterator[Row]:
    """Yield the values of COLUMNS of each score, in the order of imported ids."""
    fields = ("response__key", "against__key", "metric", "value", "response__prompt__key", "response__system__name")
    scores = scores_of(project).order_by("response__prompt__key", "response__key", "against__key", "metric")
    return named_rows(
        COLUMNS,
        (
            (response, against, metric, value, source_of(metric), prompt, system)
            for response, against, metric, value, prompt, system in scores.values_list(*fields).iterator()
        ),
    )


def metric_figure_rows(report: MetricReport) -> Iterator[Row]:
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


FIGURE_FORMATS: Mapping[str, tuple[str, Callable[[MetricReport], Iterator[bytes]]]] = {
    "csv": ("text/csv; charset=utf-8", lambda report: write_csv(metric_figure_rows(report), FIGURE_COLUMNS)),
    "json": ("application/json", lambda report: iter([report.to_json()])),
}
"""Format -> content type, and what writes it."""
