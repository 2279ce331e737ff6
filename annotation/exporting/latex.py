"""A report as LaTeX: each table a floating booktabs table, ready for a paper.

An interval is set below its estimate, and long heads take two lines; a full table wider than the paper's column is
scaled down by LaTeX, so it fits any document class; a compact one fits as it is. A table longer than a page continues
in further floats under the same number.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, count

from ..reporting.provenance_record import Provenance
from ..reporting.report import Report
from ..reporting.text.bidi import show_direction_marks
from ..reporting.text.cautions import unread_warning
from ..reporting.text.methods import Methods, methods_of
from ..reporting.text.names import Names
from ..reporting.text.notes import filters_note
from .report_tables import Grid, document_grids

NEEDS = (
    r"% Needs \usepackage{booktabs,graphicx} and \usepackage[T1]{fontenc}; "
    "names in other scripts: XeLaTeX or LuaLaTeX."
)
_FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{"
_RAGGED = r"\raggedright\let\\\tabularnewline\hspace{0pt}"
_WRITTEN = {
    " %": r"\,\%", " × ": r"~$\times$~", "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&",
    "#": r"\#", "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "−": r"$-$", "×": r"$\times$", "–": "--",
    "’": "'", "“": "``", "”": "''", "…": r"\ldots{}", "†": r"$\dagger$", "±": r"$\pm$",
}  # fmt: skip
_INTERVAL = re.compile(r"(?P<estimate>.+?) (?P<interval>\[.+\]†?)(?P<counts> \(.+\))?")
_MAX_HEAD_LENGTH = 11  # letters on one line
_MAX_LABEL_LENGTH = 16  # letters of the label of a row in a table that is not scaled
_MANY_COMPACT_COLUMNS = 4
_FLEXIBLE = 9  # letters of a label on one line where labels take what the figures leave
_WRAPPED = 0.5  # of the line's width, for all columns of running text together
_LINE = 72  # letters in a small font across a narrow page
_PAGE = 42  # lines of a table, including its note
_MANY_COLUMNS = 7
_SPECIAL = re.compile("|".join(map(re.escape, _WRITTEN)))


def latex_document(report: Report, names: Names, record: Provenance | None = None) -> str:
    """Return the Methods and all tables, with a comment about their origin and the packages they need."""
    warning = unread_warning(report, names)
    parts = [_comment(report, names), *([rf"\paragraph{{Warning.}} {escaped(warning)}"] if warning else [])]
    parts += _methods(methods_of(report, names, record))
    return "\n\n".join([*parts, *latex_tables(document_grids(report, names, record)).values()]) + "\n"


def _methods(methods: Methods) -> Iterator[str]:
    for paragraph in methods.paragraphs:
        yield rf"\paragraph{{{escaped(paragraph.title)}.}} {escaped(paragraph.text)}"
    if methods.references:
        yield r"\paragraph{References.} " + " ".join(escaped(reference.words) for reference in methods.references)


def latex_tables(grids: Iterable[Grid]) -> dict[str, str]:
    """Return each table with its caption, label and note, by its key. Labels are unique across one paper."""
    tables: dict[str, str] = {}
    used_labels: set[str] = set()
    for grid in grids:
        plain = re.sub("[^a-z0-9]+", "-", grid.key.lower()).strip("-") or "metadata"
        label = next(name for name in chain([plain], (f"{plain}-{n}" for n in count(2))) if name not in used_labels)
        used_labels.add(label)
        first, *rest = _pages(grid)
        tables[grid.key] = "\n\n".join([_table(first, rf"\label{{tab:{label}}}"), *map(_continued_table, rest)])
    return tables


def _pages(grid: Grid) -> Iterator[Grid]:
    """Yield parts of about equal length, at most one page each; the note is below the last."""
    lines = [max(_lines(grid, column, text) for column, text in enumerate(row)) for row in grid.rows]
    line = _LINE if grid.fitted else _LINE // 2  # a compact table fits one of two columns
    most = max(_PAGE // 4, _PAGE - math.ceil(len(grid.note) / line))
    parts = math.ceil(sum(lines) / most)
    begin = used_lines = 0
    for row_number, needed in enumerate(lines):
        if begin < row_number and used_lines + needed > math.ceil(sum(lines) / parts):
            yield replace(grid, rows=grid.rows[begin:row_number], note="")
            begin, used_lines = row_number, 0
        used_lines += needed
    yield replace(grid, rows=grid.rows[begin:])


def _lines(grid: Grid, column: int, text: str) -> int:
    if column in grid.wraps:
        return math.ceil(len(text) / (_LINE * _WRAPPED / len(grid.wraps)))
    if column < grid.labels and has_flexible_labels(grid):
        return math.ceil(len(text) / _FLEXIBLE)
    return 2 if _INTERVAL.fullmatch(text) else 1


def _continued_table(grid: Grid) -> str:
    part = replace(grid, title=f"{grid.title} (continued)")
    return _table(part, "", r"\addtocounter{table}{-1}")


def _table(grid: Grid, label: str, number: str = "") -> str:
    columns = "".join(_column(grid, column) for column in range(len(grid.head)))
    columns = columns if grid.fitted else f"@{{}}{columns}@{{}}"
    note = [rf"\par\smallskip\footnotesize {escaped(grid.note)}"] if grid.note else []
    lines = [
        r"\begin{table}",
        r"\centering"
        + (
            r"\footnotesize"
            if len(grid.head) > (_MANY_COLUMNS if grid.fitted else _MANY_COMPACT_COLUMNS)
            else r"\small"
        )
        + rf"\setlength{{\tabcolsep}}{{{4 if grid.fitted else 3}pt}}",
        rf"{number}\caption{{{escaped(grid.title)}}}",
        *filter(None, [label]),
        _begin(grid, columns),
        r"\toprule",
        _row([_head(grid, column) for column in range(len(grid.head))]),
        r"\midrule",
        *(_row(_cell(text, wrapped=_wraps(grid, column)) for column, text in enumerate(row)) for row in grid.rows),
        r"\bottomrule",
        (r"\end{tabularx}" if has_flexible_labels(grid) else r"\end{tabular}") + ("}" if grid.fitted else ""),
        *note,
        r"\end{table}",
    ]
    return "\n".join(lines)


def _begin(grid: Grid, columns: str) -> str:
    if has_flexible_labels(grid):
        return rf"\begin{{tabularx}}{{\linewidth}}{{{columns}}}"
    return rf"{_FITTED if grid.fitted else ''}\begin{{tabular}}{{{columns}}}"


def has_flexible_labels(grid: Grid) -> bool:
    """Return whether labels take what the figures leave of the column (tabularx): in compact tables with long ones."""
    return not grid.fitted and (grid.labels > 1 or any(len(row[0]) > _MAX_LABEL_LENGTH for row in grid.rows))


def _wraps(grid: Grid, column: int) -> bool:
    return column in grid.wraps or (column < grid.labels and has_flexible_labels(grid))


def _column(grid: Grid, column: int) -> str:
    if column < grid.labels and has_flexible_labels(grid):
        return "X"
    if column in grid.wraps:
        return rf"p{{{_WRAPPED / len(grid.wraps):.2f}\linewidth}}"
    return "l" if column < grid.labels else "r"


def escaped(text: str) -> str:
    """Escape text for LaTeX."""
    return _SPECIAL.sub(lambda found: _WRITTEN[found[0]], " ".join(show_direction_marks(text).split()))


def _row(cells: Iterable[str]) -> str:
    # LaTeX would take a bracket at the beginning of a row for the argument of the preceding line break.
    return " & ".join(f"{{{cell}}}" if cell.startswith("[") else cell for cell in cells) + r" \\"


def _cell(text: str, *, wrapped: bool) -> str:
    if wrapped:
        return _RAGGED + escaped(text)
    interval_match = _INTERVAL.fullmatch(text)
    if not interval_match:
        return escaped(text)
    return _two_lines(
        "t",
        "r",
        escaped(interval_match["estimate"] + (interval_match["counts"] or "")),
        escaped(interval_match["interval"]),
    )


def _head(grid: Grid, column: int) -> str:
    words = grid.head[column].split()
    if len(grid.head[column]) <= _MAX_HEAD_LENGTH or len(words) < 2 or _wraps(grid, column):
        return escaped(grid.head[column])
    cut = min(range(1, len(words)), key=lambda n: max(len(" ".join(words[:n])), len(" ".join(words[n:]))))
    return _two_lines("b", _column(grid, column), escaped(" ".join(words[:cut])), escaped(" ".join(words[cut:])))


def _two_lines(stands: str, column: str, first: str, second: str) -> str:
    return rf"\begin{{tabular}}[{stands}]{{@{{}}{column}@{{}}}}{first}\\{{}}{second}\end{{tabular}}"


def _comment(report: Report, names: Names) -> str:
    data, method, protocol = report.data, report.method, report.protocol
    origin = (
        f"% Data {data.sha256}, protocol {protocol.slug} {protocol.version}, seed {method.seed}, "
        f"{method.resamples} resamples of {method.cluster}s."
    )
    # One line: a line break in a name would end the comment.
    choices_text = " ".join(show_direction_marks(filters_note(report, names)).split())
    return "\n".join([NEEDS, origin, *([f"% {choices_text}"] if choices_text else [])])
