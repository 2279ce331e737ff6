from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ...importing.input_files import FileReader, SourceFile
from ...jobs import Refused
from ...splitting import Span, split, split_items
from ...splitting.jsonl_records import BadRecords, Record, read_records, write_records
from ..base_command import FactuaryCommand, add_output

STANDARD_INPUT = SourceFile(Path("/dev/stdin"), "-")


class Command(FactuaryCommand):
    help = (
        'Read JSON Lines {"id", "text"} and write {"id", "spans": [{"start", "end", "kind", '
        '"rate"}]}, in the same order. Positions are Unicode code points of the raw text. '
        "docs/splitting.md describes the kinds."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="JSON Lines, plain or gzip; - reads standard input")
        parser.add_argument(
            "--items",
            action="store_true",
            help="write the items of an import: a sentence and its formulas are one item, and lead-ins that claim "
            "something are rated",
        )
        add_output(parser)

    def work(self, **options: Any) -> None:
        source = STANDARD_INPUT if options["path"] == "-" else SourceFile.named_as_given(Path(options["path"]))
        file_reader = FileReader(source)
        try:
            records = read_records(file_reader.lines())
        except BadRecords as bad:
            raise Refused(f"{file_reader.name}:{number}: {message}" for number, message in bad.problems) from None
        self.write_out(write_records(self._split(records, items=options["items"])), options["output"])

    def _split(self, records: list[Record], *, items: bool) -> Iterator[tuple[Record, list[Span]]]:
        with self.progress() as progress:
            for number, record in enumerate(records):
                progress(number, len(records), "splitting")
                yield record, split_items(record.text) if items else split(record.text)
