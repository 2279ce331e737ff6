"""Load a data set: articles, prompts, and responses if the format has them."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import FORMATS, RULES, load_dataset
from ...importing.input_files import SourceFile
from ..base_command import FactuaryCommand, add_json
from ..mapping_arguments import add_column_arguments, columns_of_options


class Command(FactuaryCommand):
    help = (
        "Import files of one format into a data set, all or nothing. The same files again change "
        "nothing; further files add to it. gzip, zip, and articles as PDF or text are read directly."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("format", choices=sorted(FORMATS), help="; ".join(_about_formats()))
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="PATH", help="files to import, or folders of articles"
        )
        parser.add_argument("--dataset", required=True, metavar="SLUG", help="name of a new or existing data set")
        parser.add_argument("--subset", default="all", metavar="RULE", help="; ".join(_about_rules()))
        parser.add_argument("--sample", type=int, metavar="N", help="only N prompts, drawn at random")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the sample (1)")
        add_column_arguments(parser)
        parser.add_argument("--system", default="", metavar="NAME", help="system of records that name none")
        parser.add_argument("--dry-run", action="store_true", help="check and count everything, store nothing")
        add_json(parser)

    def work(self, **options: Any) -> None:
        with self.progress() as progress:
            counts = load_dataset(
                options["format"],
                [SourceFile.named_as_given(path) for path in options["paths"]],
                options["dataset"],
                subset=options["subset"],
                sample=options["sample"],
                seed=options["seed"],
                columns=columns_of_options(options),
                system=options["system"],
                dry_run=options["dry_run"],
                progress=progress,
            )
        self.show(counts.lines(), counts.as_json(), json_wanted=options["json"])


def _about_formats() -> list[str]:
    return [f"{format.name}: {format.describes}" for format in FORMATS.values()]


def _about_rules() -> list[str]:
    return [f"{rule.name}: {rule.title}" for rule in RULES.values()]
