"""Scores of a project's responses: Fact-QA scores of a judge, and values of metrics."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Case, Exists, F, FloatField, OuterRef, Q, QuerySet, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from ...judging.tuning import tuned_items
from ...judging.workload import scored_responses
from ...metrics.text_metrics import COMPUTED_NAMES
from ...models import FactScore, Judge, MetricScore, Project, Prompt, Response, Sheet
from ..choices import Choices
from .filters import matches, matches_metadata
from .responses import RatedPrompt, RatedResponse, hash_lines

QUESTION_TYPE = "question_type"
SOURCE_CLASSES = {
    "explicit": ("yes/no", "single factual", "multi factual"),
    "implicit": ("single reasoning", "multi reasoning", "summarization"),
    "insufficient": ("no answer",),
}
"""Whether the syllabus says the answer (SyllabusQA, Fernandez et al. 2024) -> question types."""
QUESTION_TYPES = tuple(each for types in SOURCE_CLASSES.values() for each in types)
"""In the order of the publication."""
TUNED = "tuned"
"""The state of a response with a score, an item of which tuned the judge's prompt: it says nothing about the others."""


@dataclass(frozen=True)
class ResponseScore:
    """The score of a response; `state` is that of the score or TUNED, empty without one. Figures are 0 to 1 or None,
    numbers of facts None where no answer could be read, `cost` is USD.
    """

    response: RatedResponse
    state: str = ""
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    supported_facts: float | None = None
    facts: float | None = None
    supported_reference_facts: float | None = None
    reference_facts: float | None = None
    unreadable: int = 0
    problem: str = ""
    cost: float | None = None

    @property
    def is_scored(self) -> bool:
        return self.state == FactScore.State.SCORED

    @property
    def question_type(self) -> str | None:
        """The question type of the prompt in small letters and without hyphens; None without one."""
        value = self.response.prompt.metadata.get(QUESTION_TYPE)
        return value.lower().replace("-", " ") if isinstance(value, str) and value else None

    @property
    def source_class(self) -> str | None:
        """The source class of the question type; None for a type that SyllabusQA does not have."""
        return next((name for name, types in SOURCE_CLASSES.items() if self.question_type in types), None)


@dataclass(frozen=True)
class FactScores:
    """The rows of one judge, in the order of imported ids, of the systems and prompts of the choices."""

    judge: Judge
    rows: list[ResponseScore]

    @cached_property
    def scored(self) -> list[ResponseScore]:
        return [row for row in self.rows if row.is_scored]

    def count(self, state: str) -> int:
        """Return how many responses are in this state; the empty one: have no score yet."""
        return sum(row.state == state for row in self.rows)

    @property
    def sha256(self) -> str:
        return hash_lines(
            [*row.response.sort_key, row.state, row.precision, row.recall, row.unreadable, row.question_type]
            for row in self.rows
        )


def read_fact_scores(project: Project, judge: Judge, choices: Choices) -> FactScores:
    """Read the scores of a judge under the choices. Two queries, without the lists of facts, which are long."""
    responses = _read_responses(scored_responses(project), choices)
    has_tuned = Exists(tuned_items(judge, project).filter(item__response=OuterRef("response")))
    counts = {
        "supported_facts": "counts__precision__supported",
        "facts": "counts__precision__facts",
        "supported_reference_facts": "counts__recall__supported",
        "reference_facts": "counts__recall__facts",
    }
    stored = FactScore.objects.filter(judge=judge, project=project).annotate(
        state_of_row=Case(When(Q(has_tuned, state=FactScore.State.SCORED), then=Value(TUNED)), default=F("state")),
        usd=Cast("cost", FloatField()),
        **{name: Cast(KT(path), FloatField()) for name, path in counts.items()},
    )
    columns = ("state_of_row", "precision", "recall", "f1", *counts, "unreadable", "problem", "usd")
    scores = {
        pk: ResponseScore(responses[pk], *values)
        for pk, *values in stored.values_list("response_id", *columns).iterator()
        if pk in responses
    }
    rows = [scores.get(pk) or ResponseScore(response) for pk, response in responses.items()]
    return FactScores(judge, sorted(rows, key=lambda row: row.response.sort_key))


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
        values = self.values
        return hash_lines(
            [metric, *key, value] for metric in sorted(values) for key, value in sorted(values[metric].items())
        )

    def value(self, metric: str, response: str) -> float:
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
    stored = Response.objects.filter(~Exists(excluded), dataset=project.dataset_id)
    responses = sorted(_read_responses(stored, choices).values(), key=lambda response: response.sort_key)
    return MetricScores(responses, _read_values(project, {response.key for response in responses}))


def read_scores_of_rated(project: Project, rated: list[RatedResponse]) -> MetricScores:
    """Read the scores of these responses and pairs. One query."""
    response_keys = {key for response in rated for key in (response.key, response.against) if key}
    return MetricScores(rated, _read_values(project, response_keys))


def _read_values(project: Project, response_keys: Set[str]) -> dict[str, dict[Key, float]]:
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


def _read_responses(responses: QuerySet[Response], choices: Choices) -> dict[int, RatedResponse]:
    """Return the responses of the choices' systems and metadata by primary key. One query."""
    rated: dict[int, RatedResponse] = {}
    prompts: dict[str, RatedPrompt] = {}
    columns = ("pk", "key", "system__name", "prompt__key", "prompt__metadata", "prompt__document__key")
    for pk, key, system, prompt, metadata, document in responses.values_list(*columns).iterator():
        response = RatedResponse(
            prompts.setdefault(prompt, RatedPrompt(prompt, metadata, document)), key, None, system, made_by=system
        )
        if matches(response, choices):
            rated[pk] = response
    return rated
