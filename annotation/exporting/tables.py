"""A report in the format it is wanted in: JSON, CSV, Markdown, LaTeX (booktabs) or a page of its own.

Every format is made from the report alone, so a frozen report gives the same tables for ever. CSV is tidy, one figure a
row with all its digits; the others are for reading.
"""

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

from .. import protocols
from ..models import ProtocolVersion
from ..reporting import as_bytes
from ..reporting.methods import methods_paragraph
from ..reporting.wording import COEFFICIENTS, Names
from .grids import Grid, grids
from .latex import latex_document
from .page import html_page

CONTENT_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "latex": "application/x-tex; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
EXTENSIONS = {"json": "json", "csv": "csv", "markdown": "md", "latex": "tex", "html": "html"}
FORMATS = tuple(CONTENT_TYPES)

CSV_HEAD = [
    "table", "system", "value", "figure", "key", "k", "n", "estimate", "low", "high", "method", "deff", "p", "p_holm",
]  # fmt: skip


def render(report: dict[str, Any], format: str) -> str:
    """The report as text. Raises ValueError for a format that is not among FORMATS."""
    if format not in FORMATS:
        raise ValueError(f"format {format!r}: choose one of {', '.join(FORMATS)}")
    return _RENDERERS[format](report, Names(protocol_of(report)))


def protocol_of(report: dict[str, Any]) -> protocols.Protocol | None:
    """The protocol that the report was made under, for its labels; None where it is not stored."""
    stored = ProtocolVersion.objects.filter(sha256=report["protocol"]["sha256"]).first()
    return stored.definition if stored else None


def as_json(report: dict[str, Any], names: Names) -> str:
    return as_bytes(report).decode()


def as_csv(report: dict[str, Any], names: Names) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_HEAD, restval="", lineterminator="\r\n")
    writer.writeheader()
    for row in _figures(report):
        writer.writerow({column: _safe(value) for column, value in row.items()})
    return out.getvalue()


def as_markdown(report: dict[str, Any], names: Names) -> str:
    parts = ["# Report", methods_paragraph(report, names)]
    for grid in grids(report, names):
        parts += [f"## {grid.title}", _markdown_table(grid), *([grid.note] if grid.note else [])]
    return "\n\n".join(parts) + "\n"


_RENDERERS: dict[str, Callable[[dict[str, Any], Names], str]] = {
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": latex_document,
    "html": html_page,
}


def _figures(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One row a figure: shares of measures and options, differences, coefficients."""
    yield from _cell_figures("overall", report["overall"])
    for cell in report["systems"]:
        yield from _cell_figures("systems", cell)
    for name, cells in report["by"].items():
        for cell in cells:
            yield from _cell_figures(name, cell)
    for row in report["comparisons"]:
        yield {
            "table": "comparisons", "system": row["a"], "value": row["b"], "figure": "difference",
            "key": row["measure"], "n": row["prompts"], "estimate": row["difference"],
            **{key: row[key] for key in ("low", "high", "p", "p_holm")},
        }  # fmt: skip
    for question, of in report["agreement"].items():
        for name in COEFFICIENTS:
            low, high = of["intervals"][name] or (None, None)
            yield {
                "table": "agreement", "value": question, "figure": "agreement", "key": name, "n": of["items"],
                "estimate": of[name], "low": low, "high": high,
            }  # fmt: skip


def _cell_figures(table: str, cell: dict[str, Any]) -> Iterator[dict[str, Any]]:
    where = {"table": table, "system": cell.get("system", ""), "value": cell.get("value", "")}
    for key, of in cell["measures"].items():
        numbers = {name: of[name] for name in ("k", "n", "low", "high", "method", "deff")}
        yield {**where, "figure": "measure", "key": key, "estimate": of["value"], **numbers}
    yield from _option_figures(where, "option", cell["options"], cell["ratings"])
    for question, options in cell["questions"].items():
        yield from _option_figures(where, question, options, sum(options.values()))


def _option_figures(where: dict[str, str], figure: str, options: dict[str, int], n: int) -> Iterator[dict[str, Any]]:
    for key, k in options.items():
        yield {**where, "figure": figure, "key": key, "k": k, "n": n, "estimate": k / n if n else None}


def _safe(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula begins with an apostrophe; numbers stay numbers."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


def _markdown_table(grid: Grid) -> str:
    rule = ["---" if at < grid.labels else "---:" for at in range(len(grid.head))]
    rows = [[*map(_markdown, row[: grid.labels]), *row[grid.labels :]] for row in grid.rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in [list(map(_markdown, grid.head)), rule, *rows])


def _markdown(text: str) -> str:
    """A name from outside may hold anything; in a table it must not end the cell, nor become markup."""
    for sign in "\\`*_[]<|":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
