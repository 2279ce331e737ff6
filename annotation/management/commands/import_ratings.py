"""Load ratings into a project."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import SourceFile, load_ratings
from ...importing.ratings import FORMATS
from ..base_command import FactuaryCommand, add_json, get_project
from ..mapping_arguments import add_label_arguments, labels_of_options


class Command(FactuaryCommand):
    help = (
        "Import ratings from an export or from another tool. They need neither lease nor membership "
        "and count at once. All or nothing; the same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="file of ratings, plain or gzip")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--format", choices=FORMATS, help="default: by the file's name, else by its content")
        add_label_arguments(parser)
        parser.add_argument("--replace", action="store_true", help="replace stored answers that differ")
        parser.add_argument("--dry-run", action="store_true", help="check and count everything, store nothing")
        add_json(parser)

    def work(self, **options: Any) -> None:
        project = get_project(options["project"])
        with self.progress() as progress:
            counts = load_ratings(
                SourceFile.named_as_given(options["path"]),
                project,
                format=options["format"],
                labels=labels_of_options(options),
                dry_run=options["dry_run"],
                replace=options["replace"],
                progress=progress,
            )
        self.show(counts.lines(), counts.as_json(), json_wanted=options["json"])
