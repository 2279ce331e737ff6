from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import FORMATS, RULES, load_dataset
from ...importing.input_files import SourceFile
from ...jobs import Progress
from ..base_command import Counts, ImportCommand
from ..mapping_arguments import COLUMNS


class Command(ImportCommand):
    help = (
        "Import files of one format into a data set, all or nothing. The same files again change "
        "nothing; further files add to it. gzip, zip, and articles as PDF or text are read directly."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        formats = "; ".join(f"{format.name}: {format.describes}" for format in FORMATS.values())
        rules = "; ".join(f"{rule.name}: {rule.title}" for rule in RULES.values())
        parser.add_argument("format", choices=sorted(FORMATS), help=formats)
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="PATH", help="files to import, or folders of articles"
        )
        parser.add_argument("--dataset", required=True, metavar="SLUG", help="name of a new or existing data set")
        parser.add_argument("--subset", default="all", metavar="RULE", help=rules)
        parser.add_argument("--sample", type=int, metavar="N", help="only N prompts, drawn at random")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the sample (1)")
        COLUMNS.add(parser)
        parser.add_argument("--system", default="", metavar="NAME", help="system of records that name none")
        super().add_arguments(parser)

    def load(self, options: dict[str, Any], *, dry_run: bool, progress: Progress) -> Counts:
        return load_dataset(
            options["format"],
            [SourceFile.named_as_given(path) for path in options["paths"]],
            options["dataset"],
            subset=options["subset"],
            sample=options["sample"],
            seed=options["seed"],
            columns=COLUMNS.read(options),
            system=options["system"],
            dry_run=dry_run,
            progress=progress,
        )
