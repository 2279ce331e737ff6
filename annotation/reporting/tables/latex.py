"""Tables in LaTeX: each a floating booktabs table, ready for a paper.

An interval is set below its estimate, and long heads take two lines; a full table wider than the paper's column is
scaled down by LaTeX, so it fits any document class; a compact one fits as it is. A table longer than a page continues
in further floats under the same number.
"""

import math
import re
from collections.abc import Iterable, Iterator
from itertools import chain, count

from ..text.names import show_direction_marks
from .table import FormattedValue, Kind, Table

NEEDS = (
    r"% Needs \usepackage{{{packages}}} and \usepackage[T1]{{fontenc}}; names in other scripts: XeLaTeX or LuaLaTeX."
)
_FITTED = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{"
_RAGGED = r"\raggedright\let\\\tabularnewline\hspace{0pt}"
_WRITTEN = {
    " %": r"\,\%", " × ": r"~$\times$~", "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&",
    "#": r"\#", "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "−": r"$-$", "×": r"$\times$", "–": "--",
    "’": "'", "“": "``", "”": "''", "…": r"\ldots{}", "†": r"$\dagger$", "±": r"$\pm$",
}  # fmt: skip
_SPECIAL = re.compile("|".join(map(re.escape, _WRITTEN)))
_MAX_HEAD_LENGTH = 11  # letters on one line
_MAX_LABEL_LENGTH = 16  # letters of the label of a row in a table that is not scaled
_FLEXIBLE = 9  # letters of a label on one line where labels take what the figures leave
_WRAPPED = 0.5  # of the line's width, for all columns of running text together
_LINE = 72  # letters in a small font across a narrow page
_PAGE = 42  # lines of a table, including its note


def packages(table: Table) -> str:
    return f"booktabs{',tabularx' if _has_flexible_labels(table) else '' if table.is_compact else ',graphicx'}"


def tables_in_latex(tables: Iterable[Table]) -> dict[str, str]:
    """Return each table with its caption, label and note, by its key. Labels are unique across one paper."""
    texts: dict[str, str] = {}
    used_labels: set[str] = set()
    for table in tables:
        plain = re.sub("[^a-z0-9]+", "-", table.key.lower()).strip("-") or "metadata"
        label = next(name for name in chain([plain], (f"{plain}-{n}" for n in count(2))) if name not in used_labels)
        used_labels.add(label)
        floats = [_float(table, rows, is_first=n == 0, label=label) for n, rows in enumerate(_pages(table))]
        note = rf"\par\smallskip\footnotesize {escaped(table.note)}" + "\n" if table.note else ""
        texts[table.key] = "\n\n".join([*floats[:-1], floats[-1].replace("\\end{table}", f"{note}\\end{{table}}")])
    return texts


def escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: _WRITTEN[match[0]], " ".join(show_direction_marks(text).split()))


def _pages(table: Table) -> Iterator[list[list[FormattedValue]]]:
    """Yield rows in parts of about equal length, at most one page each; the note is below the last."""
    wrapped = sum(kind.wraps for kind in table.kinds)

    def lines(value: FormattedValue, kind: Kind) -> int:
        if kind.wraps:
            return math.ceil(len(value.words) / (_LINE * _WRAPPED / wrapped))
        if _wraps(table, kind):
            return math.ceil(len(value.words) / _FLEXIBLE)
        return 2 if value.interval else 1

    heights = [max(map(lines, row, table.kinds)) for row in table.cells]
    line = _LINE // 2 if table.is_compact else _LINE  # a compact table fits one of two columns
    most = max(_PAGE // 4, _PAGE - math.ceil(len(table.note) / line))
    parts = math.ceil(sum(heights) / most)
    begin = used = 0
    for number, height in enumerate(heights):
        if begin < number and used + height > math.ceil(sum(heights) / parts):
            yield table.cells[begin:number]
            begin, used = number, 0
        used += height
    yield table.cells[begin:]


def _float(table: Table, rows: list[list[FormattedValue]], *, is_first: bool, label: str) -> str:
    columns = "".join(_column(table, kind) for kind in table.kinds)
    is_small = len(table.head) > (4 if table.is_compact else 7)
    if _has_flexible_labels(table):
        begin, end = rf"\begin{{tabularx}}{{\linewidth}}{{@{{}}{columns}@{{}}}}", r"\end{tabularx}"
    elif table.is_compact:
        begin, end = rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", r"\end{tabular}"
    else:
        begin, end = rf"{_FITTED}\begin{{tabular}}{{{columns}}}", r"\end{tabular}}"
    title = table.title if is_first else f"{table.title} (continued)"
    number = "" if is_first else r"\addtocounter{table}{-1}"
    return "\n".join(
        [
            r"\begin{table}",
            rf"\centering\{'footnotesize' if is_small else 'small'}"
            rf"\setlength{{\tabcolsep}}{{{3 if table.is_compact else 4}pt}}",
            rf"{number}\caption{{{escaped(title)}}}",
            *([rf"\label{{tab:{label}}}"] if is_first else []),
            begin,
            r"\toprule",
            _row(_head(table, word, kind) for word, kind in zip(table.head, table.kinds, strict=True)),
            r"\midrule",
            *(_row(_cell(table, value, kind) for value, kind in zip(row, table.kinds, strict=True)) for row in rows),
            r"\bottomrule",
            end,
            r"\end{table}",
        ]
    )


def _has_flexible_labels(table: Table) -> bool:
    """Return whether labels take what the figures leave of the column (tabularx): in compact tables with long ones."""
    is_long = any(len(row[0].words) > _MAX_LABEL_LENGTH for row in table.cells)
    return table.is_compact and (is_long or sum(kind.place == "label" for kind in table.kinds) > 1)


def _wraps(table: Table, kind: Kind) -> bool:
    return kind.wraps or (kind.place == "label" and _has_flexible_labels(table))


def _column(table: Table, kind: Kind) -> str:
    if kind.wraps:
        return rf"p{{{_WRAPPED / sum(each.wraps for each in table.kinds):.2f}\linewidth}}"
    if kind.place == "number":
        return "r"
    return "X" if _wraps(table, kind) else "l"


def _row(cells: Iterable[str]) -> str:
    # LaTeX would take a bracket at the beginning of a row for the argument of the preceding line break.
    return " & ".join(f"{{{cell}}}" if cell.startswith("[") else cell for cell in cells) + r" \\"


def _cell(table: Table, value: FormattedValue, kind: Kind) -> str:
    if _wraps(table, kind):
        return _RAGGED + escaped(value.words)
    if not value.interval:
        return escaped(value.words)
    counts = f"({value.counts})" if value.counts else ""
    first = " ".join(filter(None, [value.text, counts, value.after]))
    return _two_lines("t", "r", escaped(first), escaped(f"[{value.interval}]{value.mark}"))


def _head(table: Table, word: str, kind: Kind) -> str:
    words = word.split()
    if len(word) <= _MAX_HEAD_LENGTH or len(words) < 2 or _wraps(table, kind):
        return escaped(word)
    cut = min(range(1, len(words)), key=lambda n: max(len(" ".join(words[:n])), len(" ".join(words[n:]))))
    return _two_lines("b", _column(table, kind), escaped(" ".join(words[:cut])), escaped(" ".join(words[cut:])))


def _two_lines(stands: str, column: str, first: str, second: str) -> str:
    return rf"\begin{{tabular}}[{stands}]{{@{{}}{column}@{{}}}}{first}\\{{}}{second}\end{{tabular}}"
