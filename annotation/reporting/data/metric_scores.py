"""Read the scores of metrics of a project's data set."""

import hashlib
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Exists, OuterRef

from ...metrics.text_metrics import COMPUTED_NAMES
from ...models import MetricScore, Project, Prompt, Response, Sheet
from ..choices import Choices
from .filters import matches, matches_metadata
from .responses import RatedPrompt, RatedResponse, canonical_json

Key = tuple[str, str]
"""Imported ids of a response and of the one that it is compared with, or empty."""


@dataclass(frozen=True)
class MetricScores:
    """The responses of the project in the order of imported ids, and each metric's values."""

    responses: list[RatedResponse]
    values: Mapping[str, Mapping[Key, float]]

    @cached_property
    def metrics(self) -> list[str]:
        """The metrics with a value: computed ones in their order, then imported ones by name."""
        return [
            *(name for name in COMPUTED_NAMES if name in self.values),
            *sorted(self.values.keys() - set(COMPUTED_NAMES)),
        ]

    @property
    def sha256(self) -> str:
        """The hash of all values."""
        digest = hashlib.sha256()
        for metric in sorted(self.values):
            for key, value in sorted(self.values[metric].items()):
                digest.update(canonical_json([metric, *key, value]).encode() + b"\n")
        return digest.hexdigest()

    def value(self, metric: str, response: str) -> float:
        """Return the value of one response, NaN without one."""
        return self.values[metric].get((response, ""), float("nan"))

    def difference(self, metric: str, first: str, second: str) -> float:
        """Return above 0 where the metric says that the first of two responses is better, NaN without a value.

        A value of the pair goes before the difference of the responses' own values.
        """
        of_pairs = self.values[metric]
        if (first, second) in of_pairs:
            return of_pairs[first, second]
        if (second, first) in of_pairs:
            return -of_pairs[second, first]
        return self.value(metric, first) - self.value(metric, second)


def read_metric_scores(project: Project, choices: Choices) -> MetricScores:
    """Read the scores of all responses that the project may have rated, under the choices. Two queries."""
    excluded = Sheet.objects.filter(project=project, response=OuterRef("pk"), exclusion__isnull=False)
    columns = ("key", "system__name", "prompt__key", "prompt__metadata", "prompt__document__key")
    rows = Response.objects.filter(~Exists(excluded), dataset=project.dataset_id).values_list(*columns)
    named = (
        RatedResponse(RatedPrompt(prompt, metadata, document), key, None, system, system)
        for key, system, prompt, metadata, document in rows.iterator()
    )
    responses = sorted((each for each in named if matches(each, choices)), key=lambda each: each.sort_key)
    return MetricScores(responses, _read_values(project, {response.key for response in responses}))


def read_scores_of_rated(project: Project, rated: list[RatedResponse]) -> MetricScores:
    """Read the scores of these responses and pairs. One query."""
    response_keys = {key for response in rated for key in (response.key, response.against) if key}
    return MetricScores(rated, _read_values(project, response_keys))


def _read_values(project: Project, response_keys: Set[str]) -> dict[str, dict[Key, float]]:
    """Return the values of each metric for responses of `response_keys`, and for pairs of them."""
    values: dict[str, dict[Key, float]] = {}
    scores = MetricScore.objects.filter(response__dataset=project.dataset_id)
    for key, against, metric, value in scores.values_list("response__key", "against__key", "metric", "value"):
        if key in response_keys and (against is None or against in response_keys):
            values.setdefault(metric, {})[key, against or ""] = value
    return values


def read_questions(project: Project, choices: Choices) -> dict[str, list[str]]:
    """Read the texts of the prompts about each document of the data set, in the order of imported ids. One query."""
    prompts = Prompt.objects.filter(dataset=project.dataset_id, document__isnull=False).order_by("document__key", "key")
    questions: dict[str, list[str]] = {}
    for document, text, metadata in prompts.values_list("document__key", "text", "metadata").iterator():
        if matches_metadata(metadata, choices):
            questions.setdefault(document, []).append(text)
    return questions
