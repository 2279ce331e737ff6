from typing import Any

from django.core.management.base import CommandParser

from ...accounts.tokens import revoke_token, token_with_prefix
from ..base_command import FactuaryCommand


class Command(FactuaryCommand):
    help = "Revoke an API token permanently."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("prefix", metavar="PREFIX", help="as list_tokens shows it, or the part that tells it apart")

    def work(self, **options: Any) -> None:
        token = token_with_prefix(options["prefix"])
        revoke_token(token)
        self.write_lines([f"revoked {token.prefix} of {token.user.username}"])
