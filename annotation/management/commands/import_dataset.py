"""Load a data set: articles, prompts, and responses if the format has them."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import FORMATS, RULES, load_dataset
from ..base import FactuaryCommand, add_json, given_file


class Command(FactuaryCommand):
    help = (
        "Load files of one format into a data set, all or nothing. The same files again change nothing; further files "
        "add to it. gzip is read as it is."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("format", choices=sorted(FORMATS), help="; ".join(_about_formats()))
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files to load")
        parser.add_argument("--dataset", required=True, metavar="SLUG", help="name of the data set, new or not")
        parser.add_argument("--subset", default="all", metavar="RULE", help="; ".join(_about_rules()))
        parser.add_argument("--sample", type=int, metavar="N", help="only N prompts, drawn at random")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="fixes which prompts (1)")
        parser.add_argument("--dry-run", action="store_true", help="check and count everything, store nothing")
        add_json(parser)

    def work(self, **options: Any) -> None:
        with self.progress() as progress:
            counts = load_dataset(
                options["format"],
                [given_file(path) for path in options["paths"]],
                options["dataset"],
                subset=options["subset"],
                sample=options["sample"],
                seed=options["seed"],
                dry_run=options["dry_run"],
                progress=progress,
            )
        self.show(counts.lines(), counts.as_json(), json_wanted=options["json"])


def _about_formats() -> list[str]:
    return [f"{format.name}: {format.describes}" for format in FORMATS.values()]


def _about_rules() -> list[str]:
    return [f"{rule.name}: {rule.title}" for rule in RULES.values()]
