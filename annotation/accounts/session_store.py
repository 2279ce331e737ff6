"""Sessions in the database, as Django's, loaded by a composed query: every request of a signed-in person loads one."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session

from ..site.composed_queries import ComposedQuery
from ..site.database_clock import database_now

_SESSION = ComposedQuery(lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now), 2)
_BACKENDS_OF_0_7_1 = {
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
}


class SessionStore(db.SessionStore):
    """Django's store, with a faster `load`."""

    def _get_session_from_db(self) -> Session | None:
        session = _SESSION.first(self.session_key, database_now())
        if session is None:
            self._session_key = None
        return session

    def get_expiry_age(self, **kwargs: Any) -> int:
        """Return the seconds until the session ends, by the database's clock."""
        return super().get_expiry_age(**{"modification": database_now(), **kwargs})

    def get_expiry_date(self, **kwargs: Any) -> datetime:
        """Return when the session ends, by the database's clock."""
        return super().get_expiry_date(**{"modification": database_now(), **kwargs})

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """Return the values of a session. One of 0.7.1 gets the backend that replaced its own: an upgrade signs no
        person out."""
        values: dict[str, Any] = super().decode(session_data)
        if values.get(BACKEND_SESSION_KEY) in _BACKENDS_OF_0_7_1:
            [values[BACKEND_SESSION_KEY]] = settings.AUTHENTICATION_BACKENDS
        return values
