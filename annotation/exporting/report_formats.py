"""A report in the format it is wanted in: JSON, CSV, Markdown, LaTeX (booktabs) or a page of its own.

Every format is made from the report alone, so a frozen report gives the same tables for ever. CSV is tidy, one figure a
row with all its digits; the others are for reading.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from .. import protocols
from ..csv_guarding import guarded
from ..i18n.english import in_english
from ..models import ProtocolVersion
from ..reporting import as_bytes
from ..reporting.compute.cells import ratings_asked
from ..reporting.text.bidi import visible
from ..reporting.text.figure_format import COEFFICIENTS, CORRELATIONS, item_of
from ..reporting.text.methods import methods_paragraph
from ..reporting.text.naming import Names
from .html_page import html_page
from .latex import NEEDS, latex_document, latex_tables
from .report_tables import TABLES, Grid, answers_to, grids, table_of

CONTENT_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "latex": "application/x-tex; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
EXTENSIONS = {"json": "json", "csv": "csv", "markdown": "md", "latex": "tex", "html": "html"}
FORMATS = tuple(CONTENT_TYPES)
TITLES = {"json": "JSON", "csv": "CSV", "markdown": "Markdown", "latex": "LaTeX", "html": "HTML"}
FILES = [(f"report.{EXTENSIONS[format]}", TITLES[format]) for format in FORMATS]
"""The files of a report: name, and what people call the format."""

CSV_HEAD = [
    "table", "system", "value", "figure", "key", "k", "n", "estimate", "low", "high", "method", "deff", "icc", "p",
    "p_holm",
]  # fmt: skip
NOTHING: Mapping[str, dict[str, Any]] = MappingProxyType({})


@in_english
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
    return _csv(figures(report))


def as_markdown(report: dict[str, Any], names: Names) -> str:
    parts = ["# Report", markdown_cell(methods_paragraph(report, names))]
    return "\n\n".join([*parts, *(markdown_section(grid) for grid in grids(report, names))]) + "\n"


def table_files(report: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every table as a file of its own: (name, text), as CSV with all digits, Markdown and LaTeX.

    Names begin with the table's number, the same in every format, because the rest of one is whatever a data set calls
    its metadata.
    """
    others = map(answers_to, report["overall"].get("questions", {}))
    tables = (*TABLES[:3], *map(table_of, report["by"]), *TABLES[3:], *others)
    names = {table: f"{at:02}-{filename(table)}" for at, table in enumerate(tables, start=1)}
    for table, rows in groupby(figures(report), key=itemgetter("table")):
        yield f"csv/{names[table]}.csv", _csv(rows)
    drawn = list(grids(report, Names(protocol_of(report))))
    for grid in drawn:
        yield f"markdown/{names[grid.key]}.md", f"{markdown_section(grid)}\n"
    for key, table in latex_tables(drawn).items():
        yield f"latex/{names[key]}.tex", f"{NEEDS}\n{table}\n"


def filename(key: str) -> str:
    """system × question_type -> system-question_type."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", key).strip("-")[:60] or "table"


def _csv(rows: Iterable[dict[str, Any]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, CSV_HEAD, restval="", lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({column: safe(value) for column, value in row.items()})
    return out.getvalue()


def markdown_section(grid: Grid) -> str:
    """A table under its title, with its note."""
    return "\n\n".join(
        [f"## {markdown_cell(grid.title)}", _markdown_table(grid), *([markdown_cell(grid.note)] if grid.note else [])]
    )


_RENDERERS: dict[str, Callable[[dict[str, Any], Names], str]] = {
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": latex_document,
    "html": html_page,
}


def figures(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One row a figure, table after table: shares of measures and options, differences, ranks, coefficients, raters."""
    overall = report["overall"]
    yield from _cell_figures("overall", overall, overall)
    for cell in report["systems"]:
        yield from _cell_figures("systems", cell, overall)
    for name, cells in report["by"].items():
        for cell in cells:
            yield from _cell_figures(table_of(name), cell, overall)
    for row in report["comparisons"]:
        yield {
            "table": "comparisons", "system": row["a"], "value": row["b"], "figure": "difference",
            "key": row["measure"], "n": row["prompts"], "estimate": row["difference"],
            **{key: row.get(key) for key in ("low", "high", "method", "p", "p_holm")},
        }  # fmt: skip
    yield from _ranks(report)
    yield from _aggregations(report)
    yield from _correlations(report)
    yield from _responses(report)
    yield from _agreement(report)
    yield from _disagreements(report)
    yield from _rater_pairs(report)
    yield from _raters(report)
    yield from _rater_weeks(report)


