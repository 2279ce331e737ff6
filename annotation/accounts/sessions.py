"""The browsers in which a user is signed in (allauth's user sessions, stored at each sign-in)."""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.http import HttpRequest

from ..audit import record
from ..models import User
from ..site.database_clock import database_now

BROWSERS = {
    "Edge": r"Edg\w*/",
    "Opera": "OPR/",
    "Firefox": "Firefox/|FxiOS/",
    "Chrome": "Chrom|CriOS/",
    "Safari": "Safari/",
}
SYSTEMS = {
    "Windows": "Windows",
    "Android": "Android",
    "iOS": "iPhone|iPad",
    "macOS": "Mac OS X",
    "ChromeOS": "CrOS",
    "Linux": "Linux",
}


def sessions_of(user: User) -> list[UserSession]:
    """Return the user's sessions, the newest first; those that have ended otherwise are deleted."""
    return sorted(UserSession.objects.purge_and_list(user), key=lambda session: session.created_at, reverse=True)


@transaction.atomic
def end_sessions(user: User, sessions: Iterable[UserSession], *, actor: User | None = None) -> None:
    """Sign the user out in the browsers of these sessions."""
    ended = list(sessions)
    for session in ended:
        session.end()
    if ended:
        record(actor, "end sessions", f"user:{user.username}", after={"sessions": len(ended)})


def renew_key(request: HttpRequest, reauthenticated: bool = False, **_signal: Any) -> None:
    """Give the session a new key when its user has confirmed who they are. Django does so at a sign-in."""
    if reauthenticated:
        old = request.session.session_key
        request.session.cycle_key()
        UserSession.objects.filter(session_key=old).update(session_key=request.session.session_key)


def fix_lifetime(session: SessionBase) -> None:
    """End the session SESSION_COOKIE_AGE from now, also if its data changes meanwhile. Called at each sign-in."""
    session.set_expiry(database_now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))


def browser_of(session: UserSession) -> str:
    """Return browser and system, such as "Firefox · Linux"; "" if neither is known."""
    names = (
        next((name for name, pattern in names.items() if re.search(pattern, session.user_agent)), "")
        for names in (BROWSERS, SYSTEMS)
    )
    return " · ".join(name for name in names if name)
