"""Whether raters see the verdicts of a judge: never, after they have finished a response, or before they answer.

A change takes effect with the next page. Ratings given or changed after verdicts were shown are
marked (`Rating.verdict_shown`).
"""

from django.db import transaction

from ..audit import record
from ..models import Judge, Project, User, Verdict
from ..queue.errors import ProjectError


@transaction.atomic
def set_verdict_visibility(
    project: Project, visibility: str, judge: Judge | None = None, *, actor: User | None = None
) -> Project:
    """Show the verdicts of `judge` to the raters of `project`, or none. Raises ProjectError."""
    if visibility not in Project.VerdictVisibility.values:
        raise ProjectError("Choose when raters see verdicts.")
    if visibility == Project.VerdictVisibility.NEVER:
        judge = None
    elif judge is None or not Verdict.objects.filter(project=project, judge=judge).exists():
        raise ProjectError("Choose a judge that has rated items of this project.")
    stored = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    before, after = _as_json(stored.verdict_visibility, stored.shown_judge), _as_json(visibility, judge)
    project.verdict_visibility, project.shown_judge = visibility, judge
    if before != after:
        Project.objects.filter(pk=project.pk).update(verdict_visibility=visibility, shown_judge=judge)
        target = f"project:{project.slug}"
        record(actor, "set verdict visibility", target, project=project, before=before, after=after)
    return project


def _as_json(visibility: str, judge: Judge | None) -> dict[str, str | None]:
    return {"visibility": visibility, "judge": judge.label if judge else None}
