from typing import Any

from django.core.management.base import CommandParser

from ...accounts.users import rename_user
from ..base_command import FactuaryCommand, get_user


class Command(FactuaryCommand):
    help = "Change a user name. Ratings, data hashes, reports and exports keep the name from before the first change."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="USER")
        parser.add_argument("new_name", metavar="NEW_NAME")

    def work(self, **options: Any) -> None:
        user = get_user(options["username"])
        rename_user(user, options["new_name"])
        user.refresh_from_db()
        self.write_lines([f"{options['username']} is now {user.username}"])
