"""A report as one self-contained HTML file: for a mail, an archive, a colleague without an account."""

from collections.abc import Iterator
from html import escape as escape_html

from ..reporting.figures import available, draw
from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from ..reporting.text.bidi import show_direction_marks
from ..reporting.text.cautions import unread_warning
from ..reporting.text.methods import Methods, methods_of
from ..reporting.text.names import Names
from .report_tables import Grid, document_grids

_STYLE = """
body { max-width: 1080px; margin: 32px auto; padding: 0 20px; color: #1f1c17; background: #fff;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
h1, h2 { font-family: Charter, "Iowan Old Style", Georgia, "Liberation Serif", serif; line-height: 1.25; }
h2 { margin: 36px 0 10px; font-size: 20px; }
h3 { margin: 18px 0 4px; font-size: 15px; }
.methods { margin-top: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 7px 16px 7px 0; border-top: 1px solid #e4dfd3; text-align: left; vertical-align: top;
  font-weight: 400; }
thead th { border-top: 0; color: #625d52; font-size: 12.5px; font-weight: 600; }
tbody th { font-weight: 600; }
tbody th + th { font-weight: 400; }
.figure { text-align: right; white-space: nowrap; }
.warning { border: 1px solid #b3261e; border-radius: 6px; padding: 10px 14px; max-width: 90ch; }
.note { color: #625d52; font-size: 13.5px; max-width: 90ch; }
.methods { max-width: 72ch; font: 16.5px/1.6 Charter, "Iowan Old Style", Georgia, "Liberation Serif", serif; }
svg { max-width: 100%; height: auto; }
code { font-size: 12.5px; overflow-wrap: anywhere; }
"""


def html_page(report: Report, names: Names, record: Provenance | None = None) -> str:
    """Return the page."""
    warning = unread_warning(report, names)
    parts = [
        *([f'<p class="warning"><b>Warning.</b> {escape(warning)}</p>'] if warning else []),
        *_methods(methods_of(report, names, record)),
        *_figures(report, names),
        *(_section(grid) for grid in document_grids(report, names, record)),
    ]
    return _page("\n".join(parts), report)


def html_table(grid: Grid, report: Report) -> str:
    """Return a page with one table."""
    return _page(_section(grid), report)


def _page(body: str, report: Report) -> str:
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Report</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>Report</h1>\n{body}\n{_origin(report)}\n</body>\n</html>\n"
    )


def escape(text: str) -> str:
    """Escape text for HTML, and isolate its writing direction."""
    return escape_html(show_direction_marks(text))


def _methods(methods: Methods) -> Iterator[str]:
    yield "<h2>Methods</h2>"
    for paragraph in methods.paragraphs:
        yield f'<h3>{escape(paragraph.title)}</h3>\n<p class="methods">{escape(paragraph.text)}</p>'
    if methods.references:
        entries = "".join(f"<li>{escape(reference.words)}</li>" for reference in methods.references)
        yield f"<h3>References</h3>\n<ul>{entries}</ul>"


def _figures(report: Report, names: Names) -> Iterator[str]:
    for name in available(report):
        yield f'<div class="scroll">{draw(report, names.protocol, name)}</div>'


def _section(grid: Grid) -> str:
    head = "".join(
        f'<th scope="col"{_class(column, grid)}>{escape(cell)}</th>' for column, cell in enumerate(grid.head)
    )
    rows = "\n".join(f"<tr>{_cells(row, grid)}</tr>" for row in grid.rows)
    note = f'\n<p class="note">{escape(grid.note)}</p>' if grid.note else ""
    return (
        f'<h2>{escape(grid.title)}</h2>\n<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>{note}"
    )


def _cells(row: list[str], grid: Grid) -> str:
    return "".join(
        f'<th scope="row">{escape(cell)}</th>' if column < grid.labels else f'<td class="figure">{escape(cell)}</td>'
        for column, cell in enumerate(row)
    )


def _class(column: int, grid: Grid) -> str:
    return "" if column < grid.labels else ' class="figure"'


def _origin(report: Report) -> str:
    protocol, software, data = report.protocol, report.software, report.data
    parts = [
        f"Data <code>{escape(data.sha256)}</code>",
        f"Protocol {escape(protocol.slug)} {escape(protocol.version)} <code>{escape(protocol.sha256)}</code>",
        f"Factuary {escape(software.factuary)}, NumPy {escape(software.numpy)}",
    ]
    return f'<p class="note">{". ".join(parts)}.</p>'
