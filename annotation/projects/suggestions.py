"""Whether raters see passages of the article that may be relevant to the current sentence.

Suggestions save reading, but may bias raters. So leads can switch them off, and each rating records whether some were
shown and used (`Rating.suggestions`). A change takes effect with the next page.
"""

from django.db import transaction

from ..audit import change_setting
from ..models import Project, User


@transaction.atomic
def set_suggestions(project: Project, are_shown: bool, *, actor: User | None = None) -> Project:
    """Show suggestions to the raters of `project`, or none."""
    return change_setting(project, "suggestions", are_shown, "set suggestions", actor=actor)
