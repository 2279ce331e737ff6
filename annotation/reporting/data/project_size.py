"""The size of a project before its first rating, for plans."""

from dataclasses import dataclass

from ...models import Membership, Project
from ...reviewing.reviewable_items import items_for_review


@dataclass(frozen=True)
class ProjectSize:
    """`sentences` of a response on average, None without responses; the number of `systems` and of active `raters`."""

    sentences: float | None
    systems: int
    raters: int


def read_project_size(project: Project) -> ProjectSize:
    """Return the size, from the items that raters are asked about and from the members."""
    items = items_for_review(project)
    responses = items.values("response", "against").distinct().count()
    members = Membership.objects.filter(project=project, role=Membership.Role.RATER, user__is_active=True).count()
    systems = {pk for pair in items.values_list("response__system", "against__system").distinct() for pk in pair if pk}
    return ProjectSize(items.count() / responses if responses else None, len(systems), members)
