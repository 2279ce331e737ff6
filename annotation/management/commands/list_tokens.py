"""List API tokens."""

from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser

from ...accounts.tokens import all_tokens
from ...models import ApiToken
from ..base_command import FactuaryCommand, get_user, one_line

COLUMNS = ("PREFIX", "USER", "SCOPE", "PROJECT", "CREATED", "EXPIRES", "LAST USED", "STATE", "NAME")


class Command(FactuaryCommand):
    help = "List the API tokens of a user, or all, with the revoked ones. The keys themselves are not stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="USER", nargs="?")

    def work(self, **options: Any) -> None:
        tokens = all_tokens()
        if options["username"]:
            tokens = tokens.filter(user=get_user(options["username"]))
        rows = [COLUMNS, *(_cells(token) for token in tokens)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            self.stdout.write("  ".join(cells).rstrip())


def _cells(token: ApiToken) -> tuple[str, ...]:
    times = (_minute(token.created_at), _minute(token.expires_at, "never"), _minute(token.last_used_at, "never"))
    project = token.project.slug if token.project else "all"
    state = token.state.value if token.user.is_active else "account closed"
    return (token.prefix, token.user.username, token.scope, project, *times, state, one_line(token.name))


def _minute(time: datetime | None, never: str = "") -> str:
    return f"{time:%Y-%m-%d %H:%M}" if time else never
