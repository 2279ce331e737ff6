"""Django's command, with the site's rules for user names."""

from typing import Any

from django.contrib.auth.management.commands import createsuperuser

from ...accounts.names import PersonError, valid_username


class Command(createsuperuser.Command):
    """Unlike `create_user --admin`, it asks for the password."""

    def _validate_username(self, username: Any, verbose_field_name: Any, database: Any) -> str | None:
        problem: str | None = super()._validate_username(username, verbose_field_name, database)  # type: ignore[misc]
        if problem:
            return problem
        try:
            valid_username(username)
        except PersonError as error:
            return str(error)
        return None
