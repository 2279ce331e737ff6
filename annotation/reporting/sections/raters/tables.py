"""Raters: each one's agreement with gold and with the others, leniency and time, by week in tidy CSV."""

from collections.abc import Iterator

from ...report import Report
from ...tables import Column, Figure, Row, Table, TidyRow
from ...tables.kinds import COUNT, LABEL, POINTS, SECONDS, SHARE, TEXT
from ...tables.tidy import figures_of
from ...text import figure_format
from ...text.names import Names

NOTE = (
    "Accuracy on gold: share of the answers that equal the gold answer, all options counted. Agreement with other "
    "raters: share of the ratings that equal the majority of the other raters of the item; ties are excluded. "
    "Intervals: Wilson’s on gold, Korn-Graubard with other raters. Leniency: percentage points above (+) or below (−) "
    "the others on the same items, shrunk toward 0 (empirical Bayes). Median time: of a rating, in seconds."
)


def tables(report: Report, names: Names) -> Iterator[Table]:
    if not report.raters:
        return
    columns = [
        Column("Rater", LABEL),
        Column("Ratings", COUNT),
        Column("Assessed", COUNT, "rater", "assessed"),
        Column("", SECONDS, "rater", "seconds", shown="csv"),
        Column("Accuracy on gold", SHARE, "rater", "gold"),
        Column("", SHARE, "rater", "adjudicated", shown="csv"),
        Column("Agreement with other raters", SHARE, "rater", "leave_one_out"),
        Column("Leniency", POINTS, "rater", "leniency"),
        Column("Median time, s", SECONDS),
        Column("", SHARE, "rater", "quick", shown="csv"),
        Column("Quality alerts", TEXT),
    ]
    rows = [
        Row(
            [
                row.rater,
                row.ratings,
                Figure(k=row.assessed, n=row.ratings),
                Figure(row.seconds),
                Figure.of(row.gold),
                Figure.of(row.adjudicated),
                Figure.of(row.leave_one_out),
                Figure.of(row.leniency, n=row.leniency.items) if row.leniency else None,
                row.seconds,
                Figure.of(row.quick),
                figure_format.listed([str(flag) for flag in row.flags], "and") or "none",
            ],
            {"value": row.rater},
        )
        for row in report.raters
    ]

    def rows_of_csv() -> Iterator[TidyRow]:
        """Yield the figures of each rater, then a row for each alert."""
        for rater, row in zip(report.raters or (), rows, strict=True):
            yield from figures_of("raters", columns, row)
            for flag in rater.flags:
                yield {"table": "raters", "value": rater.rater, "figure": "flag", "key": flag}

    yield Table("raters", "Raters", columns, rows, NOTE, rows_of_csv=rows_of_csv)
    keys = ("accurate", "leave_one_out", "leniency")
    weeks = [
        Row(
            [Figure(getattr(week, key), n=week.ratings) for key in keys],
            {"value": rater.rater, "figure": week.week},
        )
        for rater in report.raters
        for week in rater.weeks
    ]
    yield Table("rater_weeks", "", [Column("", SHARE, key=key) for key in keys], weeks, is_hidden=True)
