"""Which responses Fact-QA scores, and the scores as they are stored."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from ..models import FactScore, Item, Judge, JudgeRun, Project, Response, Sheet
from .verdicts import VerdictCounts

FIELDS = ("run", "state", "precision", "recall", "f1", "counts", "unreadable", "problem", "cost")


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
def store_fact_scores(run: JudgeRun, scores: Sequence[FactScore]) -> VerdictCounts:
    """Store the scores of one run; a former score of a response is replaced."""
    for score in scores:
        score.judge, score.project, score.run = run.judge, run.project, run
    FactScore.objects.bulk_create(
        scores, update_conflicts=True, unique_fields=["judge", "project", "response"], update_fields=FIELDS
    )
    failed = sum(score.state == FactScore.State.FAILED for score in scores)
    return VerdictCounts(len(scores) - failed, failed)
