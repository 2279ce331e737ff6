"""One table for people, independent of its format."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """A table: `key` names it in files, `head` has one word per column, `rows` as many cells each; `note` is below it.

    The first `labels` columns are text, the others figures; the columns numbered in `wraps` hold running text. LaTeX
    scales a `fitted` table down to the width of its column.
    """

    key: str
    title: str
    head: list[str]
    rows: list[list[str]]
    note: str = ""
    labels: int = 1
    wraps: tuple[int, ...] = ()
    fitted: bool = True
