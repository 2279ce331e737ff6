"""The differences between systems, by the report's sampling unit and by prompt, and the ranks of the systems."""

from collections.abc import Iterator, Sequence

from ...report import Report
from ...tables import Column, Figure, Row, Table
from ...tables.kinds import COUNT, INTERVAL, LABEL, PLAIN, POINTS, TEXT, P
from ...text.figure_format import UNDEFINED, points, points_between
from ...text.names import Names
from ..proportions.tables import BY_PROMPT, asymmetric_note, is_asymmetric
from .figures import Comparison
from .significance import is_significant
from .text import comparison_note, no_interval

RANK_NOTE = (
    "Rank 1 is the best value, the highest where neither end is better. Intervals: 95 % percentile intervals over the "
    "resamples, one system at a time. A one-value rank interval does not imply a significant difference."
)


def tables(report: Report, names: Names) -> Iterator[Table]:
    rows, title = report.comparisons, "Differences between systems"
    if rows:
        note = comparison_note(rows, report.method.cluster, studentized=report.is_studentized)
        asymmetric = [
            f"{names.measure(row.measure).lower()}, {row.a} − {row.b}: {points_between(row.low, row.high)}"
            for row in rows
            if is_asymmetric(row.difference, row.low, row.high)
        ]
        compact = " ".join(filter(None, ["± half the width of the 95 % interval.", note, asymmetric_note(asymmetric)]))
        yield differences("comparisons", title, rows, note, names, report.method.cluster, compact)
    if any(row.by_prompt for row in rows):
        yield by_prompt("comparisons_by_prompt", title, rows, names)
    if report.ranks:
        columns = [
            Column("Measure", LABEL),
            Column("System", LABEL),
            Column("Rank", PLAIN, figure="rank"),
            Column("95 % interval", INTERVAL),
        ]
        values = []
        for rank in report.ranks:
            low, high = rank.low, rank.high
            bounds = UNDEFINED if low is None or high is None else f"{low:g} to {high:g}"
            bounds = f"{low:g}" if low is not None and low == high else bounds
            figure = Figure.of(rank, estimate=rank.rank)
            where = {"system": rank.system, "key": rank.measure}
            values.append(Row([names.measure(rank.measure), rank.system, figure, bounds], where))
        # Beside "no two systems differ" a rank interval of one value would be misread.
        yield Table("ranks", "Ranks of the systems", columns, values, RANK_NOTE, on_request=True)


def differences(
    key: str, title: str, rows: Sequence[Comparison], note: str, names: Names, cluster: str, compact: str | None = None
) -> Table:
    head = "Difference, points" if key == "comparisons" else "Difference"
    columns = [
        Column("Measure", LABEL),
        Column("Systems", LABEL),
        Column(head, POINTS, figure="difference"),
        Column("p", P, shown="full"),
        Column("p (Holm)", P),
        Column("Prompts in common", COUNT, shown="full"),
        Column("Conclusion", TEXT, shown="page"),
    ]
    values = []
    for row in rows:
        bounds, lines = row.by_prompt, []
        if bounds is not None and bounds.low is not None:
            lines = [("", f"by prompt: {points_between(bounds.low, bounds.high)}")]
        figure = Figure.of(row, estimate=row.difference, n=row.prompts, after=no_interval(row, cluster), lines=lines)
        labels = [names.measure(row.measure), f"{row.a} − {row.b}"]
        values.append(Row([*labels, figure, row.p, row.p_holm, row.prompts, _conclusion(row, names)], _where(row)))
    return Table(key, title, columns, values, note, compact_note=compact)


def by_prompt(key: str, title: str, rows: Sequence[Comparison], names: Names) -> Table:
    head = "Difference, points" if key == "comparisons_by_prompt" else "Difference"
    columns = [Column("Measure", LABEL), Column("Systems", LABEL), Column(head, POINTS, figure="difference")]
    values = []
    for row in rows:
        bounds, difference = row.by_prompt, row.difference
        figure = Figure.of(bounds, estimate=difference, n=row.prompts) if bounds else points(difference)
        values.append(Row([names.measure(row.measure), f"{row.a} − {row.b}", figure], _where(row)))
    return Table(key, f"{title}, prompts as units", columns, values, BY_PROMPT)


def _where(row: Comparison) -> dict[str, str]:
    return {"system": row.a, "value": row.b, "key": row.measure}


def _conclusion(row: Comparison, names: Names) -> str:
    """Return "Heron 2 is better", "… is higher" if neither direction is better, or why there is no order."""
    if is_significant(row) and row.difference:
        better = names.better(row.measure)
        winner = row.a if (row.difference > 0) == (better != "lower") else row.b
        return f"{winner} is {'higher' if better == 'neither' else 'better'}"
    if not row.prompts:
        return "no prompts in common"
    return "not tested" if row.p_holm is None else "no significant difference"
