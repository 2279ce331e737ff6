from typing import Any

from django.core.management.base import CommandParser

from ...models import Membership
from ...projects.members import add_member
from ..base_command import FactuaryCommand, get_project, get_user


class Command(FactuaryCommand):
    help = "Set a user's role in a project. A user has one role; a second call changes it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", metavar="PROJECT")
        parser.add_argument("username", metavar="USER")
        parser.add_argument("--role", required=True, choices=Membership.Role.values)

    def work(self, **options: Any) -> None:
        project, user = get_project(options["project"]), get_user(options["username"])
        add_member(project, user, options["role"])
        self.write_lines([f"{user.username} is a {options['role']} of {project.slug}"])
        if not user.is_active:
            self.write_lines([f"{user.username} cannot sign in yet: create the account with create_user"])
