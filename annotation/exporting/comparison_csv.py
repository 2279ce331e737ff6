"""Two reports side by side as CSV: one figure per row, with both values and the change."""

import json
from collections.abc import Iterator

from ..csv_guarding import csv_text
from ..i18n.english import in_english
from ..reporting.report import Report
from ..reporting.report_comparison import MeasureChange, agreement, measures, origins
from ..reporting.tables import TidyRow
from ..reporting.tables.tidy import guarded
from ..reporting.text.figure_format import COEFFICIENTS

SIDES = ("value", "k", "n", "low", "high", "method")
HEAD = ["table", "system", "key", "figure", *(f"{side}_{name}" for side in ("old", "new") for name in SIDES), "change"]


@in_english
def comparison_csv(old: Report, new: Report) -> str:
    """Return the CSV; `table` is origin, measures or agreement. Origins other than numbers and texts are JSON."""
    return csv_text([HEAD, *([guarded(row.get(column)) for column in HEAD] for row in _rows(old, new))])


def _rows(old: Report, new: Report) -> Iterator[TidyRow]:
    for line in origins(old, new):
        yield {
            "table": "origin", "key": line.part, "figure": line.name, "old_value": _csv_value(line.old),
            "new_value": _csv_value(line.new),
        }  # fmt: skip
    for change in measures(old, new):
        yield _measure(change)
    for row in agreement(old, new, tuple(COEFFICIENTS)):
        yield {
            "table": "agreement", "key": row.question, "figure": row.coefficient, "old_value": row.old,
            "new_value": row.new, "change": row.change,
        }  # fmt: skip


def _measure(change: MeasureChange) -> TidyRow:
    row: TidyRow = {"table": "measures", "system": change.system or "", "key": change.measure, "figure": "measure"}
    for side, p in (("old", change.old), ("new", change.new)):
        row |= {f"{side}_{name}": getattr(p, name) for name in SIDES} if p else {}
    return row | {"change": change.change}


def _csv_value(value: object) -> str | float | None:
    if value is None or isinstance(value, str | int | float):
        return value
    return json.dumps(value, ensure_ascii=False)
