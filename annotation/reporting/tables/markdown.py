"""Tables in Markdown."""

from ..text.names import show_direction_marks
from .table import Table


def table_in_markdown(table: Table) -> str:
    note = [escaped(table.note)] if table.note else []
    return "\n\n".join([f"## {escaped(table.title)}", lines_of(table), *note])


def lines_of(table: Table) -> str:
    rows = [
        [
            value.words if kind.place == "number" else escaped(value.words)
            for value, kind in zip(row, table.kinds, strict=True)
        ]
        for row in table.cells
    ]
    rule = ["---:" if kind.place == "number" else "---" for kind in table.kinds]
    return "\n".join("| " + " | ".join(row) + " |" for row in ([escaped(word) for word in table.head], rule, *rows))


def escaped(text: str) -> str:
    """Escape a text so that it stays in its cell and is no markup."""
    text = show_direction_marks(text)
    for sign in "\\`*_[]<|":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
