from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from ...accounts.users import create_user, password_link, password_link_time
from ..base_command import FactuaryCommand


class Command(FactuaryCommand):
    help = "Create an active account and print a one-time link with which the person sets a password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="USER")
        parser.add_argument("--email", default="", metavar="E")
        parser.add_argument("--admin", action="store_true", help="may import data and sees every project")

    @transaction.atomic
    def work(self, **options: Any) -> None:
        user = create_user(options["username"], email=options["email"], admin=options["admin"])
        self.stdout.write(password_link(user))
        self.write_lines([f"the link works once, {password_link_time()}"])
