"""The differences between systems, by the report's sampling unit and by prompt, and the ranks of the systems."""

from collections.abc import Iterator, Sequence

from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import COUNT, INTERVAL, LABEL, PLAIN, POINTS, TEXT, P
from ...text import figure_format
from ...text.names import Names
from ..proportions.tables import BY_PROMPT, asymmetric_note, is_asymmetric
from . import text as comparison_notes
from .figures import Comparison
from .significance import is_significant
from .text import no_interval

RANK_NOTE = (
    "Rank 1 is the best value, the highest where neither end is better. Intervals: 95 % percentile intervals over the "
    "resamples, one system at a time. A one-value rank interval does not imply a significant difference."
)


def tables(report: Report, names: Names) -> Iterator[Table]:
    """Yield the table of differences, that of intervals by prompt, and that of ranks."""
    rows, cluster = report.comparisons, report.method.cluster
    if rows:
        note = comparison_notes.comparison_note(rows, cluster, studentized=report.is_studentized)
        asymmetric = [
            f"{names.measure(row.measure).lower()}, {row.a} − {row.b}: "
            f"{figure_format.points_between(row.low, row.high)}"
            for row in rows
            if is_asymmetric(row.difference, row.low, row.high)
        ]
        compact = " ".join(filter(None, ["± half the width of the 95 % interval.", note, asymmetric_note(asymmetric)]))
        yield differences("comparisons", "Differences between systems", rows, note, names, cluster, compact)
    if any(row.by_prompt for row in rows):
        yield by_prompt("comparisons_by_prompt", "Differences between systems", rows, names)
    if report.ranks:
        yield Table(
            "ranks",
            "Ranks of the systems",
            [
                Column("Measure", LABEL),
                Column("System", LABEL),
                Column("Rank", PLAIN, figure="rank"),
                Column("95 % interval", INTERVAL),
            ],
            [
                Row(
                    [
                        names.measure(row.measure),
                        row.system,
                        Figure.of(row, estimate=row.rank),
                        _from_to(row.low, row.high),
                    ],
                    {"system": row.system, "key": row.measure},
                )
                for row in report.ranks
            ],
            RANK_NOTE,
            # Beside "no two systems differ" a rank interval of one value would be misread.
            on_request=True,
        )  # fmt: skip


def differences(
    key: str, title: str, rows: Sequence[Comparison], note: str, names: Names, cluster: str, compact: str | None = None
) -> Table:
    """Return every pair of systems: difference in points with its interval, p and p after Holm."""
    columns = [
        Column("Measure", LABEL),
        Column("Systems", LABEL),
        Column("Difference", POINTS, figure="difference"),
        Column("p", P, shown="full"),
        Column("p (Holm)", P),
        Column("Prompts", COUNT, shown="full"),
        Column("Conclusion", TEXT, shown="page"),
    ]
    values = [
        Row(
            [
                names.measure(row.measure),
                f"{row.a} − {row.b}",
                Figure.of(
                    row, estimate=row.difference, n=row.prompts, after=no_interval(row, cluster), lines=_by_prompt(row)
                ),
                row.p,
                row.p_holm,
                row.prompts,
                _conclusion(row, names),
            ],
            where_of(row),
        )
        for row in rows
    ]
    return Table(key, title, columns, values, note, compact_note=compact)


def by_prompt(key: str, title: str, rows: Sequence[Comparison], names: Names) -> Table:
    """Return every pair of systems with the interval by prompt."""

    def difference(row: Comparison) -> object:
        if row.by_prompt is None:
            return figure_format.points(row.difference)
        return Figure.of(row.by_prompt, estimate=row.difference, n=row.prompts)

    columns = [
        Column("Measure", LABEL),
        Column("Systems", LABEL),
        Column("Difference", POINTS, figure="difference"),
    ]
    values = [Row([names.measure(row.measure), f"{row.a} − {row.b}", difference(row)], where_of(row)) for row in rows]
    return Table(key, f"{title}, prompts as units", columns, values, BY_PROMPT)


def _by_prompt(row: Comparison) -> list[tuple[str, str]]:
    bounds = row.by_prompt
    if bounds is None or bounds.low is None:
        return []
    return [("", f"by prompt: {figure_format.points_between(bounds.low, bounds.high)}")]


def _conclusion(row: Comparison, names: Names) -> str:
    """Return "Heron 2 is better", "… is higher" if neither direction is better, or why there is no order."""
    if is_significant(row) and row.difference:
        better = names.better(row.measure)
        winner = row.a if (row.difference > 0) == (better != "lower") else row.b
        return f"{winner} is {'higher' if better == 'neither' else 'better'}"
    if not row.prompts:
        return "no prompts in common"
    return "not tested" if row.p_holm is None else "no significant difference"


def where_of(row: Comparison) -> dict[str, str]:
    return {"system": row.a, "value": row.b, "key": row.measure}


def _from_to(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return figure_format.UNDEFINED
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
