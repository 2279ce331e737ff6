"""API tokens: keys with which a user's programs sign in."""

import hashlib
import secrets

from django.db import transaction
from django.utils.translation import gettext as _

from ..audit import record
from ..models import ApiToken, User
from .users import PersonError


@transaction.atomic
def create_token(user: User, *, actor: User | None = None) -> str:
    """Create a key for the user's programs. It is shown once; only its digest is stored. Raises PersonError."""
    if not user.is_active:
        raise PersonError(
            _("user %(username)s is not active, so a token would have no effect") % {"username": repr(user.username)}
        )
    key = secrets.token_urlsafe(32)
    ApiToken.objects.create(user=user, digest=token_digest(key))
    record(actor, "create token", f"user:{user.username}")
    return key


def token_digest(key: str) -> str:
    """Return the hexadecimal SHA-256 of a key. Keys are long and random, so they need no slow hash."""
    return hashlib.sha256(key.encode()).hexdigest()
