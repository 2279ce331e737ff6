"""A report, or one table of it, as a file: JSON, CSV, Markdown, LaTeX (booktabs), an HTML page, or BibTeX.

Every format is made from the report alone, so a frozen report always gives the same files. CSV is tidy, one figure per
row with all digits; the others are for people.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .. import protocols
from ..csv_guarding import csv_text
from ..i18n.english import in_english
from ..models import ProtocolVersion
from ..models import Report as FrozenReport
from ..reporting.drawings import available, draw
from ..reporting.frozen_reports import stored_provenance, stored_report
from ..reporting.methods.paragraphs import methods_of
from ..reporting.methods.references import bibtex
from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from ..reporting.report_comparison import agreement, measures, origins
from ..reporting.sections.all_tables import shown_tables, stored_tables, tidy_rows
from ..reporting.sections.names import TABLES, answers_to, table_name
from ..reporting.tables import TidyRow
from ..reporting.tables import html as in_html
from ..reporting.tables import latex as in_latex
from ..reporting.tables import markdown as in_markdown
from ..reporting.tables.table import Table
from ..reporting.tables.tidy import as_csv, guarded, rows_of
from ..reporting.text.figure_format import COEFFICIENTS
from ..reporting.text.names import Names, show_direction_marks
from ..reporting.text.notes import filters_note, unread_warning

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
FORMATS_OF_FILES = {f"report.{extension}": format for format, extension in EXTENSIONS.items()}
FILES = [(name, TITLES[format]) for name, format in FORMATS_OF_FILES.items()]
"""The files of a report: name, and what people call the format."""
PROVENANCE = "provenance.json"
STYLES = ("full", "compact")
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


class UnknownTable(ValueError):
    """The report has no such table; the message names those that it has."""


def protocol_of(report: Report) -> protocols.Protocol | None:
    """Return the protocol of the report, for its labels; None if it is not stored."""
    stored = ProtocolVersion.objects.filter(sha256=report.protocol.sha256).first()
    return stored.definition if stored else None


@in_english
def render(report: Report, format: str, record: Provenance | None = None) -> str:
    """Return the report as text; the Methods of a frozen one also state what its provenance record has.

    Raise ValueError for a format that is not among FORMATS.
    """
    if format not in FORMATS:
        raise ValueError(f"format {format!r}: choose one of {', '.join(FORMATS)}")
    if format == "json":
        return report.to_json().decode()
    if format == "csv":
        return as_csv(tidy_rows(report))
    names = Names(protocol_of(report))
    methods, warning = methods_of(report, names, record), unread_warning(report, names)
    tables = [table for table in shown_tables(report, names, record) if not table.on_request]
    if format == "markdown":
        escaped = in_markdown.escaped
        parts = ["# Report", *([f"> **Warning.** {escaped(warning)}"] if warning else []), "## Methods"]
        for paragraph in methods.paragraphs:
            parts += [f"### {paragraph.title}", escaped(paragraph.text)]
        if methods.references:
            parts += ["### References", "\n".join(f"- {escaped(each.words)}" for each in methods.references)]
        return "\n\n".join([*parts, *map(in_markdown.table_in_markdown, tables)]) + "\n"
    if format == "latex":
        escaped = in_latex.escaped
        data, method, protocol = report.data, report.method, report.protocol
        comment = [
            in_latex.NEEDS.format(packages="booktabs,graphicx"),
            f"% Data {data.sha256}, protocol {protocol.slug} {protocol.version}, seed {method.seed}, "
            f"{method.resamples} resamples of {method.cluster}s.",
        ]
        # One line: a line break in a name would end the comment.
        choices = " ".join(show_direction_marks(filters_note(report, names)).split())
        comment += [f"% {choices}"] if choices else []
        parts = ["\n".join(comment), *([rf"\paragraph{{Warning.}} {escaped(warning)}"] if warning else [])]
        parts += [rf"\paragraph{{{escaped(each.title)}.}} {escaped(each.text)}" for each in methods.paragraphs]
        if methods.references:
            parts.append(r"\paragraph{References.} " + " ".join(escaped(each.words) for each in methods.references))
        return "\n\n".join([*parts, *in_latex.tables_in_latex(tables).values()]) + "\n"
    if format == "html":
        escaped = in_html.escaped
        parts = [f'<p class="warning"><b>Warning.</b> {escaped(warning)}</p>'] if warning else []
        parts.append("<h2>Methods</h2>")
        for paragraph in methods.paragraphs:
            parts.append(f'<h3>{escaped(paragraph.title)}</h3>\n<p class="methods">{escaped(paragraph.text)}</p>')
        if methods.references:
            entries = "".join(f"<li>{escaped(reference.words)}</li>" for reference in methods.references)
            parts.append(f"<h3>References</h3>\n<ul>{entries}</ul>")
        parts += [f'<div class="scroll">{draw(report, names.protocol, name)}</div>' for name in available(report)]
        return _html_page("\n".join([*parts, *map(in_html.table_in_html, tables)]), report)
    return bibtex(methods.references) or NOTHING_CITED


@in_english
def table_names(report: Report, style: str = "full", record: Provenance | None = None) -> list[str]:
    """Return the names of the tables of a report, and of its record, that have this style."""
    return list(_tables_of_style(report, style, record))


def _tables_of_style(report: Report, style: str, record: Provenance | None) -> dict[str, Table]:
    tables = shown_tables(report, Names(protocol_of(report)), record)
    return {table.key: table for table in tables if style == "full" or table.compact_note is not None}


@in_english
def render_table(report: Report, name: str, format: str, style: str = "full", record: Provenance | None = None) -> str:
    """Return one table as text; the `record` of a frozen report has the family of tests of its plan. CSV has every
    digit in both styles.

    Raises UnknownTable for another name, ValueError for another format or style.
    """
    if format not in TABLE_FORMATS or style not in STYLES:
        raise ValueError(f"format {format!r}, style {style!r}: choose among {TABLE_FORMATS} and {STYLES}")
    tables = _tables_of_style(report, style, record)
    if name not in tables:
        raise UnknownTable(f"no {style} table {name!r}: choose one of {', '.join(tables)}")
    table = tables[name] if style == "full" else tables[name].compact()
    if format == "csv":
        return as_csv(rows_of(stored_tables(report, record)[name]))
    if format == "json":
        values = {
            "key": table.key, "title": table.title, "head": table.head, "rows": table.texts, "note": table.note
        }  # fmt: skip
        return json.dumps(values, ensure_ascii=False, indent=1) + "\n"
    if format == "markdown":
        return f"{in_markdown.table_in_markdown(table)}\n"
    if format == "latex":
        needs = in_latex.NEEDS.format(packages=in_latex.packages(table))
        return "\n".join([needs, *in_latex.tables_in_latex([table]).values()]) + "\n"
    return _html_page(in_html.table_in_html(table), report)


def table_files(report: Report) -> Iterator[tuple[str, str]]:
    """Yield every table as a file: (name, text), each as CSV with all digits, Markdown and LaTeX.

    Names begin with the table's number, the same in every format, because the rest of a name may come from a data set's
    metadata.
    """
    others = map(answers_to, report.overall.questions)
    keys = (*TABLES[:3], *map(table_name, report.by), *TABLES[3:], *others)
    names = {table: f"{n:02}-{filename(table)}" for n, table in enumerate(keys, start=1)}
    tables = [table for table in shown_tables(report, Names(protocol_of(report))) if table.key in names]
    stored = stored_tables(report)
    for table in tables:
        yield f"csv/{names[table.key]}.csv", as_csv(rows_of(stored[table.key]))
        yield f"markdown/{names[table.key]}.md", f"{in_markdown.table_in_markdown(table)}\n"
    for key, text in in_latex.tables_in_latex(tables).items():
        yield f"latex/{names[key]}.tex", f"{in_latex.NEEDS.format(packages='booktabs,graphicx')}\n{text}\n"


@dataclass(frozen=True)
class ReportFile:
    text: str
    content_type: str


def file_of(frozen: FrozenReport, name: str) -> ReportFile | None:
    """Return a file of a frozen report, None if it has none of this name: its stored JSON, its provenance record, or a
    format that is made from it.
    """
    record = stored_provenance(frozen)
    if name == PROVENANCE:
        return ReportFile(record.to_json().decode(), CONTENT_TYPES["json"]) if record else None
    format = FORMATS_OF_FILES.get(name)
    if format is None:
        return None
    text = frozen.document if format == "json" else render(stored_report(frozen), format, record)
    return ReportFile(text, CONTENT_TYPES[format])


def filename(key: str) -> str:
    """Return a table's name as a file name: system × question_type -> system-question_type."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", key).strip("-")[:60] or "table"


def _html_page(body: str, report: Report) -> str:
    escaped, protocol, software = in_html.escaped, report.protocol, report.software
    origin = (
        f"Data <code>{escaped(report.data.sha256)}</code>. Protocol {escaped(protocol.slug)} "
        f"{escaped(protocol.version)} <code>{escaped(protocol.sha256)}</code>. Factuary {escaped(software.factuary)}, "
        f"NumPy {escaped(software.numpy)}."
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Report</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>Report</h1>\n{body}\n"
        f'<p class="note">{origin}</p>\n</body>\n</html>\n'
    )


SIDES = ("value", "k", "n", "low", "high", "method")
HEAD = ["table", "system", "key", "figure", *(f"{side}_{name}" for side in ("old", "new") for name in SIDES), "change"]


@in_english
def comparison_csv(old: Report, new: Report) -> str:
    """Return one figure per row, with both values and the change; `table` is origin, measures or agreement. Origins
    other than numbers and texts are JSON.
    """
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
