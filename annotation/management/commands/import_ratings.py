from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import SourceFile, load_ratings
from ...importing.ratings import FORMATS
from ...jobs import Progress
from ..base_command import Counts, ImportCommand, get_project
from ..mapping_arguments import LABELS


class Command(ImportCommand):
    help = (
        "Import ratings from an export or from another tool. They need neither lease nor membership "
        "and count at once. All or nothing; the same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="file of ratings, plain or gzip")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--format", choices=FORMATS, help="default: by the file's name, else by its content")
        LABELS.add(parser)
        parser.add_argument("--replace", action="store_true", help="replace stored answers that differ")
        super().add_arguments(parser)

    def load(self, options: dict[str, Any], *, dry_run: bool, progress: Progress) -> Counts:
        project = get_project(options["project"])
        return load_ratings(
            SourceFile.named_as_given(options["path"]),
            project,
            format=options["format"],
            labels=LABELS.read(options),
            dry_run=dry_run,
            replace=options["replace"],
            progress=progress,
        )
