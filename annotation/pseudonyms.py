"""Pseudonyms of a project's raters, and who sees them in place of names.

Each rater has one pseudonym in a project, the same on pages, in the API and in files. In a project that hides raters,
everybody but site admins sees it. `access.project_for` activates this for the rest of a request, as Django does with a
language: `str(user)` and `accounts.names.DisplayNames` then return what the viewer may see. What passes on a user name
in another form (an address, a field of a form or of the API) asks `active`.
"""

import hmac
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from hashlib import sha256
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.models import Case, CharField, F, Q, QuerySet, Value, When

from .models import Membership, Project, User
from .models.users import shown_name
from .site.secret_key import secret_key

UNKNOWN_NAME_PREFIX = "?" * 150
"""The start of a name that no account can have: user names are at most this long, and something follows."""


# One index lookup for each user, so that the time does not grow with the ratings: the first row in the order of the
# index, from this user and project on, is theirs, or there is none. With EXISTS, PostgreSQL reads all of the project.
_USERNAMES = """
    SELECT username, coalesce(original_name, username) FROM annotation_user person
    WHERE id IN (SELECT user_id FROM annotation_membership WHERE project_id = %(project)s)
    OR (
        SELECT (rater_id, project_id) = (person.id, %(project)s) FROM annotation_assignment
        WHERE (project_id, rater_id) >= (%(project)s, person.id) ORDER BY project_id, rater_id LIMIT 1
    ) OR (
        SELECT (rater_id, project_id) = (person.id, %(project)s) FROM annotation_rating
        WHERE (rater_id, project_id) >= (person.id, %(project)s) ORDER BY rater_id, project_id LIMIT 1
    )
"""
_PSEUDONYM = re.compile("rater-[0-9a-f]{12}")


class Pseudonyms:
    """A name for each rater that is the same everywhere in a project, and differs between projects.

    HMAC-SHA256 of the user name, keyed with the site's SECRET_KEY and the project: without the key, trying names does
    not reveal the rater. Raises ImproperlyConfigured without a key.
    """

    def __init__(self, project: Project):
        if not (secret := secret_key()):
            raise ImproperlyConfigured("SECRET_KEY is not set: pseudonyms are made with it; set it to the server's")
        scope = f"factuary.pseudonym:{project.pk}:{project.created_at.isoformat()}"
        self._key = hmac.digest(secret.encode(), scope.encode(), sha256)
        self._known: dict[str, str] = {}

    def pseudonym(self, name: str) -> str:
        """Return the pseudonym of the rater with this user name."""
        if name not in self._known:
            self._known[name] = f"rater-{hmac.digest(self._key, name.encode(), sha256).hex()[:12]}"
        return self._known[name]

    def of_hash(self, data_sha256: str) -> str:
        """Return a keyed hash that replaces a hash of data with names: the same for the same data."""
        return hmac.digest(self._key, f"data:{data_sha256}".encode(), sha256).hex()


class HiddenNames(Pseudonyms):
    """The people of a project that hides its raters, as a viewer who is no admin sees them.

    Named are the viewer, admins, judges, and leads of the project; everybody else, former members too, has a pseudonym.
    `other` is what another project of the same request hides: who has no name there has none here, and its pseudonyms
    lead back to its people.
    """

    def __init__(self, project: Project, viewer: User, other: "HiddenNames | None" = None):
        super().__init__(project)
        self.project = project
        self.viewer = viewer
        self._other = other

    def is_named(self, user: User) -> bool:
        """Return whether the viewer sees the person's name."""
        return user.is_superuser or user.username in self._named

    def of_user(self, user: User) -> str:
        """Return the name or the pseudonym of a person."""
        return user.own_name if self.is_named(user) else self.pseudonym(user.username)

    def pseudonym(self, name: str) -> str:
        """Return what identifies a person to the viewer: the user name or the pseudonym. A pseudonym stays as it is."""
        if name.startswith(UNKNOWN_NAME_PREFIX) or name in self._named or self._has_given(name):
            return name.removeprefix(UNKNOWN_NAME_PREFIX)
        return super().pseudonym(self._people[1].get(name, name))

    def username(self, name: str) -> str:
        """Return the user name of what `pseudonym` returned; for all else, also a hidden name, one that nobody has."""
        if (username := stored_name(name)) in self._named:
            return username
        if name in self._usernames or self._other is None:
            return self._usernames.get(name, f"{UNKNOWN_NAME_PREFIX}{name}")
        return self._other.username(name)

    def _has_given(self, name: str) -> bool:
        """Return whether the name is a pseudonym of these people."""
        if not _PSEUDONYM.fullmatch(name):
            return False
        return name in self._usernames or (self._other is not None and self._other._has_given(name))

    @property
    def _named(self) -> set[str]:
        return self._people[0]

    @cached_property
    def _people(self) -> tuple[set[str], dict[str, str]]:
        """The names of people who are not hidden, and the names in data of those who were renamed."""
        leads = Membership.objects.filter(project=self.project, role=Membership.Role.LEAD).values("user")
        is_named = Q(pk__in=leads) | Q(is_superuser=True) | Q(judge__isnull=False) | Q(pk=self.viewer.pk)
        people = User.objects.annotate(is_named=is_named).filter(Q(is_named=True) | Q(original_name__isnull=False))
        rows = list(people.order_by().values_list("username", "original_name", "is_named"))
        names = {name for username, original, shown in rows if shown for name in (username, original) if name}
        renamed = {username: original for username, original, _shown in rows if original}
        return names & self._other._named if self._other else names, renamed

    @cached_property
    def _usernames(self) -> dict[str, str]:
        people = usernames_of(self.project).items()
        return {super(HiddenNames, self).pseudonym(name): user for user, name in people if user not in self._named}


