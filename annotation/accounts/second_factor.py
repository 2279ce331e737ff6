"""The second factor of an account: authenticator app, passkeys and security keys, recovery codes (allauth's MFA)."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import transaction

from ..access import projects_led_by
from ..audit import record
from ..models import User
from .sessions import end_sessions

FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""What counts as a second factor; recovery codes come with one."""


def has_second_factor(user: User) -> bool:
    """Return whether the user has an authenticator app, passkey or security key."""
    return Authenticator.objects.filter(user=user, type__in=FACTORS).exists()


def must_add_second_factor(user: User) -> bool:
    """Return whether the site requires a second factor that this lead or admin has not added."""
    if not settings.REQUIRE_SECOND_FACTOR:
        return False
    return (user.is_admin or projects_led_by(user).exists()) and not has_second_factor(user)


@transaction.atomic
def remove_second_factor(user: User, *, actor: User | None = None) -> bool:
    """Remove all factors of a user who lost them, and sign the user out everywhere. Return whether there were any."""
    removed, _rows = Authenticator.objects.filter(user=user).delete()
    if removed:
        end_sessions(user, UserSession.objects.filter(user=user), actor=actor)
        record(actor, "remove second factor", f"user:{user.username}")
    return bool(removed)


def record_added(user: User, authenticator: Authenticator, **_signal: Any) -> None:
    record(user, "add second factor", f"user:{user.username}", after={"type": authenticator.type})


def record_removed(user: User, authenticator: Authenticator, **_signal: Any) -> None:
    record(user, "remove second factor", f"user:{user.username}", before={"type": authenticator.type})


def record_used(user: User, authenticator: Authenticator, **_signal: Any) -> None:
    """Record the use of a recovery code: somebody who found the list could be using it."""
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        record(user, "use recovery code", f"user:{user.username}")
