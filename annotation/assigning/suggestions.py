"""Whether a project's raters are shown passages of the article that may bear on the sentence they are at.

Suggestions save reading, and may lead raters to what was suggested. So a lead can do without them, and each rating says
whether some were shown and used (`Rating.suggestions`). Switching changes what is shown from the next page on.
"""

from django.db import transaction

from ..audit import record
from ..models import Project, User


@transaction.atomic
def set_suggestions(project: Project, are_shown: bool, *, actor: User | None = None) -> Project:
    """Show suggestions to the raters of `project`, or none."""
    stored = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    before = stored.suggestions
    if before != are_shown:
        Project.objects.filter(pk=project.pk).update(suggestions=are_shown)
        record(actor, "set suggestions", f"project:{project.slug}", project=project, before=before, after=are_shown)
    project.suggestions = are_shown
    return project
