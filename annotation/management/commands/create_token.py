"""Create an API token for a user."""

from typing import Any

from django.core.management.base import CommandParser

from ...accounts.tokens import create_token
from ..base_command import FactuaryCommand, get_user


class Command(FactuaryCommand):
    help = (
        "Create a token with a user's rights and print only the token. Programs send it as "
        "`Authorization: Token …`. It is stored hashed and cannot be shown again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="USER")

    def work(self, **options: Any) -> None:
        self.stdout.write(create_token(get_user(options["username"])))
