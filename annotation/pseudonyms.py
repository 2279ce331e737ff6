"""Pseudonyms of a project's raters, and who sees them in place of names.

Each rater has one pseudonym in a project, the same on pages, in the API and in files. In a project that hides raters,
everybody but site admins sees it. `access.project_for` activates this for the rest of a request, as Django does with a
language: `str(user)` and `accounts.display_names` then return what the viewer may see. What passes on a user name in
another form (an address, a field of a form or of the API) asks `active`.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from hashlib import sha256
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db.models import Q

from .models import Assignment, Membership, Project, Rating, User
from .models.users import shown_name
from .site.secret_key import secret_key

NOBODY = "?" * 150
"""The start of a name that no account can have: user names are at most this long, and something follows."""


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

    Named are the viewer, admins, and leads of the project; everybody else, former members too, has a pseudonym.
    """

    def __init__(self, project: Project, viewer: User):
        super().__init__(project)
        self.project = project
        self._viewer = viewer.username

    def is_named(self, user: User) -> bool:
        """Return whether the viewer sees the person's name."""
        return user.is_superuser or user.username in self._named

    def of_user(self, user: User) -> str:
        """Return the name or the pseudonym of a person."""
        return user.own_name if self.is_named(user) else self.pseudonym(user.username)

    def pseudonym(self, name: str) -> str:
        """Return what identifies a person to the viewer: the user name or the pseudonym. A pseudonym stays as it is."""
        if name.startswith(NOBODY) or name in self._named or name in self._usernames:
            return name.removeprefix(NOBODY)
        return super().pseudonym(name)

    def username(self, shown: str) -> str:
        """Return the user name of what `pseudonym` returned; for all else, also a hidden name, one that nobody has."""
        return shown if shown in self._named else self._usernames.get(shown, f"{NOBODY}{shown}")

    @cached_property
    def _named(self) -> set[str]:
        leads = Q(memberships__project=self.project, memberships__role=Membership.Role.LEAD)
        names = User.objects.filter(leads | Q(is_superuser=True)).order_by().values_list("username", flat=True)
        return {self._viewer, *names}

    @cached_property
    def _usernames(self) -> dict[str, str]:
        rows = (Membership, "user"), (Assignment, "rater"), (Rating, "rater")
        of_project = (Q(pk__in=model.objects.filter(project=self.project).values(field)) for model, field in rows)
        people = User.objects.filter(Q(*of_project, _connector=Q.OR)).order_by().values_list("username", flat=True)
        return {super(HiddenNames, self).pseudonym(name): name for name in people if name not in self._named}


_active: ContextVar[HiddenNames | None] = ContextVar("hidden_names", default=None)
_disclosed: ContextVar[tuple[User, Project] | None] = ContextVar("disclosed_names", default=None)


def names_for(project: Project, viewer: User) -> HiddenNames | None:
    """Return how the viewer sees the project's people; None if by name."""
    return HiddenNames(project, viewer) if project.hides_raters and not viewer.is_admin else None


def activate(project: Project, viewer: User) -> None:
    """Show the project's raters to this viewer under pseudonyms, if they are hidden from the viewer. Names that another
    project of the request hides stay hidden.
    """
    if names := names_for(project, viewer):
        _set(names)
    elif project.hides_raters:
        _disclosed.set((viewer, project))


def active() -> HiddenNames | None:
    """Return the names that are hidden now; None if people appear by name."""
    return _active.get()


def disclosed() -> tuple[User, Project] | None:
    """Return the admin who may have seen names since `reset`, and the project that hides them."""
    return _disclosed.get()


def reset() -> None:
    """Show people by name, as at the start of a request."""
    _set(None)
    _disclosed.set(None)


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


def username_of(shown: str) -> str:
    """Return the user name of what `shown_rater` has returned."""
    names = active()
    return names.username(shown) if names else shown


def in_shown_order(rows: Iterable[Any], name: Callable[[Any], Any]) -> list[Any]:
    """Return the rows by their pseudonyms where names are hidden, as the order of names would reveal them; else as they
    are.
    """
    return sorted(rows, key=name) if active() else list(rows)
