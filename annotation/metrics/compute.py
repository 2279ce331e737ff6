"""Compute the metrics of all responses of a data set and store their scores."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from ..jobs import Progress
from ..models import DataChange, Dataset, Job, MetricScore, Response
from ..models.data_changes import DATASET
from ..splitting import split
from ..splitting.reasoning import answer_of
from .bertscore import BertModel, bertscore_f1
from .text_metrics import BERTSCORE, COMPUTED_NAMES, METRICS, Texts

COMPUTE_METRICS = "compute_metrics"
"""The kind of the job."""
BATCH = 200


def compute_metrics_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Run a job of kind `compute_metrics` for the data set of its project."""
    assert job.project
    return compute_metrics(job.project.dataset, model=configured_bertscore_model(), progress=progress)


def configured_bertscore_model() -> BertModel | None:
    """Return the model of the settings BERTSCORE_MODEL and BERTSCORE_LAYERS, None without one. Raises Refused."""
    if not settings.BERTSCORE_MODEL:
        return None
    return BertModel(Path(settings.BERTSCORE_MODEL), settings.BERTSCORE_LAYERS or None)


def compute_metrics(
    dataset: Dataset, *, model: BertModel | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """Compute METRICS, with a `model` also BERTSCORE, for every response of the data set, replace the stored scores and
    return their numbers.

    Stores all or nothing. A metric that is undefined for a response has no score.
    """
    progress = progress or Progress()
    return _store(dataset, _bertscores(dataset, model, progress) if model else None, progress)


def _bertscores(dataset: Dataset, model: BertModel, progress: Progress) -> dict[int, float]:
    """Return BERTScore by response (primary key). It takes long, so that nothing is locked in the meantime."""
    responses = Response.objects.filter(dataset=dataset).select_related("prompt").order_by("prompt", "pk")
    total, values, embed = responses.count(), dict[int, float](), lru_cache(maxsize=1)(model.embed)
    for done, response in enumerate(responses.iterator(chunk_size=BATCH), start=1):
        if response.prompt.reference.strip():
            values[response.pk] = bertscore_f1(model.embed(answer_of(response.text)), embed(response.prompt.reference))
        progress(done, total, "computing BERTScore")
    return values


@transaction.atomic
def _store(dataset: Dataset, bertscores: dict[int, float] | None, progress: Progress) -> dict[str, Any]:
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    responses = Response.objects.filter(dataset=dataset).select_related("prompt").order_by("pk")
    total, done, counts = responses.count(), 0, Counter[str]()
    names = [*METRICS] if bertscores is None else [*COMPUTED_NAMES]
    MetricScore.objects.filter(response__dataset=dataset, against=None, metric__in=names).delete()
    rows = responses.iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        scores = [score for response in batch for score in scores_of(response)]
        scores += [
            MetricScore(response=response, metric=BERTSCORE, value=bertscores[response.pk])
            for response in batch
            if bertscores and response.pk in bertscores
        ]
        MetricScore.objects.bulk_create(scores)
        counts.update(score.metric for score in scores)
        done += len(batch)
        progress(done, total, "computing metrics")
    record_score_change(dataset)
    progress.lock_job()
    return {"responses": total, "scores": {metric: counts[metric] for metric in names}}


def scores_of(response: Response) -> Iterator[MetricScore]:
    """Yield the scores of a response without its reasoning, not yet stored."""
    text = answer_of(response.text)
    sentences = [text[span.start : span.end] for span in split(text)]
    texts = Texts(text, sentences, response.prompt.reference)
    for name, metric in METRICS.items():
        value = metric(texts)
        if value is not None:
            yield MetricScore(response=response, metric=name, value=value)


def record_score_change(dataset: Dataset) -> None:
    """Record that scores have changed, so that figures from them are computed again."""
    DataChange.objects.create(scope=f"{DATASET}{dataset.pk}")
