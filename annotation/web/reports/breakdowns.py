"""Breakdowns on the report page: figures by prompt metadata, rater or week, and systems by prompt metadata."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...i18n.unit_names import unit_words
from ...reporting.drawings import heat_keys
from ...reporting.drawings.heat_map import PREFIX
from ...reporting.report import Report
from ...reporting.sections.names import OPTIONS, answers_by, answers_to, table_name
from ...reporting.tables import Table
from ...reporting.text.names import Names, breakdown_label

QUESTION_TYPE = "question_type"  # the default breakdown


@dataclass(frozen=True)
class Breakdown:
    """The selected breakdown of those with `keys`, its table, and those of the answers to each question."""

    key: str
    name: str
    keys: list[tuple[str, str]]
    table: Table
    answers: Sequence[Table]


@dataclass(frozen=True)
class HeatMap:
    """Systems by a metadata key of the prompts: the available and the selected key, and the table next to the map."""

    name: str
    by: str
    keys: list[tuple[str, str]]
    measure: str
    measures: list[tuple[str, str]]
    table: Table | None
    caption: str


def heat_map(
    report: Report, names: Names, shown: Mapping[str, Table], requested_key: str, requested_measure: str
) -> HeatMap | None:
    """Return systems by a metadata key of the prompts; None in a report without one."""
    keys, measures = heat_keys(report), list(report.overall.measures)
    if not keys or not report.systems:
        return None
    requested = requested_key.removeprefix(PREFIX)
    key = requested if requested in keys else keys[0]
    return HeatMap(
        name=breakdown_label(key, names),
        by=PREFIX + key,
        keys=[(PREFIX + each, breakdown_label(each, names)) for each in keys],
        measure=requested_measure if requested_measure in measures else measures[0],
        measures=[(each, names.measure(each)) for each in measures],
        table=shown.get(table_name(PREFIX + key)),
        caption=(
            f"Darker = higher. In italics: proportions of fewer than 10 {unit_words(report.method.cluster, 2)}, which "
            "have no interval."
        ),
    )


def breakdown(report: Report, names: Names, shown: Mapping[str, Table], requested: str) -> Breakdown | None:
    """Return the requested breakdown, else the most informative one; systems by something are in the map."""
    keys = [
        key
        for key, cells in report.by.items()
        if cells and not (key.startswith(PREFIX) and key[len(PREFIX) :] in report.by)
    ]
    informative = [key for key in keys if len(report.by[key]) > 1]
    candidates = (requested, requested.removeprefix(PREFIX), QUESTION_TYPE, *informative, *keys)
    key = next((key for key in candidates if key in keys), "")
    if table_name(key) not in shown:
        return None
    answers = [OPTIONS, *map(answers_to, report.overall.questions)]
    return Breakdown(
        key=key,
        name=breakdown_label(key, names),
        keys=[(each, breakdown_label(each, names)) for each in keys],
        table=shown[table_name(key)],
        answers=[shown[name] for each in answers if (name := answers_by(each, table_name(key))) in shown],
    )
