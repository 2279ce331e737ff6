"""The two layouts of a figure: for a page or a paper, and for the screen of a phone."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    """Widths of the parts of a figure.

    `ending` ends the figure's name, `row` and `panel` are pixels: of the panels beside each other, and of a panel
    that has the row for itself. `name`, `pair`, `title` and `note` are characters of a line: of a name beside a panel,
    of a pair of systems, of a panel's title, and of a note below. `columns` are those of a legend.
    """

    ending: str
    row: int
    panel: int
    name: int
    pair: int
    title: int
    note: int
    columns: int

    @property
    def is_narrow(self) -> bool:
        """Whether panels are below each other."""
        return bool(self.ending)


WIDE = Layout(ending="", row=560, panel=340, name=28, pair=44, title=999, note=999, columns=5)
NARROW = Layout(ending="-narrow", row=190, panel=150, name=14, pair=14, title=28, note=40, columns=1)


def in_layout(panels: list[dict[str, object]], layout: Layout) -> dict[str, object]:
    """Return the chart of these panels: beside each other, or below."""
    return {"vconcat" if layout.is_narrow else "hconcat": panels}


def layout_of(name: str) -> tuple[str, Layout]:
    """Return the figure and the layout that a name such as `options-narrow` stands for."""
    plain = name.removesuffix(NARROW.ending)
    return plain, WIDE if plain == name else NARROW
