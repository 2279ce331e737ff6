from typing import Any

from django.core.management.base import CommandParser

from ...exporting.datasets import FORMATS, DatasetExport
from ..base_command import FactuaryCommand, add_output, get_project, record_written


class Command(FactuaryCommand):
    help = (
        "Write the project's data set with its ratings in the published format, as JSON Lines. "
        "Imported lines are written unchanged."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--format", required=True, choices=FORMATS)
        add_output(parser)

    def work(self, **options: Any) -> None:
        project = get_project(options["project"])
        export = DatasetExport(project, options["format"])
        record_written(project, export.filename, with_names=False)
        self.write_out(export, options["output"])
        self.write_lines([f"{export.lines:,} lines"])
