"""Invite people into a project, with an account or without.

A lead may add people with an account, and create accounts for new names. Only an admin can open a closed account or one
of a name that came with imported ratings: the user who opens an account could sign in as that person. For the same
reason only the creator of an account gets its password link, only until a password is set, and where the site sends
mail not even the creator: the link is mailed to the person.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string

from ..accounts.names import PersonError
from ..accounts.users import create_user, password_link
from ..models import AuditEvent, Membership, Project, User
from ..models.user_names import name_key
from .members import add_member

MAX_INVITED = 200
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Invitation:
    """The member, whether they need a link to set a password, and their role before; "" for a new member."""

    user: User
    is_new: bool
    previous_role: str


@dataclass(frozen=True)
class Invitee:
    """A line of a list of people to invite: a user name or email address, and the email address of a new account."""

    line: int
    username: str
    email: str = ""


class InvitationErrors(ValueError):
    """People who cannot be invited; `problems` names the line and the reason of each. Nobody was invited."""

    def __init__(self, problems: Sequence[tuple[int, str]]):
        self.problems = problems
        super().__init__("; ".join(f"{line}: {problem}" for line, problem in problems))


def own_role_problem(names: Iterable[str], actor: User) -> str:
    """Return why a lead may not invite whom these names or addresses name: themselves. Empty if they may."""
    own_names = {name_key(actor.username), name_key(actor.email)}
    if not actor.is_admin and own_names & {name_key(name) for name in names if name}:
        return "You cannot change your own role. Ask another lead or an admin."
    return ""


@transaction.atomic
def invite_people(project: Project, people: Sequence[Invitee], role: str, *, actor: User) -> list[Invitation]:
    """Invite all, or nobody. Raises InvitationErrors."""
    invitations, problems, invited_users = [], [], set()
    for person in people:
        try:
            invited = invite(project, person.username, role, email=person.email, actor=actor)
        except PersonError as error:
            problems.append((person.line, str(error)))
            continue
        if invited.user.pk in invited_users:
            problems.append((person.line, f"{person.username!r} is listed twice"))
        invited_users.add(invited.user.pk)
        invitations.append(invited)
    if problems:
        raise InvitationErrors(problems)
    return invitations


@transaction.atomic
def invite(project: Project, username: str, role: str, *, email: str = "", actor: User) -> Invitation:
    """Give the user with this name or email address a role; create a missing account. Raises PersonError."""
    user = _find_user(username) or (_find_user(email) if email else None)
    if user is None:
        if settings.EMAIL_HOST and not email and not actor.is_admin:
            raise PersonError(
                f"the new account of {username!r} needs an email address, to which its link is sent: write it after "
                "the user name",
                field="email",
            )
        user, is_new = create_user(username, email=email, actor=actor), True
    elif user.is_active:
        is_new = may_have_link(user, actor)
    elif actor.is_admin:
        user, is_new = create_user(user.username, email=email or user.email, actor=actor), True
    else:
        raise PersonError(
            f"the name {user.username!r} belongs to a closed account or to imported ratings: ask an admin to reopen "
            "the account"
        )
    previous_role = project.memberships.filter(user=user).values_list("role", flat=True).first() or ""
    add_member(project, user, role, actor=actor)
    return Invitation(user, is_new, previous_role)


def _find_user(name: str) -> User | None:
    user = User.objects.named(name)
    if "@" in name and not (user and user.is_active):
        user = User.objects.filter(email__iexact=name).order_by("-is_active", "pk").first() or user
    return user


def may_have_link(user: User, actor: User) -> bool:
    """Return whether `actor` created the account of `user`, who has no password yet and is not an admin."""
    if not user.is_active or user.is_superuser or user.has_usable_password():
        return False
    creations = AuditEvent.objects.filter(action="create user", target__in=user.audit_targets)
    creation = creations.order_by("-at", "-id").first()
    return creation is not None and creation.actor_id == actor.pk


def mail_invitations(
    project: Project, invitations: Sequence[Invitation], role: str, *, actor: User
) -> dict[Invitation, bool | None]:
    """Mail the invitations. Return whether the mail server accepted each; None if there is no server or no address."""
    is_sent: dict[Invitation, bool | None] = {}
    for invited in invitations:
        if not settings.EMAIL_HOST or not invited.user.email:
            is_sent[invited] = None
            continue
        values = {
            "project": project,
            "invited": invited.user,
            "by": actor,
            "role": Membership.Role(role).label.lower(),
            "link": password_link(invited.user) if invited.is_new else "",
            "site": settings.SITE_URL,
        }
        try:
            text = render_to_string("projects/invitation.txt", values)
            send_mail(f"Invitation to {project.title}", text, None, [invited.user.email])
            is_sent[invited] = True
        except (OSError, SMTPException):
            log.exception("the invitation to %s could not be mailed", invited.user.username)
            is_sent[invited] = False
    return is_sent
