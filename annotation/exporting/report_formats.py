"""A report in a given format: JSON, CSV, Markdown, LaTeX (booktabs), an HTML page, or BibTeX.

Every format is made from the report alone, so a frozen report always gives the same tables. CSV is tidy, one figure per
row with all digits; the others are for people.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from .. import protocols
from ..csv_guarding import csv_text, guard_cell
from ..i18n.english import in_english
from ..models import ProtocolVersion
from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from ..reporting.text.bidi import show_direction_marks
from ..reporting.text.cautions import unread_warning
from ..reporting.text.methods import Methods, methods_of
from ..reporting.text.names import Names
from ..reporting.text.references import bibtex
from .html_page import html_page
from .latex import NEEDS, latex_document, latex_tables
from .report_tables import document_grids, grids
from .table import Grid
from .table_names import TABLES, answers_to, table_name
from .table_rows import select_rows
from .tidy_rows import COLUMNS, Row, Value, tidy_rows

CONTENT_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "latex": "application/x-tex; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "bibtex": "application/x-bibtex; charset=utf-8",
}
EXTENSIONS = {"json": "json", "csv": "csv", "markdown": "md", "latex": "tex", "html": "html", "bibtex": "bib"}
FORMATS = tuple(CONTENT_TYPES)
NOTHING_CITED = "% The Methods of this report cite nothing.\n"
TABLE_FORMATS = tuple(format for format in FORMATS if format != "bibtex")
TITLES = {"json": "JSON", "csv": "CSV", "markdown": "Markdown", "latex": "LaTeX", "html": "HTML", "bibtex": "BibTeX"}
FILES = [(f"report.{EXTENSIONS[format]}", TITLES[format]) for format in FORMATS]
"""The files of a report: name, and what people call the format."""


@in_english
def render(report: Report, format: str, record: Provenance | None = None) -> str:
    """Return the report as text; the Methods of a frozen one also state what its provenance record has.

    Raise ValueError for a format that is not among FORMATS.
    """
    if format not in FORMATS:
        raise ValueError(f"format {format!r}: choose one of {', '.join(FORMATS)}")
    return _RENDERERS[format](report, Names(protocol_of(report)), record)


def protocol_of(report: Report) -> protocols.Protocol | None:
    """Return the protocol of the report, for its labels; None if it is not stored."""
    stored = ProtocolVersion.objects.filter(sha256=report.protocol.sha256).first()
    return stored.definition if stored else None


def as_markdown(report: Report, names: Names, record: Provenance | None = None) -> str:
    parts = ["# Report", *warning_lines(report, names), *_methods_sections(methods_of(report, names, record))]
    return "\n\n".join([*parts, *(markdown_section(grid) for grid in document_grids(report, names, record))]) + "\n"


def warning_lines(report: Report, names: Names) -> list[str]:
    """Return the warning that stands above all figures, if there is one."""
    warning = unread_warning(report, names)
    return [f"> **Warning.** {markdown_cell(warning)}"] if warning else []


def _methods_sections(methods: Methods) -> Iterator[str]:
    yield "## Methods"
    for paragraph in methods.paragraphs:
        yield f"### {paragraph.title}"
        yield markdown_cell(paragraph.text)
    if methods.references:
        yield "### References"
        yield "\n".join(f"- {markdown_cell(reference.words)}" for reference in methods.references)


def table_files(report: Report) -> Iterator[tuple[str, str]]:
    """Yield every table as a file: (name, text), each as CSV with all digits, Markdown and LaTeX.

    Names begin with the table's number, the same in every format, because the rest of a name may come from a data set's
    metadata.
    """
    others = map(answers_to, report.overall.questions)
    tables = (*TABLES[:3], *map(table_name, report.by), *TABLES[3:], *others)
    names = {table: f"{n:02}-{filename(table)}" for n, table in enumerate(tables, start=1)}
    text_tables, rows = list(grids(report, Names(protocol_of(report)))), list(tidy_rows(report))
    for grid in text_tables:
        yield f"csv/{names[grid.key]}.csv", rows_csv(select_rows(rows, report, grid.key))
    for grid in text_tables:
        yield f"markdown/{names[grid.key]}.md", f"{markdown_section(grid)}\n"
    for key, table in latex_tables(text_tables).items():
        yield f"latex/{names[key]}.tex", f"{NEEDS}\n{table}\n"


def filename(key: str) -> str:
    """Return a table's name as a file name: system × question_type -> system-question_type."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", key).strip("-")[:60] or "table"


def rows_csv(rows: Iterable[Row]) -> str:
    """Return rows as CSV: numbers with all digits, names guarded against spreadsheets."""
    return csv_text([COLUMNS, *([escape_name(row.get(column)) for column in COLUMNS] for row in rows)])


def markdown_section(grid: Grid) -> str:
    """Return a table with its title and note."""
    return "\n\n".join(
        [f"## {markdown_cell(grid.title)}", markdown_table(grid), *([markdown_cell(grid.note)] if grid.note else [])]
    )


_RENDERERS: dict[str, Callable[[Report, Names, Provenance | None], str]] = {
    "json": lambda report, names, record: report.to_json().decode(),
    "csv": lambda report, names, record: rows_csv(tidy_rows(report)),
    "markdown": as_markdown,
    "latex": latex_document,
    "html": html_page,
    "bibtex": lambda report, names, record: bibtex(methods_of(report, names, record).references) or NOTHING_CITED,
}


def escape_name(value: Value) -> Value:
    """Escape a name so that it cannot end a table cell or become markup."""
    if value is None:
        return ""
    return guard_cell(value) if isinstance(value, str) else value


def markdown_table(grid: Grid) -> str:
    """Return the head and the rows of a table in Markdown; the cells of its labels are escaped."""
    rule = ["---" if column < grid.labels else "---:" for column in range(len(grid.head))]
    rows = [[*map(markdown_cell, row[: grid.labels]), *row[grid.labels :]] for row in grid.rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in [list(map(markdown_cell, grid.head)), rule, *rows])


def markdown_cell(text: str) -> str:
    """Escape a name for a Markdown table cell."""
    text = show_direction_marks(text)
    for sign in "\\`*_[]<|":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