def _correlations(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The system is empty for all together."""
    for row in report.get("correlations", ()):
        where = {"table": "correlations", "system": row["system"] or "", "value": row["key"], "figure": "correlation"}
        for name in CORRELATIONS:
            numbers = {key: row[name][key] for key in ("low", "high", "method")}
            yield {**where, "key": name, "n": row["n"], "estimate": row[name]["value"], **numbers}


def _responses(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """`value` is the imported id of the response."""
    for row in report.get("responses", ()):
        where = {"table": "responses", "system": row["system"], "value": row["response"], "figure": "mean"}
        yield from ({**where, "key": key, "estimate": value} for key, value in row["means"].items())


def _ranks(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for row in report.get("ranks", ()):
        numbers = {"estimate": row["rank"], "low": row["low"], "high": row["high"]}
        yield {"table": "ranks", "system": row["system"], "figure": "rank", "key": row["measure"], **numbers}


def _aggregations(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """`figure` is the way of adding up; the system is empty for all together."""
    for of in report.get("aggregations", ()):
        for measure, found in of["measures"].items():
            where = {"table": "aggregations", "system": of["system"] or "", "key": measure}
            for way, value in found.items():
                yield {**where, "figure": way, **_way(value)}


def _way(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {"estimate": value}
    return {"estimate": value["value"], "k": value.get("k"), "n": value.get("n", value.get("items"))}


def _agreement(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for question, of in report["agreement"].items():
        for name in COEFFICIENTS:
            low, high = of["intervals"][name] or (None, None)
            yield {
                "table": "agreement", "value": question, "figure": "agreement", "key": name, "n": of["items"],
                "estimate": of[name], "low": low, "high": high,
            }  # fmt: skip


def _disagreements(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """`value` is the item, `figure` what is counted; the text is in the JSON and in the tables for reading."""
    for row in report.get("disagreements", ()):
        where = {"table": "disagreements", "system": row["system"], "value": item_of(row)}
        yield {**where, "figure": "disagreement", "n": row["ratings"], "estimate": row["disagreement"]}
        yield from _answers(where, row, report["overall"])


def _answers(where: dict[str, str], cell: dict[str, Any], overall: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """How often each option was chosen; shares with their intervals where the cell has any."""
    asked = ratings_asked(cell, overall)
    yield from _option_figures(where, "option", cell["options"], asked, cell.get("shares", {}))
    for question, options in cell["questions"].items():
        yield from _option_figures(where, question, options, sum(options.values()))


def _rater_pairs(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for question, of in report["agreement"].items():
        for pair in of.get("rater_pairs") or ():
            where = {"table": "rater_pairs", "system": pair["a"], "value": pair["b"], "figure": question}
            for name in ("percent", "ac1"):
                yield {**where, "key": name, "n": pair["items"], "estimate": pair[name]}


def _raters(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for of in report.get("raters", ()):
        where = {"table": "raters", "value": of["rater"], "figure": "rater"}
        yield {**where, "key": "assessed", "k": of["assessed"], "n": of["ratings"]}
        yield {**where, "key": "seconds", "estimate": of["seconds"]}
        for name in ("gold", "adjudicated", "leave_one_out", "leniency", "quick"):
            found = of[name] or {}
            numbers = {key: found.get(key) for key in ("k", "low", "high")}
            n = found.get("n", found.get("items"))
            yield {**where, "key": name, "n": n, "estimate": found.get("value"), **numbers}
        yield from ({**where, "figure": "flag", "key": flag} for flag in of["flags"])


def _rater_weeks(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """`figure` is the week, `n` how many ratings the rater gave in it."""
    for of in report.get("raters", ()):
        for week in of["weeks"]:
            where = {"table": "rater_weeks", "value": of["rater"], "figure": week["week"], "n": week["ratings"]}
            for name in ("accurate", "leave_one_out", "leniency"):
                yield {**where, "key": name, "estimate": week[name]}


def _cell_figures(table: str, cell: dict[str, Any], overall: dict[str, Any]) -> Iterator[dict[str, Any]]:
    where = {"table": table, "system": cell.get("system", ""), "value": cell.get("value", "")}
    for key, of in cell["measures"].items():
        numbers = {name: of.get(name) for name in ("k", "n", "low", "high", "method", "deff", "icc")}
        yield {**where, "figure": "measure", "key": key, "estimate": of["value"], **numbers}
    for key, of in cell.get("means", {}).items():
        numbers = {name: of[name] for name in ("n", "low", "high", "method")}
        yield {**where, "figure": "mean", "key": key, "estimate": of["value"], **numbers}
    yield from _answers(where, cell, overall)
    for key, of in cell.get("shares_of_assessed", {}).items():
        numbers = {name: of[name] for name in ("k", "n", "low", "high", "method")}
        yield {**where, "figure": "assessed option", "key": key, "estimate": of["value"], **numbers}


def _option_figures(
    where: dict[str, str], figure: str, options: dict[str, int], n: int, shares: Mapping[str, dict[str, Any]] = NOTHING
) -> Iterator[dict[str, Any]]:
    for key, k in options.items():
        bounds = {name: shares[key][name] for name in ("low", "high", "method")} if key in shares else {}
        yield {**where, "figure": figure, "key": key, "k": k, "n": n, "estimate": k / n if n else None, **bounds}


def safe(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula begins with an apostrophe; numbers stay numbers."""
    if value is None:
        return ""
    return guarded(value) if isinstance(value, str) else value


def _markdown_table(grid: Grid) -> str:
    rule = ["---" if at < grid.labels else "---:" for at in range(len(grid.head))]
    rows = [[*map(markdown_cell, row[: grid.labels]), *row[grid.labels :]] for row in grid.rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in [list(map(markdown_cell, grid.head)), rule, *rows])


def markdown_cell(text: str) -> str:
    """A name from outside may hold anything: in a table it must not end the cell, and nowhere become markup."""
    text = visible(text)
    for sign in "\\`*_[]<|":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
