"""The items that a judge rates in a project: those that can be rated, drawn or not, in responses not excluded."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from ..models import Item, Judge, Project, Rating, Sheet, Verdict
from ..models.rated_items import is_rateable


def judged_items(project: Project) -> QuerySet[Item]:
    """Return the items that each judge of the project rates."""
    same_pair = Q(against=OuterRef("against")) | Q(against=None)  # a project has one kind
    sheets = Sheet.objects.filter(same_pair, project=project, response=OuterRef("response"), exclusion=None)
    unit = project.protocol.definition.unit
    return Item.objects.filter(is_rateable(project), Exists(sheets), response__dataset=project.dataset_id, unit=unit)


def judged_kinds(project: Project) -> set[str]:
    """Return the kinds of these items."""
    return set(judged_items(project).order_by().values_list("kind", flat=True).distinct())


def missing_items(judge: Judge, project: Project, *, retry_failed: bool = False) -> QuerySet[Item]:
    """Return the items without a verdict of this judge, and without its rating, which may have been imported.

    `retry_failed`: those whose verdict failed, too.
    """
    verdicts = Verdict.objects.filter(judge=judge, project=project, item=OuterRef("pk"))
    if retry_failed:
        verdicts = verdicts.exclude(state=Verdict.State.FAILED)
    own = Rating.objects.filter(project=project, item=OuterRef("pk"), rater=judge.user_id, role=Rating.Role.JUDGE)
    items = judged_items(project).filter(~Exists(verdicts), ~Exists(own))
    return items.order_by("response__prompt__document", "response", "against", "start", "position")
