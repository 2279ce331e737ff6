"""Tables of pairs of systems with their differences."""

from collections.abc import Sequence

from ..reporting.report import Comparison
from ..reporting.text import figure_format
from ..reporting.text.differences import difference_bounds
from ..reporting.text.names import Names
from .table import Grid


def differences(key: str, title: str, comparisons: Sequence[Comparison], note: str, names: Names, cluster: str) -> Grid:
    """Return every pair of systems: difference in points with its interval, p and p after Holm."""
    rows = [
        [
            names.measure(row.measure),
            f"{row.a} − {row.b}",
            figure_format.points(row.difference),
            difference_bounds(row, cluster),
            figure_format.p_value(row.p),
            figure_format.p_value(row.p_holm),
            figure_format.count(row.prompts),
        ]
        for row in comparisons
    ]
    head = ["Measure", "Systems", "Difference", "95 % interval", "p", "p (Holm)", "Prompts"]
    return Grid(key, title, head, rows, note, 2)
