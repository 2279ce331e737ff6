from typing import Any

from django.core.management.base import CommandParser

from ...accounts.second_factor import remove_second_factor
from ..base_command import FactuaryCommand, get_user


class Command(FactuaryCommand):
    help = "Remove the second factor of a user who lost it, and sign the user out everywhere."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="USER")

    def work(self, **options: Any) -> None:
        user = get_user(options["username"])
        removed = remove_second_factor(user)
        state = "removed" if removed else "there is none"
        self.write_lines([f"second factor of {user.username}: {state}"])
