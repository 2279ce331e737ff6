"""Whether a project hides its raters: leads then see pseudonyms (`pseudonyms`), and only admins change the members."""

from django.db import transaction

from ..audit import change_setting
from ..models import Project, User
from ..queue.errors import ProjectError
from .analysis_plans import plan_versions


@transaction.atomic
def set_hiding(project: Project, hides: bool, *, actor: User) -> Project:
    """Hide the raters of `project` from its leads, or show them. For admins. Raises ProjectError."""
    if hides and any(version.definition.exclusions.without_raters for version in plan_versions(project)):
        raise ProjectError("the analysis plan names raters, and its versions stay: the raters cannot be hidden")
    return change_setting(project, "hides_raters", hides, "hide raters", actor=actor)
