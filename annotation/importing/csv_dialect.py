"""What separates the cells of a CSV file: found by its first rows, as spreadsheets of other languages write others."""

import csv
import re
from collections.abc import Collection
from dataclasses import dataclass
from io import StringIO
from itertools import islice

from .input_files import FileReader

_NAMES = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "vertical bars",
}
_STATED = re.compile(r'"?sep=(?P<separator>[^"\r\n])"?[,;\t|]*(\r|\n|$)', re.IGNORECASE)  # as Excel reads it
_SAMPLE = 20  # rows


@dataclass(frozen=True)
class Dialect:
    """The separator of cells, and the number of lines before the header that only state it."""

    separator: str = ","
    lines_before: int = 0

    @property
    def name(self) -> str:
        """Return the separator in words."""
        return str(_NAMES.get(self.separator, self.separator))


def dialect_of(file_reader: FileReader, needed: Collection[str] = ()) -> Dialect:
    """Return the dialect that the file states (`sep=;`), or else the one that fits its first rows and the names of its
    `needed` columns best."""
    beginning = file_reader.beginning().decode(errors="replace")
    if stated := _STATED.match(beginning):
        return Dialect(stated["separator"], 1)
    return Dialect(max(_NAMES, key=lambda separator: _fit(beginning, separator, needed)))


def _fit(beginning: str, separator: str, needed: Collection[str]) -> tuple[bool, bool, float, int]:
    """Return how well the separator fits: whether the header has the needed columns; whether all quotation marks are at
    the ends of cells; the share of rows that are as long as the header, if it has several columns; their number."""
    reader, rows = csv.reader(StringIO(beginning, newline=""), strict=True, delimiter=separator), list[list[str]]()
    try:
        rows += islice((cells for cells in reader if cells), _SAMPLE)
        is_valid = True
    except csv.Error as error:  # a sample ends anywhere
        is_valid = "unexpected end" in str(error)
    header = rows[0] if rows else []
    complete = rows[1:] if len(rows) == _SAMPLE else rows[1:-1] or rows[1:]
    share = sum(len(cells) == len(header) for cells in complete) / max(1, len(complete))
    return set(needed) <= set(header), is_valid and bool(header), share if len(header) > 1 else 0, len(header)