def judge_names() -> set[str]:
    """Return the user names of judges: they are no people, and have no pseudonyms."""
    return set(User.objects.filter(judge__isnull=False).order_by().values_list("username", flat=True))


def usernames_of(project: Project) -> dict[str, str]:
    """Return the user names of the members and of all who have rated, who may be imported, with their names in data."""
    with connection.cursor() as cursor:
        cursor.execute(_USERNAMES, {"project": project.pk})
        return dict(cursor.fetchall())


_active: ContextVar[HiddenNames | None] = ContextVar("hidden_names", default=None)
_disclosed: ContextVar[tuple[tuple[User, Project], ...]] = ContextVar("disclosed_names", default=())


def names_for(project: Project, viewer: User, other: HiddenNames | None = None) -> HiddenNames | None:
    """Return how the viewer sees the project's people, beside those of another project; None if by name."""
    return HiddenNames(project, viewer, other) if project.hides_raters and not viewer.is_admin else None


def activate(project: Project, viewer: User) -> None:
    """Show the project's raters to this viewer under pseudonyms, if they are hidden from the viewer. Names that another
    project of the request hides stay hidden.
    """
    before = active()
    if before and (before.project, before.viewer) == (project, viewer):
        return
    if names := names_for(project, viewer, before):
        _set(names)
    elif project.hides_raters and (viewer, project) not in disclosed():
        _disclosed.set((*disclosed(), (viewer, project)))


def active() -> HiddenNames | None:
    """Return the names that are hidden now; None if people appear by name."""
    return _active.get()


def disclosed() -> tuple[tuple[User, Project], ...]:
    """Return the admin who may have seen names since `reset` with each project that hides them."""
    return _disclosed.get()


def reset() -> None:
    """Show people by name, as at the start of a request."""
    _set(None)
    _disclosed.set(())


def _set(names: HiddenNames | None) -> None:
    _active.set(names)
    shown_name.set(names.of_user if names else None)


@contextmanager
def as_seen_by(viewer: User, project: Project | None) -> Iterator[None]:
    """Show people within the context as the viewer sees those of the project."""
    before = active()
    if project:
        _set(names_for(project, viewer))
    try:
        yield
    finally:
        _set(before)


def shown_rater(username: str) -> str:
    """Return what identifies a rater in addresses, forms and the API: the pseudonym where names are hidden."""
    names = active()
    return names.pseudonym(username) if names else username


def shown_username(user: User) -> str:
    """Return the same as `shown_rater` of a person."""
    return shown_rater(user.username)


def username_of(name: str) -> str:
    """Return the user name of what `shown_rater` has returned, or of another spelling of it."""
    names = active()
    return names.username(name) if names else stored_name(name)


def data_name_of(name: str) -> str:
    """Return the name in reports and exports of what `shown_rater` has returned, or of another spelling of it."""
    names = active()
    return stored_name(names.username(name) if names else name, in_data=True)


def stored_name(name: str, *, in_data: bool = False) -> str:
    """Return the user name as its account has it, or the name that data have; a name that nobody has as it is."""
    person = User.objects.in_data([name]).get(name)
    return (person.name_in_data if in_data else person.username) if person else name


def members_in_shown_order(project: Project) -> QuerySet[Membership]:
    """Return the members of the active project with `shown`, their names or pseudonyms, by which they are sorted.

    The order of joining would tell a lead of two projects who they are.
    """
    rows = project.memberships.select_related("user")
    names = active()
    shown = [When(pk=row.pk, then=Value(names.pseudonym(row.user.username))) for row in rows] if names else []
    return rows.annotate(shown=Case(*shown, default=F("user__username"), output_field=CharField())).order_by("shown")


def in_shown_order(rows: Iterable[Any], name: Callable[[Any], Any]) -> list[Any]:
    """Return the rows by their pseudonyms where names are hidden, as the order of names would reveal them; else as they
    are.
    """
    return sorted(rows, key=name) if active() else list(rows)
