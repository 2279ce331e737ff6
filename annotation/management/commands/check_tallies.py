"""Count all ratings anew and compare with the tally."""

from typing import Any

from ...rating.tally_check import differences
from ..base_command import BAD_INPUT, FactuaryCommand


class Command(FactuaryCommand):
    help = "Recount every rating and compare with the tally that reports are made of. Exit code 1 on any difference."

    def work(self, **options: Any) -> None:
        found = differences()
        if found:
            self.stdout.write("\n".join(found))
            self.say([f"{len(found):,} rows of the tally differ from the ratings"])
            raise SystemExit(BAD_INPUT)
        self.say(["the tally agrees with the ratings"])
