"""A report as LaTeX: one floating table each, in the lines of booktabs, ready to be pasted into a paper."""

import re
from typing import Any

from ..reporting.directions import visible
from ..reporting.methods import methods_paragraph
from ..reporting.naming import Names
from ..reporting.notes import chosen_note
from .grids import Grid, grids

NEEDS = r"% Needs \usepackage{booktabs} and \usepackage[T1]{fontenc}; names in other scripts: XeLaTeX or LuaLaTeX."
_WRITTEN = {
    " %": r"\,\%", "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "−": r"$-$", "×": r"$\times$", "–": "--", "’": "'", "“": "``",
    "”": "''", "…": r"\ldots{}", "†": r"$\dagger$",
}  # fmt: skip
_SPECIAL = re.compile("|".join(map(re.escape, _WRITTEN)))


def latex_document(report: dict[str, Any], names: Names) -> str:
    """The methods paragraph and all tables, with a comment that says what they need and are made of."""
    parts = [_comment(report, names), escaped(methods_paragraph(report, names))]
    return "\n\n".join([*parts, *(latex_table(grid) for grid in grids(report, names))]) + "\n"


def latex_table(grid: Grid) -> str:
    """One table with its caption, label and note."""
    columns = "".join(_column(grid, at) for at in range(len(grid.head)))
    note = [rf"\par\smallskip\footnotesize {escaped(grid.note)}"] if grid.note else []
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(grid.title)}}}",
        rf"\label{{tab:{re.sub('[^a-z0-9]+', '-', grid.key.lower()).strip('-')}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(grid.head),
        r"\midrule",
        *map(_row, grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
        *note,
        r"\end{table}",
    ]
    return "\n".join(lines)


def _column(grid: Grid, at: int) -> str:
    if at in grid.wraps:
        return r"p{0.3\linewidth}"
    return "l" if at < grid.labels else "r"


def escaped(text: str) -> str:
    """Text that LaTeX sets as it is."""
    return _SPECIAL.sub(lambda found: _WRITTEN[found[0]], " ".join(visible(text).split()))


def _row(cells: list[str]) -> str:
    # A bracket at the beginning of a row would be taken for the argument of the line break before it.
    return " & ".join(f"{{{cell}}}" if cell.startswith("[") else cell for cell in map(escaped, cells)) + r" \\"


def _comment(report: dict[str, Any], names: Names) -> str:
    data, method, protocol = report["data"], report["method"], report["protocol"]
    made = (
        f"% Data {data['sha256']}, protocol {protocol['slug']} {protocol['version']}, seed {method['seed']}, "
        f"{method['resamples']} resamples of {method['cluster']}s."
    )
    # On one line: what a name holds must not end the comment.
    chosen = " ".join(visible(chosen_note(report, names)).split())
    return "\n".join([NEEDS, made, *([f"% {chosen}"] if chosen else [])])
