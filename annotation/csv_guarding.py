"""Cells of a CSV that a spreadsheet would take for a formula.

An export writes an apostrophe before them, as spreadsheets understand it, and an import takes it off again. Text that
begins with apostrophes of its own and then a formula gets one more, so the way there and back is exact.
"""

import re
from collections.abc import Mapping

_FORMULA = "[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"  # what Excel and LibreOffice evaluate, full-width forms too
_DANGEROUS = re.compile(f"'*{_FORMULA}")
_GUARDED = re.compile(f"'+{_FORMULA}")


def guarded(cell: str) -> str:
    """Return the cell so that spreadsheets do not run it as a formula."""
    return f"'{cell}" if _DANGEROUS.match(cell) else cell


def unguarded(row: Mapping[str, str]) -> dict[str, str]:
    """Return the row as it was before `guarded`."""
    return {key: cell[1:] if _GUARDED.match(cell) else cell for key, cell in row.items()}
