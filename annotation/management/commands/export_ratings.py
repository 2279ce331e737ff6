import sys
from typing import Any

from django.core.management.base import CommandParser

from ...exporting import FORMATS, RatingsExport
from ...jobs import Refused
from ..base_command import FactuaryCommand, add_output, get_project, record_written


class Command(FactuaryCommand):
    help = (
        "Write the ratings that count, and those of gold answers, judges and adjudicators, one per "
        "line or row. docs/export-columns.md describes the columns. import_ratings reads jsonl and "
        "csv."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--format", required=True, choices=FORMATS)
        parser.add_argument(
            "--pseudonymous",
            action="store_true",
            help="use pseudonyms, the same in all exports of a project",
        )
        add_output(parser)

    def work(self, **options: Any) -> None:
        project = get_project(options["project"])
        if options["format"] == "parquet" and options["output"] is None and sys.stdout.isatty():
            raise Refused(["Parquet cannot be written to a terminal: name a file with --output"])
        export = RatingsExport(project, options["format"], pseudonymous=options["pseudonymous"])
        record_written(project, export.filename, with_names=not options["pseudonymous"])
        self.write_out(export, options["output"])
        self.write_lines([f"{export.rows:,} ratings"])
        self.write_lines(f"excluded: {n:,} × {reason}" for reason, n in export.left_out.items())
