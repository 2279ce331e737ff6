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
class FormattedValue:
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


Style = Literal["page", "file", "compact"]
"""Of a table: on a page; in a file; in one column of a paper."""
COLUMNS_OF = {
    "page": ("everywhere", "full", "page"),
    "file": ("everywhere", "full"),
    "compact": ("everywhere", "compact"),
}
"""Style -> which columns it has, by `Column.shown`."""


@dataclass(frozen=True)
class Kind:
    """How the values of a column look: words of one value, of an interval and of counts.

    `place` is where a column stands: a label names the row, a number is aligned to the right. `scale` turns half the
    width of an interval into the unit of the words; kinds without one have no compact form of their own.
    """

    words: Callable[[float], str]
    bounds: Callable[[float, float], str] | None = None
    counts: Callable[[Figure], str] = lambda figure: ""
    undefined: str = "–"
    place: Literal["label", "text", "number"] = "number"
    wraps: bool = False
    scale: float | None = None
    is_marked: bool = False
    has_counts_of_nothing: bool = False
    shows_count: bool = False

    def show(self, value: object, *, is_compact: bool = False, is_mixed: bool = False) -> FormattedValue:
        """Return a value in words; `is_mixed`: some intervals of the table are resampled, so others have a mark."""
        figure = value if isinstance(value, Figure) else None
        if figure and figure.kind and figure.kind is not self:
            return figure.kind.show(value, is_compact=is_compact, is_mixed=is_mixed)
        number = figure.estimate if figure else value
        if figure and self.shows_count and number is None:
            number = figure.n if figure.k is None else figure.k
        if isinstance(number, str):
            return FormattedValue(number, is_number=False)
        if figure and not figure.is_shown:
            return FormattedValue(self.undefined, is_number=False)
        if number is None:
            counts = self.counts(figure) if figure and self.has_counts_of_nothing else ""
            return FormattedValue(self.undefined, counts=counts, is_number=False)
        if not isinstance(number, int | float):
            raise TypeError(f"no kind of column shows {number!r}")
        if figure is None:
            return FormattedValue(self.words(number))
        bounds = None if figure.low is None or figure.high is None else (figure.low, figure.high)
        if is_compact:
            words = self.words(number).removesuffix(" %")
            if bounds is None or self.scale is None:
                return FormattedValue(words)
            return FormattedValue(f"{words} ± {self.scale * (bounds[1] - bounds[0]) / 2:.1f}")
        interval = self.bounds(*bounds) if bounds and self.bounds else ""
        mark = "†" if interval and self.is_marked and is_mixed and figure.method == "korn-graubard" else ""
        return FormattedValue(
            self.words(number), interval, mark, self.counts(figure), figure.after, figure.lines, figure.is_best
        )


@dataclass(frozen=True)
class Column:
    """A column: its head for people, its kind and, where it holds figures of tidy CSV, their `figure` and `key`.

    `shown`: for people everywhere; not in the compact style ("full"); on a page, in the compact style or in tidy CSV
    alone. `is_secondary`: in smaller letters on a page.
    """

    head: str
    kind: Kind
    figure: str = ""
    key: str = ""
    shown: Literal["everywhere", "full", "page", "compact", "csv"] = "everywhere"
    is_secondary: bool = False

    @property
    def is_plain_number(self) -> bool:
        return self.kind.place == "number" and self.kind.bounds is None

    @property
    def css_class(self) -> str:
        names = ["secondary" if self.is_secondary else "right" if self.is_plain_number else ""]
        if len(self.head) == 1:
            names.append("symbol")  # heads are in capitals, but Λ is another symbol than λ
        return " ".join(filter(None, names))


@dataclass(frozen=True)
class Row:
    """The values of a row, one for each column: text, numbers, figures, None. `where` are its columns in tidy CSV.

    `is_total`: of all systems together. `is_hidden`: only in tidy CSV.
    """

    values: Sequence[object]
    where: Mapping[str, str] = field(default_factory=dict)
    is_total: bool = False
    is_hidden: bool = False


@dataclass(frozen=True)
class Table:
    """A table of a report. `key` names it in files, links and the API; `note` is below it.

    `rows_of_csv`: its rows of tidy CSV where these are not the figures of its rows. `is_hidden`: only in tidy CSV.
    `is_shown_empty`: also without rows, for its note. `on_request`: in no document. `compact_note`: below its compact
    style; None: it has none.
    """

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    note: str = ""
    rows_of_csv: Callable[[], Iterator[TidyRow]] | None = None
    is_hidden: bool = False
    is_shown_empty: bool = False
    on_request: bool = False
    compact_note: str | None = None
    style: Style = "file"

    @property
    def is_for_people(self) -> bool:
        return not self.is_hidden and (self.is_shown_empty or bool(self.shown_rows))

    @property
    def is_compact(self) -> bool:
        return self.style == "compact"

    def compact(self) -> "Table":
        """Return the compact style, for one column of a paper: an estimate ± half the width of its interval."""
        rows = [row for row in self.shown_rows if not row.is_total]
        return replace(self, rows=rows, note=self.compact_note or "", style="compact")

    @cached_property
    def page(self) -> "PageTable":
        table = replace(self, style="page")
        heads = [column for _, column in table.shown_columns]
        rows = [row for row in self.shown_rows if not (row.is_total and len(self.shown_rows) <= 2)]
        cells = [(row, list(zip(heads, table.cells_of(row), strict=True))) for row in rows[:MAX_ROWS]]
        has_foot = sum(row.is_total for row in rows) == 1 and len(rows) <= MAX_ROWS
        foot = [each for each in cells if has_foot and each[0].is_total]
        return PageTable(heads, [each for each in cells if each not in foot], foot, len(rows))

    @cached_property
    def shown_columns(self) -> list[tuple[int, Column]]:
        """The columns of its style, each with its position in the values of a row."""
        return [(n, column) for n, column in enumerate(self.columns) if column.shown in COLUMNS_OF[self.style]]

    @cached_property
    def shown_rows(self) -> list[Row]:
        return [row for row in self.rows if not row.is_hidden]

    @cached_property
    def head(self) -> list[str]:
        return [column.head for _, column in self.shown_columns]

    @cached_property
    def kinds(self) -> list[Kind]:
        return [column.kind for _, column in self.shown_columns]

    @cached_property
    def cells(self) -> list[list[FormattedValue]]:
        return [self.cells_of(row) for row in self.shown_rows]

    @property
    def texts(self) -> list[list[str]]:
        return [[value.words for value in row] for row in self.cells]

    def cells_of(self, row: Row) -> list[FormattedValue]:
        return [
            column.kind.show(row.values[n], is_compact=self.is_compact, is_mixed=self._is_mixed)
            for n, column in self.shown_columns
        ]

    @cached_property
    def _is_mixed(self) -> bool:
        """Whether some intervals are resampled, so that those of the other method are marked."""
        figures = (row.values[n] for row in self.rows for n, column in self.shown_columns if column.kind.is_marked)
        return any(isinstance(value, Figure) and value.method == "bca" for value in figures)


PageRow = tuple[Row, list[tuple[Column, FormattedValue]]]


@dataclass(frozen=True)
class PageTable:
    """The first rows of `total` ones, each cell with its column; `foot` has the one of all systems together."""

    heads: Sequence[Column]
    rows: Sequence[PageRow]
    foot: Sequence[PageRow]
    total: int

    @property
    def has_more(self) -> bool:
        return len(self.rows) + len(self.foot) < self.total
