"""The projects that a search covers, the entries of its result, and how words match them."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import BooleanField, ExpressionWrapper, F, Q

from ...access import projects_for
from ...models import Membership, Project, User

MAX_PROJECTS = 40
MAX_LENGTH = 200  # characters of a query
MAX_ENTRIES = 8  # of a group


@dataclass(frozen=True)
class Entry:
    """A link. `detail` distinguishes entries with the same label, such as by project. `synonyms` find it, too."""

    label: str
    detail: str
    url: str
    synonyms: str = ""


@dataclass(frozen=True)
class Group:
    """Entries of one kind, the best first."""

    label: str
    entries: list[Entry]


def words_of(query: str) -> list[str]:
    return query.replace("\x00", "")[:MAX_LENGTH].split()


def fold(text: str) -> str:
    """Return the text without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def label_words(label: str, words: Sequence[str]) -> int:
    """Return how many of the words occur in the label; one that begins a word of it counts twice."""
    folded = f" {fold(label)}"
    return sum((fold(word) in folded) + (f" {fold(word)}" in folded) for word in words)


def contains_words(text: str, words: Iterable[str]) -> bool:
    """Return whether each of the words occurs in the text, without regard to case and accents."""
    folded = fold(text)
    return all(fold(word) in folded for word in words)


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
