from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import CommandParser

from ...judging.rereading import RereadCounts, reread_answers
from ..base_command import FactuaryCommand, add_json, get_project


class Command(FactuaryCommand):
    help = (
        "Read the stored replies of judges again: verdicts and Fact-QA scores that earlier states of 0.8.0-dev took "
        "from a draft in the reasoning are counted by judge and project, and corrected. A second run finds nothing to "
        "correct."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", metavar="SLUG", help="only this project (default: all)")
        parser.add_argument("--dry-run", action="store_true", help="count, and correct nothing")
        add_json(parser)

    def work(self, **options: Any) -> None:
        project = get_project(options["project"]) if options["project"] else None
        with self.progress() as progress:
            counts = reread_answers(project, corrects=not options["dry_run"], progress=progress)
        as_json = {
            "dry_run": options["dry_run"],
            "drafts": sum(each.drafts for each in counts),
            "corrected": sum(each.corrected for each in counts),
            "judges": [each.as_json() for each in counts],
        }
        self.show(list(_lines(counts, options["dry_run"])), as_json, json_wanted=options["json"])


def _lines(counts: Sequence[RereadCounts], dry_run: bool) -> Iterator[str]:
    if not counts:
        yield "no model judge has rated anything"
    for each in counts:
        numbers = {
            "taken from a draft": each.drafts,
            "no valid answer left": each.unreadable,
            "failed before, valid now": each.recovered,
            "stored verdict not from these replies": each.unclear,
            "without a stored reply": each.without_reply,
        }
        if not dry_run and each.wrong:
            numbers["corrected"] = each.corrected
        found = "".join(f", {name}: {number:,}" for name, number in numbers.items() if number)
        yield f"project {each.project}, judge {each.judge}: {each.results:,} read{found or ', nothing to correct'}"
