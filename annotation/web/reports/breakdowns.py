"""Breakdowns on the report page: figures by prompt metadata, rater or week, and systems by prompt metadata."""

from dataclasses import dataclass

from ...reporting.figures import heat_keys
from ...reporting.figures.heat_map import PREFIX
from ...reporting.report import Report
from ...reporting.sections.names import table_name
from ...reporting.text import notes
from ...reporting.text.names import Names, breakdown_label, label_columns
from .measure_table import ProportionRow, rows_of

QUESTION_TYPE = "question_type"  # the default breakdown
MAX_VALUES = 200  # of one breakdown on a page; the files have all


@dataclass(frozen=True)
class Breakdown:
    """The table of a breakdown; `head` are the columns that name a row, `more` the values that are not shown, `table`
    its name in files.
    """

    key: str
    table: str
    name: str
    head: list[str]
    rows: list[ProportionRow]
    more: int
    note: str


@dataclass(frozen=True)
class HeatMap:
    """Systems by a metadata key of the prompts: the available and the selected key, and the table next to the map."""

    name: str
    by: str
    keys: list[tuple[str, str]]
    measure: str
    measures: list[tuple[str, str]]
    table: Breakdown


def heat_table(report: Report, names: Names, requested_key: str, requested_measure: str) -> HeatMap | None:
    """Return systems by a metadata key of the prompts; None in a report without one."""
    keys, measures = heat_keys(report), list(report.overall.measures)
    if not keys or not report.systems:
        return None
    requested = requested_key.removeprefix(PREFIX)
    key = requested if requested in keys else keys[0]
    measure = requested_measure if requested_measure in measures else measures[0]
    return HeatMap(
        name=breakdown_label(key, names),
        by=PREFIX + key,
        keys=[(PREFIX + each, breakdown_label(each, names)) for each in keys],
        measure=measure,
        measures=[(each, names.measure(each)) for each in measures],
        table=breakdown_table(report, names, PREFIX + key),
    )


def breakdown_keys(report: Report) -> list[str]:
    """Return the keys of the breakdowns that can be selected, without systems by something."""
    return [
        key
        for key, cells in report.by.items()
        if cells and not (key.startswith(PREFIX) and key[len(PREFIX) :] in report.by)
    ]


def selected_breakdown(report: Report, keys: list[str], requested: str) -> str:
    """Return the key of the breakdown to show, or ""."""
    informative = [key for key in keys if len(report.by[key]) > 1]
    candidates = (requested, requested.removeprefix(PREFIX), QUESTION_TYPE, *informative, *keys)
    return next((key for key in candidates if key in keys), "")


def breakdown_table(report: Report, names: Names, key: str) -> Breakdown:
    """Return the rows of one breakdown."""
    cells = report.by[key]
    return Breakdown(
        key=key,
        table=table_name(key),
        name=breakdown_label(key, names),
        head=label_columns(key, cells[0], names) if cells else [],
        rows=rows_of(cells[:MAX_VALUES], names),
        more=max(0, len(cells) - MAX_VALUES),
        note=notes.breakdown_note(report, key),
    )
