"""Tables in a self-contained HTML file."""

from html import escape as escape_html

from ..text.names import show_direction_marks
from .table import Kind, Table


def table_in_html(table: Table) -> str:
    head = "".join(
        f'<th scope="col"{_class(kind)}>{escaped(word)}</th>'
        for word, kind in zip(table.head, table.kinds, strict=True)
    )
    rows = "\n".join(
        "<tr>" + "".join(
            f'<th scope="row">{escaped(value.words)}</th>' if kind.place == "label"
            else f"<td{_class(kind)}>{escaped(value.words)}</td>"
            for value, kind in zip(row, table.kinds, strict=True)
        ) + "</tr>"
        for row in table.cells
    )  # fmt: skip
    note = f'\n<p class="note">{escaped(table.note)}</p>' if table.note else ""
    return (
        f'<h2>{escaped(table.title)}</h2>\n<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>{note}"
    )


def escaped(text: str) -> str:
    return escape_html(show_direction_marks(text))


def _class(kind: Kind) -> str:
    return ' class="figure"' if kind.place == "number" else ""
