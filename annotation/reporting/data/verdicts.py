"""The answers of a judge in a project, one for each item, with what its verdicts say about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet, TextField, Value
from django.db.models.functions import Coalesce

from ...models import Judge, Project, Rating, Verdict
from ...queue.exclusion import is_excluded

Answers = Mapping[str, str]


@dataclass(frozen=True)
class JudgeAnswer:
    """A judge's choice answers about one item; `votes`: those of each sample, None for an invalid one; `cost`: USD;
    `fingerprints`: system fingerprints of the endpoint, separated by spaces.

    `run`: database id, None for an imported rating, which has neither confidence, votes nor cost. `prompt` and
    `document` of its response: database ids.
    """

    item_id: int
    answers: Answers
    confidence: float | None = None
    votes: Sequence[Answers | None] = ()
    cost: float | None = None
    run: int | None = None
    reason: str = ""
    rated_at: datetime | None = None
    prompt: int = 0
    document: int | None = None
    fingerprints: str = ""


@dataclass(frozen=True)
class JudgeAnswers:
    """The answers of one version of a judge in the order of item ids, and the ids of items whose verdict failed."""

    judge: Judge
    rows: list[JudgeAnswer] = field(default_factory=list)
    failed: frozenset[int] = frozenset()


def read_judge_answers(judge: Judge, project: Project) -> JudgeAnswers:
    """Return the judge's answers about items that are not retired, of responses that are not excluded. Two queries."""
    ratings = _judge_ratings(project).filter(rater=judge.user_id).order_by("item_id")
    fields = ("item_id", "choices", "verdict__confidence", "verdict__votes", "verdict__cost", "verdict__run_id")
    others = ("comment", "rated_at", "item__response__prompt_id", "item__response__prompt__document_id")
    values = ratings.values_list(*fields, *others, Coalesce("verdict__fingerprints", Value("", TextField())))
    rows = [
        JudgeAnswer(item, choices, confidence, votes or (), None if cost is None else float(cost), run, *more)
        for item, choices, confidence, votes, cost, run, *more in values.iterator()
    ]
    failed = Verdict.objects.filter(judge=judge, project=project, state=Verdict.State.FAILED)
    item_ids = failed.filter(~is_excluded(project), item__retired_at=None).values_list("item", flat=True)
    return JudgeAnswers(judge, rows, frozenset(item_ids))


def judges_of(project: Project) -> QuerySet[Judge]:
    """Return the versions of judges that have rated items of the project, by name and version."""
    return Judge.objects.filter(user__in=_judge_ratings(project).values("rater"))


def _judge_ratings(project: Project) -> QuerySet[Rating]:
    return Rating.objects.filter(~is_excluded(project), project=project, role=Rating.Role.JUDGE, item__retired_at=None)
