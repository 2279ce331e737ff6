"""Inviting somebody into a project, with an account or without one yet.

A lead may bring in whoever has an account, and make accounts for new names. A name that came with imported ratings, or
a closed account, is for an admin to open: whoever opened it could sign in as that person. For the same reason only who
made an account gets its link, and only until a password is set.
"""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from ..accounts.users import PersonError, create_user
from ..models import AuditEvent, Project, User
from .members import add_member


@dataclass(frozen=True)
class Invitation:
    """Who is in now, and whether they need a link to set a password with."""

    user: User
    is_new: bool


@transaction.atomic
def invite(project: Project, username: str, role: str, *, email: str = "", actor: User) -> Invitation:
    """Give the person called `username` (or with that e-mail address) a role, making the account if there is none.

    Raises PersonError.
    """
    found = _person(username) or (_person(email) if email else None)
    if found is None:
        found, is_new = create_user(username, email=email, actor=actor), True
    elif found.is_active:
        is_new = may_have_link(found, actor)
    elif actor.is_admin:
        found, is_new = create_user(found.username, email=email or found.email, actor=actor), True
    else:
        raise PersonError(
            _("the name %(username)s belongs to a closed account or to imported ratings: ask an admin to open it")
            % {"username": repr(found.username)}
        )
    add_member(project, found, role, actor=actor)
    return Invitation(found, is_new)


def _person(given: str) -> User | None:
    by_mail = Q(email__iexact=given) if "@" in given else Q(pk=None)
    return User.objects.filter(Q(username__iexact=given) | by_mail).order_by("-is_active", "pk").first()


def may_have_link(user: User, actor: User) -> bool:
    """Whether `actor` made the account of `user`, who has no password yet and no more rights than anybody."""
    if not user.is_active or user.is_superuser or user.has_usable_password():
        return False
    made = (
        AuditEvent.objects.filter(action="create user", target=f"user:{user.username}").order_by("-at", "-id").first()
    )
    return made is not None and made.actor_id == actor.pk
