"""Whether a project's raters are shown passages of the article that may bear on the sentence they are at.

Suggestions save reading, and may lead raters to what was suggested. So a lead can do without them, and each rating says
whether some were shown and used (`Rating.suggestions`). Switching changes what is shown from the next page on.
"""

from django.db import transaction

from ..audit import change_setting
from ..models import Project, User


@transaction.atomic
def set_suggestions(project: Project, are_shown: bool, *, actor: User | None = None) -> Project:
    """Show suggestions to the raters of `project`, or none."""
    return change_setting(project, "suggestions", are_shown, "set suggestions", actor=actor)
