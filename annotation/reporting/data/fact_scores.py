"""The Fact-QA scores of a judge in a project: a row for each response that Fact-QA scores, with a score or without."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Case, Exists, F, FloatField, OuterRef, Q, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from ...judging.fact_scores import scored_responses
from ...judging.tuning import tuned_items
from ...models import FactScore, Judge, Project
from ..choices import Choices
from .filters import matches
from .responses import RatedPrompt, RatedResponse, canonical_json

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
_COUNTS = {
    "supported_facts": "counts__precision__supported",
    "facts": "counts__precision__facts",
    "supported_reference_facts": "counts__recall__supported",
    "reference_facts": "counts__recall__facts",
}


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
        """The rows that have a score."""
        return [row for row in self.rows if row.is_scored]

    def count(self, state: str) -> int:
        """Return how many responses are in this state; the empty one: have no score yet."""
        return sum(row.state == state for row in self.rows)

    @property
    def sha256(self) -> str:
        """The hash of all rows without costs."""
        digest = hashlib.sha256()
        for row in self.rows:
            cells = [*row.response.sort_key, row.state, row.precision, row.recall, row.unreadable, row.question_type]
            digest.update(canonical_json(cells).encode() + b"\n")
        return digest.hexdigest()


def read_fact_scores(project: Project, judge: Judge, choices: Choices) -> FactScores:
    """Read the scores of a judge under the choices' systems and metadata. Two queries."""
    responses = {pk: response for pk, response in _read_responses(project) if matches(response, choices)}
    scores = dict(_read_scores(project, judge, responses))
    rows = [scores.get(pk) or ResponseScore(response) for pk, response in responses.items()]
    return FactScores(judge, sorted(rows, key=lambda row: row.response.sort_key))


def _read_scores(
    project: Project, judge: Judge, responses: Mapping[int, RatedResponse]
) -> Iterator[tuple[int, ResponseScore]]:
    """Yield the scores of these responses by primary key, without the lists of facts, which may be long."""
    numbers = {name: Cast(KT(path), FloatField()) for name, path in _COUNTS.items()}
    has_tuned = Exists(tuned_items(judge, project).filter(item__response=OuterRef("response")))
    state = Case(When(Q(has_tuned, state=FactScore.State.SCORED), then=Value(TUNED)), default=F("state"))
    stored = FactScore.objects.filter(judge=judge, project=project)
    rows = stored.annotate(**numbers, usd=Cast("cost", FloatField()), state_of_row=state)
    columns = ("state_of_row", "precision", "recall", "f1", *numbers, "unreadable", "problem", "usd")
    for pk, *values in rows.values_list("response_id", *columns).iterator():
        if pk in responses:
            yield pk, ResponseScore(responses[pk], *values)


def _read_responses(project: Project) -> Iterator[tuple[int, RatedResponse]]:
    """Yield the responses that Fact-QA scores, with their primary keys."""
    about = {"system_name": F("system__name"), "document": F("prompt__document__key")}
    responses = scored_responses(project).annotate(**about)
    prompts: dict[str, RatedPrompt] = {}
    columns = ("pk", "key", "system_name", "prompt__key", "prompt__metadata", "document")
    for pk, key, system, prompt, metadata, document in responses.values_list(*columns).iterator():
        rated = prompts.setdefault(prompt, RatedPrompt(prompt, metadata, document))
        yield pk, RatedResponse(rated, key, None, system, made_by=system)
