"""Two reports side by side as CSV: one figure per row, with both values and the change."""

import json

from ..csv_guarding import csv_text
from ..i18n.english import in_english
from ..reporting.report import Report
from ..reporting.report_comparison import agreement, measures, origins
from ..reporting.tables import TidyRow
from ..reporting.tables.tidy import guarded
from ..reporting.text.figure_format import COEFFICIENTS

SIDES = ("value", "k", "n", "low", "high", "method")
HEAD = ["table", "system", "key", "figure", *(f"{side}_{name}" for side in ("old", "new") for name in SIDES), "change"]


@in_english
def comparison_csv(old: Report, new: Report) -> str:
    """Return the CSV; `table` is origin, measures or agreement. Origins other than numbers and texts are JSON."""
    rows: list[TidyRow] = []
    for line in origins(old, new):
        values = (
            value if value is None or isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False)
            for value in (line.old, line.new)
        )
        sides = dict(zip(("old_value", "new_value"), values, strict=True))
        rows.append({"table": "origin", "key": line.part, "figure": line.name, **sides})
    for change in measures(old, new):
        row: TidyRow = {"table": "measures", "system": change.system or "", "key": change.measure, "figure": "measure"}
        for side, share in (("old", change.old), ("new", change.new)):
            row |= {f"{side}_{name}": getattr(share, name) for name in SIDES} if share else {}
        rows.append(row | {"change": change.change})
    for figure in agreement(old, new, tuple(COEFFICIENTS)):
        about = {"table": "agreement", "key": figure.question, "figure": figure.coefficient}
        rows.append({**about, "old_value": figure.old, "new_value": figure.new, "change": figure.change})
    return csv_text([HEAD, *([guarded(row.get(column)) for column in HEAD] for row in rows)])
