"""One table of a report in a given format and style, for a paper or a spreadsheet.

The full style is that of the report's documents; the compact style has one figure a cell (`compact_tables`). CSV has
the cells as they are shown; the CSV of the whole report has every digit.
"""

import csv
import io
import json
from dataclasses import asdict

from ..i18n.english import in_english
from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from ..reporting.text.bidi import show_direction_marks
from ..reporting.text.names import Names
from .compact_tables import compact_grid, compact_names
from .html_page import html_table
from .latex import latex_tables
from .report_formats import TABLE_FORMATS, escape_name, markdown_section, protocol_of
from .report_tables import grids
from .table import Grid

STYLES = ("full", "compact")
NEEDS = r"% Needs \usepackage{booktabs} and \usepackage[T1]{fontenc}."
NEEDS_GRAPHICS = r"% Needs \usepackage{booktabs,graphicx} and \usepackage[T1]{fontenc}."


class UnknownTable(ValueError):
    """The report has no such table; the message names those that it has."""


@in_english
def table_names(report: Report, style: str = "full") -> list[str]:
    """Return the names of the report's tables that have this style."""
    if style == "compact":
        return compact_names(report) if report.systems else []
    return [grid.key for grid in grids(report, Names(protocol_of(report)))]


@in_english
def render_table(report: Report, name: str, format: str, style: str = "full", record: Provenance | None = None) -> str:
    """Return one table as text; the `record` of a frozen report has the family of tests of its plan.

    Raises UnknownTable for another name, ValueError for another format or style.
    """
    if format not in TABLE_FORMATS or style not in STYLES:
        raise ValueError(f"format {format!r}, style {style!r}: choose among {TABLE_FORMATS} and {STYLES}")
    return _RENDERERS[format](_grid(report, name, style, record), report)


def _grid(report: Report, name: str, style: str, record: Provenance | None) -> Grid:
    available = table_names(report, style)
    if name not in available:
        raise UnknownTable(f"no {style} table {name!r}: choose one of {', '.join(available)}")
    names = Names(protocol_of(report))
    if style == "compact":
        return compact_grid(report, names, name, record)
    return next(grid for grid in grids(report, names, record) if grid.key == name)


def _as_latex(grid: Grid, report: Report) -> str:
    needs = NEEDS_GRAPHICS if grid.fitted else NEEDS
    return "\n".join([needs, *latex_tables([grid]).values()]) + "\n"


def _as_csv(grid: Grid, report: Report) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([escape_name(show_direction_marks(cell)) for cell in row] for row in [grid.head, *grid.rows])
    return out.getvalue()


def _as_json(grid: Grid, report: Report) -> str:
    values = {name: value for name, value in asdict(grid).items() if name in ("key", "title", "head", "rows", "note")}
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


_RENDERERS = {
    "json": _as_json,
    "csv": _as_csv,
    "markdown": lambda grid, report: f"{markdown_section(grid)}\n",
    "latex": _as_latex,
    "html": html_table,
}
