import sys
from typing import Any

from django.core.management.base import CommandParser

from ...jobs import Refused
from ...privacy.erase import check_erasable, erase_person, preview_erasure
from ...privacy.receipts import as_json
from ..base_command import FactuaryCommand, add_output, get_user


class Command(FactuaryCommand):
    help = (
        "Erase a person: the account becomes a pseudonym, and the ratings stay under it. This cannot be undone. Prints "
        "the receipt as JSON. On a terminal it asks first (docs/privacy.md)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="USER")
        parser.add_argument("--dry-run", action="store_true", help="print what would be erased, and change nothing")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        add_output(parser)

    def work(self, **options: Any) -> None:
        user = get_user(options["username"])
        check_erasable(user)
        if not (options["dry_run"] or options["yes"]) and sys.stdin.isatty():
            self.write_lines([f"Erase {user.username}? Ratings stay under a pseudonym. This cannot be undone."])
            if input("User name to confirm: ") != user.username:
                raise Refused(["nothing was erased: the user name is another one"])
        receipt = preview_erasure(user) if options["dry_run"] else erase_person(user)
        self.write_out([as_json(receipt).encode()], options["output"])
        verb = "would become" if options["dry_run"] else "is now"
        self.write_lines([f"{options['username']} {verb} {receipt['pseudonym']}"])
