"""CSV cells that a spreadsheet would interpret as a formula.

An export writes an apostrophe before them, as spreadsheets do, and an import removes it. Text that begins with
apostrophes and then a formula gets one more, so that export and import are exact inverses.
"""

import re
from collections.abc import Mapping

_FORMULA = "[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"  # formulas in Excel and LibreOffice, full-width forms too
_DANGEROUS = re.compile(f"'*{_FORMULA}")
_GUARDED = re.compile(f"'+{_FORMULA}")


def guard_cell(cell: str) -> str:
    """Return the cell so that spreadsheets do not run it as a formula."""
    return f"'{cell}" if _DANGEROUS.match(cell) else cell


def unguard_row(row: Mapping[str, str]) -> dict[str, str]:
    """Return the row as it was before `guard_cell`."""
    return {key: cell[1:] if _GUARDED.match(cell) else cell for key, cell in row.items()}
