from typing import Any

from django.core.management.base import CommandParser

from ...accounts.tokens import all_tokens
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
        rows: list[tuple[str, ...]] = [COLUMNS]
        for token in tokens:
            times = (token.created_at, token.expires_at, token.last_used_at)
            project = token.project.slug if token.project else "all"
            state = token.state.value if token.user.is_active else "account closed"
            minutes = (f"{time:%Y-%m-%d %H:%M}" if time else "never" for time in times)
            rows.append(
                (token.prefix, token.user.username, token.scope, project, *minutes, state, one_line(token.name))
            )
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            self.stdout.write("  ".join(cells).rstrip())
