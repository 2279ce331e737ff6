"""The report of this moment, as a file or on standard output."""

from typing import Any

from django.core.management.base import CommandParser

from ... import reporting
from ...exporting import tables
from ...jobs import Refused
from ..base import FactuaryCommand, add_output, project_named


class Command(FactuaryCommand):
    help = (
        "Builds the report of a project from the ratings that count, with all its intervals, and writes it as JSON, "
        "CSV, Markdown, LaTeX (booktabs) or a page of HTML. "
        "The same data, protocol, seed and resamples give the same bytes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG", help="whose report")
        parser.add_argument("--format", choices=tables.FORMATS, default="json", help="default: json")
        parser.add_argument("--seed", type=int, default=reporting.SEED, help="of the resamples; default: %(default)s")
        parser.add_argument(
            "--resamples", type=int, default=reporting.RESAMPLES, help="of the bootstrap; default: %(default)s"
        )
        add_output(parser)

    def work(self, **options: Any) -> None:
        project = project_named(options["project"])
        choices, problems = reporting.Choices.from_mapping(options)
        if problems:
            raise Refused(f"--{field}: {' '.join(lines)}" for field, lines in problems.items())
        report = reporting.build(project, choices, agreement_intervals=True)
        self.write_out([tables.render(report, options["format"]).encode()], options["output"])
