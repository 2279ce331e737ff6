"""Import the project of another annotation tool."""

import re
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import SourceFile
from ...importing.annotation_tools import TOOLS
from ...importing.project_imports import ProjectSource, import_project, protocol_named
from ..base_command import FactuaryCommand, add_json
from ..mapping_arguments import (
    add_annotator_arguments,
    add_column_arguments,
    add_label_arguments,
    annotators_of_options,
    columns_of_options,
    labels_of_options,
)


class Command(FactuaryCommand):
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
        add_column_arguments(parser)
        add_label_arguments(parser)
        add_annotator_arguments(parser)
        parser.add_argument("--dry-run", action="store_true", help="check and count everything, store nothing")
        add_json(parser)

    def work(self, **options: Any) -> None:
        paths = options["paths"]
        source = ProjectSource(
            options["format"],
            [SourceFile.named_as_given(path) for path in paths],
            columns=columns_of_options(options),
            labels=labels_of_options(options),
            annotators=annotators_of_options(options),
            protocol=protocol_named(options["protocol"]),
            system=options["system"],
        )
        with self.progress() as progress:
            counts = import_project(
                source,
                options["project"] or _slug(paths[0]),
                options["dataset"],
                title=options["title"],
                dry_run=options["dry_run"],
                progress=progress,
            )
        self.show(counts.lines(), counts.as_json(), json_wanted=options["json"])


def _slug(path: Path) -> str:
    """Return a name made of the file's name."""
    return re.sub(r"[^a-z0-9]+", "-", path.name.split(".")[0].lower()).strip("-") or "project"
