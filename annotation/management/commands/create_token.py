from typing import Any

from django.core.management.base import CommandParser

from ...accounts.tokens import create_token
from ...models import ApiToken
from ..base_command import FactuaryCommand, get_project, get_user


class Command(FactuaryCommand):
    help = (
        "Create a token with a user's rights and print only the token. Programs send it as "
        "`Authorization: Token …`. It is stored hashed and cannot be shown again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="USER")
        parser.add_argument(
            "--scope",
            choices=ApiToken.Scope.values,
            default=ApiToken.Scope.FULL,
            help="full: all rights of the user (default); read: only GET; rate: only a rater's work; "
            "lead: what leads do, without rating; admin: what admins do, without rating",
        )
        parser.add_argument("--project", metavar="SLUG", help="limit it to this project")
        parser.add_argument("--expires", type=int, metavar="DAYS", help="days until it expires (default: never)")
        parser.add_argument("--name", default="", metavar="TEXT", help="what it is for, shown in lists")

    def work(self, **options: Any) -> None:
        key, _ = create_token(
            get_user(options["username"]),
            name=options["name"],
            scope=options["scope"],
            project=get_project(options["project"]) if options["project"] else None,
            days=options["expires"],
        )
        self.stdout.write(key)
