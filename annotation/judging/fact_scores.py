"""The scores of Fact-QA: store and select them."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from ..model_calls.request_groups import ResultCounts
from ..models import DataChange, FactScore, Judge, JudgeRun, Project, Response
from ..models.data_changes import PROJECT
from .verdicts import count_failures

FIELDS = ("run", "state", "precision", "recall", "f1", "counts", "unreadable", "problem", "cost")
ALL, SCORED, FAILED, LOW = "", "scored", "failed", "low"
STATES = (ALL, SCORED, FAILED, LOW)
"""What to select: all, those with a score, those without, and those with a low one."""
LOW_SCORE = 0.5
"""Below this F1 (or precision, where there is no F1) a score is low."""


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
