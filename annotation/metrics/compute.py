"""Compute the metrics of all responses of a data set and store their scores."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from ..jobs import Progress
from ..models import DataChange, Dataset, Job, MetricScore, Response
from ..models.data_changes import DATASET
from ..splitting import split
from .text_metrics import METRICS, Texts

COMPUTE_METRICS = "compute_metrics"
"""The kind of the job."""
BATCH = 200


def compute_metrics_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Run a job of kind `compute_metrics` for the data set of its project."""
    assert job.project
    return compute_metrics(job.project.dataset, progress=progress)


@transaction.atomic
def compute_metrics(dataset: Dataset, *, progress: Progress | None = None) -> dict[str, Any]:
    """Compute METRICS for every response of the data set, replace the stored scores and return their numbers.

    Stores all or nothing. A metric that is undefined for a response has no score.
    """
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    progress = progress or Progress()
    responses = Response.objects.filter(dataset=dataset).select_related("prompt").order_by("pk")
    total, done, counts = responses.count(), 0, Counter[str]()
    MetricScore.objects.filter(response__dataset=dataset, against=None, metric__in=METRICS).delete()
    for batch in _batches(responses.iterator(chunk_size=BATCH)):
        scores = [score for response in batch for score in scores_of(response)]
        MetricScore.objects.bulk_create(scores)
        counts.update(score.metric for score in scores)
        done += len(batch)
        progress(done, total, _("computing metrics"))
    record_change(dataset)
    progress.lock_job()
    return {"responses": total, "scores": {metric: counts[metric] for metric in METRICS}}


def scores_of(response: Response) -> Iterator[MetricScore]:
    """Yield the scores of a response, not yet stored."""
    text = response.text
    sentences = [text[span.start : span.end] for span in split(text)]
    texts = Texts(text, sentences, response.prompt.reference)
    for name, metric in METRICS.items():
        value = metric(texts)
        if value is not None:
            yield MetricScore(response=response, metric=name, value=value)


def record_change(dataset: Dataset) -> None:
    """Record that scores have changed, so that figures from them are computed again."""
    DataChange.objects.create(scope=f"{DATASET}{dataset.pk}")


def _batches(responses: Iterable[Response]) -> Iterator[Sequence[Response]]:
    iterator = iter(responses)
    while batch := list(islice(iterator, BATCH)):
        yield batch
