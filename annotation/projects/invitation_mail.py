"""Emails to invited people, for a new account with the link to set its password."""

import logging
from collections.abc import Sequence
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

from ..accounts.users import password_link
from ..models import Membership, Project, User
from .invitations import Invitation

log = logging.getLogger(__name__)


def mail_invitations(
    project: Project, invitations: Sequence[Invitation], role: str, *, actor: User
) -> dict[Invitation, bool | None]:
    """Mail the invitations. Return whether the mail server accepted each; None if there is no server or no address."""
    role_name = Membership.Role(role).label.lower()
    return {
        invited: _mail(project, invited, role_name, actor) if settings.EMAIL_HOST and invited.user.email else None
        for invited in invitations
    }


def _mail(project: Project, invited: Invitation, role_name: str, actor: User) -> bool:
    values = {
        "project": project,
        "invited": invited.user,
        "by": actor,
        "role": role_name,
        "link": password_link(invited.user) if invited.is_new else "",
        "site": settings.SITE_URL,
    }
    try:
        text = render_to_string("projects/invitation.txt", values)
        send_mail(f"Invitation to {project.title}", text, None, [invited.user.email])
    except (OSError, SMTPException):
        log.exception("the invitation to %s could not be mailed", invited.user.username)
        return False
    return True
