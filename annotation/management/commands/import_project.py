import re
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import SourceFile
from ...importing.annotation_tools import TOOLS
from ...importing.project_imports import ProjectSource, import_project, protocol_named
from ...jobs import Progress
from ..base_command import Counts, ImportCommand
from ..mapping_arguments import ANNOTATORS, COLUMNS, LABELS


class Command(ImportCommand):
    help = (
        "Import the export of an annotation tool: its data as a data set, a project on it, and its ratings; the "
        "predictions of models become ratings of judges. All or nothing; the same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="PATH", help="files of the export, also .gz and .zip"
        )
        parser.add_argument("--format", required=True, choices=sorted(TOOLS), help="the tool that wrote them")
        parser.add_argument("--project", metavar="SLUG", help="name of the project (that of the first file)")
        parser.add_argument("--dataset", default="", metavar="SLUG", help="name of its data set (that of the project)")
        parser.add_argument("--title", default="", help="title of both (the name)")
        parser.add_argument(
            "--protocol",
            default="",
            metavar="SLUG",
            help="protocol of the ratings, SLUG or SLUG@VERSION (one made of the labels)",
        )
        parser.add_argument("--system", default="", metavar="NAME", help="system of responses that name none")
        COLUMNS.add(parser)
        LABELS.add(parser)
        ANNOTATORS.add(parser)
        super().add_arguments(parser)

    def load(self, options: dict[str, Any], *, dry_run: bool, progress: Progress) -> Counts:
        paths: list[Path] = options["paths"]
        name_of_file = re.sub(r"[^a-z0-9]+", "-", paths[0].name.split(".")[0].lower()).strip("-")
        source = ProjectSource(
            options["format"],
            [SourceFile.named_as_given(path) for path in paths],
            columns=COLUMNS.read(options),
            labels=LABELS.read(options),
            annotators=ANNOTATORS.read(options),
            protocol=protocol_named(options["protocol"]),
            system=options["system"],
        )
        return import_project(
            source,
            options["project"] or name_of_file or "project",
            options["dataset"],
            title=options["title"],
            dry_run=dry_run,
            progress=progress,
        )
