"""CSV cells that a spreadsheet would interpret as a formula.

An export writes an apostrophe before a formula, as spreadsheets do, and an import removes it. A spreadsheet whose
language separates cells by semicolons sees cells within a cell, as it does after tabs and line breaks: formulas there
get an apostrophe too. White space, invisible characters and quotation marks before a formula do not hide it. Where a
text has apostrophes already it gets one more, so that export and import are exact inverses. Of a file that is no export
an import removes the apostrophe at the beginning alone, which is a spreadsheet's; the others are the text's own.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping

_FORMULA = r"=+\-@\uff1d\uff0b\uff0d\uff20"  # formulas in Excel and LibreOffice, full-width forms too
_HIDDEN = r'"\x0b\x0c\x1c-\x20\x85\xa0\xad\u034f\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff'
_AT_THE_BEGINNING = r"^{sign}(?='*[\t\r\n])"
_AT_A_FORMULA = rf"(?:^|(?<=[;\t\r\n])){{sign}}(?='*[{_HIDDEN}]*[{_FORMULA}])"
_DANGEROUS = re.compile(f"{_AT_THE_BEGINNING}|{_AT_A_FORMULA}".replace("{sign}", ""))
_GUARDED = re.compile(f"{_AT_THE_BEGINNING}|{_AT_A_FORMULA}".replace("{sign}", "'"))
_GUARDED_AT_THE_BEGINNING = re.compile(f"^(?:{_GUARDED.pattern})")
FIRST_EXPORTED = (("response", "against", "unit", "item", "rater", "role"), ("response", "against", "metric", "value"))
"""The first columns of the exports that are imported: ratings, and scores of metrics."""


def guard_cell(cell: str) -> str:
    """Return the cell so that spreadsheets run nothing in it."""
    return _DANGEROUS.sub("'", cell)


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows of guarded cells as CSV (RFC 4180), each cell between quotation marks."""
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def unguard_row(row: Mapping[str, str], is_exported: bool) -> dict[str, str]:
    """Return the row as it was before `guard_cell`, or before a spreadsheet wrote it."""
    guarded = _GUARDED if is_exported else _GUARDED_AT_THE_BEGINNING
    return {key: guarded.sub("", cell) if "'" in cell else cell for key, cell in row.items()}
