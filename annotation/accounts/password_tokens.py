"""The keys of links with which people set a password."""

from datetime import datetime

from allauth.account.forms import EmailAwarePasswordResetTokenGenerator

from ..site.database_clock import database_now


class PasswordTokenGenerator(EmailAwarePasswordResetTokenGenerator):
    """Keys that end by the database's clock."""

    def _now(self) -> datetime:
        return database_now().astimezone().replace(tzinfo=None)  # as datetime.now(), which Django's has
