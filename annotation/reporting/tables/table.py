"""The classes of a table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

MAX_ROWS = 600
"""Of a table on a page; the files have all."""
TidyRow = dict[str, str | float | None]
"""A row of tidy CSV: one figure, in the columns of `tidy.COLUMNS`."""


NUMBERS = ("k", "n", "estimate", "low", "high", "method", "deff", "icc", "p", "p_holm")
"""The columns of tidy CSV that hold a figure."""


@dataclass(frozen=True)
class Figure:
    """A number of a report with what is known of it: the columns of tidy CSV have the same names.

    `after` follows it in tables for people. `lines` are what a page has below it in addition: (key, words). Not
    `is_shown`: only in tidy CSV. `kind`: where it is not that of its column.
    """

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    k: float | None = None
    n: float | None = None
    method: str | None = None
    deff: float | None = None
    icc: float | None = None
    p: float | None = None
    p_holm: float | None = None
    after: str = ""
    lines: Sequence[tuple[str, str]] = ()
    is_best: bool = False
    is_shown: bool = True
    kind: "Kind | None" = None

    @property
    def numbers(self) -> TidyRow:
        """What is known of it, by the columns of tidy CSV."""
        return {name: getattr(self, name) for name in NUMBERS}

    @classmethod
    def between(cls, value: float | None, bounds: Sequence[float] | None, n: float) -> "Figure":
        """Return an estimate with the bounds of its interval, if it has one."""
        low, high = bounds or (None, None)
        return cls(value, low, high, n=n)

    @classmethod
    def of(cls, part: object, **more: object) -> "Figure":
        """Return the figure that a part of a report holds, with `more` or other values."""
        names = ("low", "high", "k", "n", "method", "p", "p_holm")
        values = {name: getattr(part, name) for name in names if hasattr(part, name)}
        return cls(**{"estimate": getattr(part, "value", None), **values, **more})


@dataclass(frozen=True)
class Shown:
    """A value as people read it: figure, interval with the mark of its method, counts, and what follows.

    Not `is_number`: a name, or a word for what is undefined.
    """

    text: str
    interval: str = ""
    mark: str = ""
    counts: str = ""
    after: str = ""
    lines: Sequence[tuple[str, str]] = ()
    is_best: bool = False
    is_number: bool = True

    @property
    def counts_in_words(self) -> str:
        """The counts on a page: 31 of 40; n = 12."""
        return self.counts.replace("/", " of ") if "/" in self.counts else f"n = {self.counts}"

    @property
    def words(self) -> str:
        """All on one line: 86.9 % [84.1 – 89.3] (523/602)."""
        interval = f"[{self.interval}]{self.mark}" if self.interval else ""
        counts = f"({self.counts})" if self.counts else ""
        return " ".join(filter(None, [self.text, interval, counts, self.after]))


def no_bounds(low: float, high: float) -> str:
    """Show no interval."""
    return ""


@dataclass(frozen=True)
class Kind:
    """How the values of a column look: words of one value, of an interval and of counts.

    `place` is where a column stands: a label names the row, a number is aligned to the right. `scale` turns half the
    width of an interval into the unit of the words; kinds without one have no compact form of their own.
    """

    words: Callable[[float], str]
    bounds: Callable[[float, float], str] = no_bounds
    counts: Callable[[Figure], str] = lambda figure: ""
    undefined: str = "–"
    place: Literal["label", "text", "number"] = "number"
    wraps: bool = False
    scale: float | None = None
    is_marked: bool = False
    has_counts_of_nothing: bool = False
    shows_count: bool = False

    @property
    def has_interval(self) -> bool:
        return self.place == "number" and (self.scale is not None or self.bounds is not no_bounds)

    def show(self, value: object, *, is_compact: bool = False, is_mixed: bool = False) -> Shown:
        """Return a value in words; `is_mixed`: some intervals of the table are resampled, so others have a mark."""
        figure = value if isinstance(value, Figure) else None
        if figure and figure.kind and figure.kind is not self:
            return figure.kind.show(value, is_compact=is_compact, is_mixed=is_mixed)
        number = figure.estimate if figure else value
        if figure and self.shows_count and number is None:
            number = figure.n if figure.k is None else figure.k
        if isinstance(number, str):
            return Shown(number, is_number=False)
        if figure and not figure.is_shown:
            return Shown(self.undefined, is_number=False)
        if number is None:
            counts = self.counts(figure) if figure and self.has_counts_of_nothing else ""
            return Shown(self.undefined, counts=counts, is_number=False)
        if not isinstance(number, int | float):
            raise TypeError(f"no kind of column shows {number!r}")
        if figure is None:
            return Shown(self.words(number))
        if is_compact:
            if figure.low is None or figure.high is None or self.scale is None:
                return Shown(self.words(number).removesuffix(" %"))
            return Shown(f"{self.words(number).removesuffix(' %')} ± {self.scale * (figure.high - figure.low) / 2:.1f}")
        interval = "" if figure.low is None or figure.high is None else self.bounds(figure.low, figure.high)
        mark = "†" if interval and self.is_marked and is_mixed and figure.method == "korn-graubard" else ""
        return Shown(
            self.words(number), interval, mark, self.counts(figure), figure.after, figure.lines, figure.is_best
        )


@dataclass(frozen=True)
class Column:
    """A column: its head for people, its kind and, where it holds figures of tidy CSV, their `figure` and `key`.

    `is_hidden`: only in tidy CSV or, `on_page`, only there. `is_compact`: also in the compact style. `is_secondary`: in
    smaller letters on a page.
    """

    head: str
    kind: Kind
    figure: str = ""
    key: str = ""
    is_hidden: bool = False
    is_compact: bool = True
    on_page: bool = False
    is_secondary: bool = False

    @property
    def is_plain_number(self) -> bool:
        return self.kind.place == "number" and not self.kind.has_interval

    @property
    def css_class(self) -> str:
        names = ["secondary" if self.is_secondary else "right" if self.is_plain_number else ""]
        if len(self.head) == 1:
            names.append("symbol")  # heads are in capitals, but Λ is another symbol than λ
        return " ".join(filter(None, names))


@dataclass(frozen=True)
class Row:
    """The values of a row, one for each column: text, numbers, figures, None. `where` are its columns in tidy CSV.

    `is_total`: of all systems together. `is_hidden`: only in tidy CSV; not `is_tidy`: only for people.
    """

    values: Sequence[object]
    where: Mapping[str, str] = field(default_factory=dict)
    is_total: bool = False
    is_hidden: bool = False
    is_tidy: bool = True


@dataclass(frozen=True)
class Table:
    """A table of a report. `key` names it in files, links and the API; `note` is below it.

    `for_people`: the rows in another order, or a part of them. `rows_of_csv`: its rows of tidy CSV where these do not
    follow from its figures. `is_hidden`: only in tidy CSV. `is_shown_empty`: also without rows, for its note.
    `on_request`: in no document. `compact_note`: below its compact style; None: it has none.
    """

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    note: str = ""
    for_people: Sequence[Row] | None = None
    rows_of_csv: Callable[[], Iterator[TidyRow]] | None = None
    is_hidden: bool = False
    is_shown_empty: bool = False
    on_request: bool = False
    compact_note: str | None = None
    is_compact: bool = False

    @property
    def is_for_people(self) -> bool:
        return not self.is_hidden and (self.is_shown_empty or bool(self.shown_rows))

    def compact(self) -> "Table":
        """Return the compact style, for one column of a paper: an estimate ± half the width of its interval."""
        chosen = [n for n, column in enumerate(self.columns) if column.is_compact]
        rows = [replace(row, values=[row.values[n] for n in chosen]) for row in self.shown_rows if not row.is_total]
        columns = [replace(self.columns[n], is_hidden=False) for n in chosen]
        return replace(self, columns=columns, rows=rows, for_people=None, note=self.compact_note or "", is_compact=True)

    @cached_property
    def page(self) -> "PageTable":
        """What a page shows of it."""
        columns = [replace(each, is_hidden=each.is_hidden and not each.on_page) for each in self.columns]
        table = replace(self, columns=columns)
        rows = [row for row in self.shown_rows if not (row.is_total and len(self.shown_rows) <= 2)]
        heads = [column for _, column in table.shown_columns]
        cells = [(row, list(zip(heads, table.cells_of(row), strict=True))) for row in rows[:MAX_ROWS]]
        has_foot = sum(row.is_total for row in rows) == 1 and len(rows) <= MAX_ROWS
        foot = [each for each in cells if has_foot and each[0].is_total]
        return PageTable(heads, [each for each in cells if each not in foot], foot, len(cells), len(rows))

    @cached_property
    def shown_columns(self) -> list[tuple[int, Column]]:
        """The columns for people, each with its position in the values of a row."""
        return [(n, column) for n, column in enumerate(self.columns) if not column.is_hidden]

    @cached_property
    def shown_rows(self) -> list[Row]:
        return [row for row in (self.rows if self.for_people is None else self.for_people) if not row.is_hidden]

    @cached_property
    def head(self) -> list[str]:
        return [column.head for _, column in self.shown_columns]

    @cached_property
    def kinds(self) -> list[Kind]:
        return [column.kind for _, column in self.shown_columns]

    @cached_property
    def labels(self) -> int:
        """The number of columns that name a row."""
        return sum(kind.place == "label" for kind in self.kinds)

    @cached_property
    def cells(self) -> list[list[Shown]]:
        """The values for people, row by row."""
        return [self.cells_of(row) for row in self.shown_rows]

    @property
    def texts(self) -> list[list[str]]:
        """The values as text, row by row."""
        return [[shown.words for shown in row] for row in self.cells]

    def cells_of(self, row: Row) -> list[Shown]:
        style = {"is_compact": self.is_compact, "is_mixed": self._is_mixed}
        return [column.kind.show(row.values[n], **style) for n, column in self.shown_columns]

    @cached_property
    def _is_mixed(self) -> bool:
        """Whether some intervals are resampled, so that those of the other method are marked."""
        figures = (row.values[n] for row in self.rows for n, column in self.shown_columns if column.kind.is_marked)
        return any(isinstance(value, Figure) and value.method == "bca" for value in figures)


PageRow = tuple[Row, list[tuple[Column, Shown]]]


@dataclass(frozen=True)
class PageTable:
    """The first rows of a table for a page, each cell with its column; `foot` has the one of all systems together."""

    heads: Sequence[Column]
    rows: Sequence[PageRow]
    foot: Sequence[PageRow]
    shown: int
    total: int

    @property
    def has_more(self) -> bool:
        return self.shown < self.total
