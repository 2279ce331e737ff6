"""The single scores of metrics of a project's data set: one row for each response, or pair, and metric.

`metrics.score_files` reads the file, too: its rows have the fields of an import, and further ones.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from django.db.models import QuerySet

from ..metrics.text_metrics import source_of
from ..models import MetricScore, Project
from ..site.database_snapshot import one_snapshot
from .rating_columns import Column, Row
from .writers import write_csv_columns, write_json_lines

COLUMNS = (
    Column("response", "text", "imported id of the response"),
    Column("against", "text", "of a pair: imported id of the response that it is compared with; empty otherwise"),
    Column("metric", "text", "name of the metric"),
    Column("value", "number", "its value; of a pair above 0: `response` is better"),
    Column("source", "text", "computed (by this site) or imported"),
    Column("prompt", "text", "imported id of the prompt"),
    Column("system", "text", "system that produced the response"),
)
FORMATS: Mapping[str, tuple[str, Callable[[Iterable[Row]], Iterator[bytes]]]] = {
    "csv": ("text/csv; charset=utf-8", lambda rows: write_csv_columns(rows, COLUMNS)),
    "jsonl": ("application/jsonl; charset=utf-8", write_json_lines),
}
"""Format -> content type, and what writes it."""


def scores_of(project: Project) -> QuerySet[MetricScore]:
    """Return the scores of the project's data set."""
    return MetricScore.objects.filter(response__dataset=project.dataset_id)


def export_metric_scores(project: Project, format: str) -> Iterator[bytes]:
    """Yield the file in one of FORMATS, of one snapshot, in the order of imported ids."""
    with one_snapshot():
        yield from FORMATS[format][1](metric_score_rows(project))


def metric_score_rows(project: Project) -> Iterator[Row]:
    """Yield the values of COLUMNS of each score, in the order of imported ids."""
    columns = ("response__key", "against__key", "metric", "value", "response__prompt__key", "response__system__name")
    rows = scores_of(project).order_by("response__prompt__key", "response__key", "against__key", "metric")
    for response, against, metric, value, prompt, system in rows.values_list(*columns).iterator():
        yield {
            "response": response,
            "against": against,
            "metric": metric,
            "value": value,
            "source": source_of(metric),
            "prompt": prompt,
            "system": system,
        }
