"""Which responses Fact-QA scores, and the scores as they are stored."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from ..model_calls.request_groups import ResultCounts
from ..models import DataChange, FactScore, Item, Judge, JudgeRun, Project, Response, Sheet
from ..models.data_changes import PROJECT
from .verdicts import count_failures

FIELDS = ("run", "state", "precision", "recall", "f1", "counts", "unreadable", "problem", "cost")
ALL, SCORED, FAILED, LOW = "", "scored", "failed", "low"
STATES = (ALL, SCORED, FAILED, LOW)
"""What to select: all, those with a score, those without, and those with a low one."""
LOW_SCORE = 0.5
"""Below this F1 (or precision, where there is no F1) a score is low."""


def scored_responses(project: Project) -> QuerySet[Response]:
    """Return the responses that Fact-QA scores: all of the data set that are not blank or excluded in the project."""
    excluded = Sheet.objects.filter(project=project, response=OuterRef("pk"), exclusion__isnull=False)
    has_items = Exists(Item.objects.filter(response=OuterRef("pk")))  # requests are stored with the first item
    return Response.objects.filter(has_items, ~Exists(excluded), dataset=project.dataset_id).exclude(text="")


def missing_responses(judge: Judge, project: Project, *, retry_failed: bool = False) -> QuerySet[Response]:
    """Return the responses without a score of this judge, ordered by document. `retry_failed`: failed ones, too."""
    scores = FactScore.objects.filter(judge=judge, project=project, response=OuterRef("pk"))
    if retry_failed:
        scores = scores.exclude(state=FactScore.State.FAILED)
    return scored_responses(project).filter(~Exists(scores)).order_by("prompt__document", "prompt", "pk")


def unscorable(judge: Judge, response: Response) -> str:
    """Return why Fact-QA cannot score the response, or an empty string."""
    if judge.fact_source == Judge.FactSource.DOCUMENT:
        return "" if response.prompt.document_id else "The prompt has no document."
    return "" if response.prompt.reference.strip() else "The prompt has no reference answer."


@transaction.atomic
def store_fact_scores(run: JudgeRun, scores: Sequence[FactScore]) -> ResultCounts:
    """Store the scores of one run; a former score of a response is replaced."""
    for score in scores:
        score.judge, score.project, score.run = run.judge, run.project, run
    if scores:  # reports have them
        DataChange.objects.create(scope=f"{PROJECT}{run.project_id}")
    FactScore.objects.bulk_create(
        scores, update_conflicts=True, unique_fields=["judge", "project", "response"], update_fields=FIELDS
    )
    failed = sum(score.state == FactScore.State.FAILED for score in scores)
    return count_failures(run, ResultCounts(len(scores) - failed, failed))


def fact_scores_of(
    judge: Judge, project: Project, *, state: str = ALL, run: JudgeRun | None = None
) -> QuerySet[FactScore]:
    """Return the scores in one of STATES, of all runs or one, in the order in which they were first stored."""
    scores = FactScore.objects.filter(judge=judge, project=project).order_by("pk")
    if run:
        scores = scores.filter(run=run)
    if state == LOW:
        return scores.filter(Q(f1__lt=LOW_SCORE) | Q(f1=None, precision__lt=LOW_SCORE))
    return scores.filter(state=state) if state else scores


def judges_with_scores(project: Project) -> list[Judge]:
    """Return of each judge with Fact-QA the newest version that has scores in the project, by name."""
    judges = Judge.objects.filter(Exists(FactScore.objects.filter(judge=OuterRef("pk"), project=project)))
    return list({judge.name: judge for judge in judges.order_by("name", "version")}.values())
