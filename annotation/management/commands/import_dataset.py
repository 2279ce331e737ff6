"""Load a data set: articles, prompts, and responses if the format has them."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing import FORMATS, RULES, Columns, columns_from, load_dataset
from ...importing.column_mapping import FIELDS, columns_of_arguments
from ...importing.input_files import FileReader, SourceFile
from ...jobs import Refused
from ..base_command import FactuaryCommand, add_json


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
        parser.add_argument("--map", action="append", metavar="FIELD=COLUMN", help="; ".join(_about_fields()))
        parser.add_argument(
            "--mapping", type=Path, metavar="PATH", help="the mapping as a JSON file: field to column(s)"
        )
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
                columns=_columns(options["map"], options["mapping"]),
                system=options["system"],
                dry_run=options["dry_run"],
                progress=progress,
            )
        self.show(counts.lines(), counts.as_json(), json_wanted=options["json"])


def _columns(pairs: list[str] | None, path: Path | None) -> Columns | None:
    """Return the given mapping; fields of the command line override those of the file."""
    if pairs is None and path is None:
        return None
    try:
        from_file = json.loads("".join(FileReader(SourceFile.named_as_given(path)).text())) if path else {}
    except json.JSONDecodeError as error:
        raise Refused([f"{path}:{error.lineno}: this is not valid JSON: {error.msg}"]) from None
    if not isinstance(from_file, dict):
        raise Refused([f'{path}: write an object such as {{"prompt": "question", "response": "answer"}}'])
    return columns_from(from_file | columns_of_arguments(pairs or []))


def _about_fields() -> list[str]:
    return ["format rows: the columns of each field"] + [f"{field}: {words}" for field, words in FIELDS.items()]


def _about_formats() -> list[str]:
    return [f"{format.name}: {format.describes}" for format in FORMATS.values()]


def _about_rules() -> list[str]:
    return [f"{rule.name}: {rule.title}" for rule in RULES.values()]
