"""The projects that a search covers, with the user's role in each."""

from dataclasses import dataclass

from django.db.models import BooleanField, ExpressionWrapper, F, Q

from ...access import projects_for
from ...models import Membership, Project, User

MAX_PROJECTS = 40


@dataclass(frozen=True)
class Scope:
    """The user, their projects with `role` set, the best first, and the project of the page where they search.

    `memberships`: the user's role by project id, for all projects of which they are a member.
    """

    user: User
    projects: list[Project]
    current: Project | None
    memberships: dict[int, str]

    @property
    def is_lead(self) -> bool:
        """Whether the user leads a project or is an admin."""
        return self.user.is_admin or Membership.Role.LEAD in self.memberships.values()

    @property
    def led(self) -> list[int]:
        """Ids of the projects that the user leads as a member."""
        return [project for project, role in self.memberships.items() if role == Membership.Role.LEAD]


def search_scope(user: User, words: list[str], slug: str) -> Scope:
    """Return the scope of a search from a page of the project `slug`, if the user sees it. Two queries.

    Projects whose title or slug has one of the words come first, archived ones last, then newest first.
    """
    memberships = dict(Membership.objects.filter(user=user).values_list("project", "role"))
    named = Q(slug=slug)
    for word in words:
        named |= Q(title__icontains=word) | Q(slug__icontains=word)
    rows = projects_for(user).select_related("protocol")
    rows = rows.annotate(is_named=ExpressionWrapper(named, output_field=BooleanField()))
    projects: list[Project] = list(
        rows.order_by("-is_named", F("archived_at").asc(nulls_first=True), "-created_at")[:MAX_PROJECTS]
    )
    for project in projects:
        project.role = Membership.Role.LEAD if user.is_admin else memberships[project.pk]
    return Scope(user, projects, next((project for project in projects if project.slug == slug), None), memberships)
