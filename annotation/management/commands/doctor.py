from typing import Any

from django.core.management.base import CommandParser

from ...doctor import FAILED, OK, WARNING, examine
from ..base_command import BAD_INPUT, FactuaryCommand


class Command(FactuaryCommand):
    help = (
        "Check settings, migrations, clocks, disk space, storage, database, broker, worker, beat, email server, proxy "
        "and backups. Prints a line per part: ok, warning or failed, with what to do. Exit with 1 if a part failed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def work(self, **options: Any) -> None:
        findings = examine()
        states = {finding.state for finding in findings}
        state = next((state for state in (FAILED, WARNING) if state in states), OK)
        as_json = {"status": state, "checks": [finding.to_dict() for finding in findings]}
        self.show([finding.line() for finding in findings], as_json, json_wanted=options["json"])
        if state == FAILED:
            raise SystemExit(BAD_INPUT)
