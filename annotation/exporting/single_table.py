"""One table of a report in a given format and style, for a paper or a spreadsheet.

The full style is that of the report's documents; the compact style has one figure a cell (`compact_tables`). CSV has
the table's rows of the report's CSV, one figure a row with every digit, in both styles.
"""

import json
from dataclasses import asdict

from ..i18n.english import in_english
from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from ..reporting.text.names import Names
from .compact_tables import compact_grid, compact_names
from .html_page import html_table
from .latex import has_flexible_labels, latex_tables
from .report_formats import TABLE_FORMATS, markdown_section, protocol_of, rows_csv
from .report_tables import requested_grids
from .table import Grid
from .table_rows import table_rows

STYLES = ("full", "compact")
NEEDS = (
    r"% Needs \usepackage{{{packages}}} and \usepackage[T1]{{fontenc}}; names in other scripts: XeLaTeX or LuaLaTeX."
)


class UnknownTable(ValueError):
    """The report has no such table; the message names those that it has."""


@in_english
def table_names(report: Report, style: str = "full", record: Provenance | None = None) -> list[str]:
    """Return the names of the tables of a report, and of its record, that have this style."""
    if style == "compact":
        return compact_names(report) if report.systems else []
    return [grid.key for grid in requested_grids(report, Names(protocol_of(report)), record)]


@in_english
def render_table(report: Report, name: str, format: str, style: str = "full", record: Provenance | None = None) -> str:
    """Return one table as text; the `record` of a frozen report has the family of tests of its plan.

    Raises UnknownTable for another name, ValueError for another format or style.
    """
    if format not in TABLE_FORMATS or style not in STYLES:
        raise ValueError(f"format {format!r}, style {style!r}: choose among {TABLE_FORMATS} and {STYLES}")
    grid = _grid(report, name, style, record)
    return rows_csv(table_rows(report, name, record)) if format == "csv" else _RENDERERS[format](grid, report)


def _grid(report: Report, name: str, style: str, record: Provenance | None) -> Grid:
    available = table_names(report, style, record)
    if name not in available:
        raise UnknownTable(f"no {style} table {name!r}: choose one of {', '.join(available)}")
    names = Names(protocol_of(report))
    if style == "compact":
        return compact_grid(report, names, name, record)
    return next(grid for grid in requested_grids(report, names, record) if grid.key == name)


def _as_latex(grid: Grid, report: Report) -> str:
    more = ",graphicx" if grid.fitted else ",tabularx" if has_flexible_labels(grid) else ""
    return "\n".join([NEEDS.format(packages=f"booktabs{more}"), *latex_tables([grid]).values()]) + "\n"


def _as_json(grid: Grid, report: Report) -> str:
    values = {name: value for name, value in asdict(grid).items() if name in ("key", "title", "head", "rows", "note")}
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


_RENDERERS = {
    "json": _as_json,
    "markdown": lambda grid, report: f"{markdown_section(grid)}\n",
    "latex": _as_latex,
    "html": html_table,
}
