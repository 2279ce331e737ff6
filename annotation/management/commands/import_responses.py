from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import SourceFile, load_responses
from ...importing.responses import FORMATS, ROWS
from ...jobs import Progress
from ..base_command import Counts, ImportCommand, get_dataset


class Command(ImportCommand):
    help = (
        "Import responses to the prompts of a data set: rows are JSON Lines, CSV, Excel or Parquet with "
        "the fields prompt (id or exact text), system, text and optionally id; the other formats are logs of "
        "evaluation programs. All or nothing; the same file again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="file of responses, also .gz, .xlsx, .parquet")
        parser.add_argument("--dataset", required=True, metavar="SLUG", help="data set with the prompts")
        parser.add_argument("--format", choices=FORMATS, default=ROWS, help=f"({ROWS})")
        parser.add_argument("--system", default="", metavar="NAME", help="system of rows that name none")
        super().add_arguments(parser)

    def load(self, options: dict[str, Any], *, dry_run: bool, progress: Progress) -> Counts:
        dataset = get_dataset(options["dataset"])
        return load_responses(
            SourceFile.named_as_given(options["path"]),
            dataset,
            format=options["format"],
            system=options["system"],
            dry_run=dry_run,
            progress=progress,
        )
