from typing import Any

from ...rating.tally_check import find_tally_differences
from ..base_command import BAD_INPUT, FactuaryCommand


class Command(FactuaryCommand):
    help = "Recount all ratings and compare them with the tally that reports use. Exit with 1 on any difference."

    def work(self, **options: Any) -> None:
        mismatches = find_tally_differences()
        if mismatches:
            self.stdout.write("\n".join(mismatches))
            self.write_lines([f"rows of the tally that differ from the ratings: {len(mismatches):,}"])
            raise SystemExit(BAD_INPUT)
        self.write_lines(["the tally equals the ratings"])
