"""The analysis plan in a provenance record: deviations of the report, and the planned tests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ....i18n.english import localized
from ....i18n.unit_names import unit_words
from ....protocols.analysis_plan import AUTO
from ...planning.figures import RatingSummary
from ...provenance_record import PlanRecord
from ...report import Report
from ...tables import Column, Row, Table, TidyRow
from ...tables.kinds import LABEL, RUNNING_TEXT, P
from ...text.figure_format import coefficient, points_range
from ...text.names import Names
from ..differences.significance import TestFamily, detectable_differences
from ..names import DEVIATIONS, EARLIER_DEVIATIONS, PLANNED_TESTS


def tables(plan: PlanRecord, names: Names) -> Iterator[Table]:
    columns = [Column("Topic", LABEL), Column("Planned", RUNNING_TEXT), Column("Reported", RUNNING_TEXT)]
    for table, check in ((DEVIATIONS, plan), (EARLIER_DEVIATIONS, plan.earlier)):
        if check is None or not check.deviations:
            continue
        rows, tidy_rows = [], list[TidyRow]()
        for row in check.deviations:
            values = [values_in_words(row.topic, side, names) for side in (row.planned, row.actual)]
            rows.append(Row([topic_name(row.topic), *values]))
            for side, raw in (("planned", row.planned), ("reported", row.actual)):
                tidy_rows.append({"table": table, "figure": row.topic, "key": side, "value": ", ".join(raw)})
        title = f"Deviations from version {check.version} of the analysis plan"
        yield Table(table, title, columns, rows, rows_of_csv=partial(iter, tidy_rows))
    if plan.tests:
        columns = [
            Column("Systems", LABEL),
            Column("Measure", LABEL),
            Column("p", P),
            Column("p, adjusted over the family", P),
        ]
        rows = [
            Row([f"{test.a} − {test.b}", names.measure(test.measure), test.p, test.p_family]) for test in plan.tests
        ]
        note = f"Holm’s adjustment covers {plan.family_size} {'test' if plan.family_size == 1 else 'tests'}."
        tidy_rows = [
            {
                "table": PLANNED_TESTS, "system": test.a, "value": test.b, "figure": "difference",
                "key": test.measure, "p": test.p, "p_holm": test.p_family,
            }
            for test in plan.tests
        ]  # fmt: skip
        rows_of_csv = partial(iter, tidy_rows)
        yield Table(PLANNED_TESTS, "Planned comparisons", columns, rows, note, rows_of_csv=rows_of_csv)


TOPICS = {
    "measures": "Measures",
    "unit": "Sampling unit",
    "comparisons": "Comparisons",
    "seed": "Seed",
    "resamples": "Resamples",
    "answers": "Answers",
    "least_gold": "Accuracy on gold, at least",
    "least_seconds": "Seconds on a rating, at least",
    "without_raters": "Raters excluded",
    "systems": "Only systems",
    "metadata": "Only prompts",
    "target": "Half-width of the intervals, at most",
}


def topic_name(topic: str) -> str:
    return TOPICS.get(topic, topic)


def values_in_words(topic: str, values: Sequence[str], names: Names) -> str:
    """Return the values of a topic in words; `none` without one."""
    if not values:
        return "none"
    if topic == "measures":
        return ", ".join(names.measure(value) for value in values)
    if topic == "unit":
        return ", ".join("by the rule" if value == AUTO else unit_words(value, 2) for value in values)
    if topic == "least_gold":
        return ", ".join(localized(f"{100 * float(value):.3g} %") for value in values)
    if topic == "target":
        return ", ".join(f"{localized(f'{100 * float(value):.3g}')} points" for value in values)
    return ", ".join(values)


@dataclass(frozen=True)
class ReportedPower:
    """The range of detectable differences of the pairs of a measure in a report, in points, over the number of `tests`
    of the family, and the `inputs` in which a plan from the figures of one system differs, as phrases.
    """

    range: str
    tests: int
    inputs: str


def reported_power(
    report: Report, rated: RatingSummary, measure: str, system: str | None, family: TestFamily
) -> ReportedPower | None:
    """Return what the report's own differences detect with 80 % power, alpha over the family; None without such
    intervals.
    """
    values = detectable_differences(report, family).get(measure)
    if not values:
        return None
    inputs = [
        f"the figures of {system} are used for both systems",
        "the other proportion lies nearer to one half, where variances are larger",
    ]
    least_icc = rated.by_measure.get(measure, {}).get(system or "", {}).get("least_icc")
    if least_icc is not None and least_icc < 0:
        inputs.insert(0, f"intraclass correlations below 0 count as 0 (here down to {coefficient(least_icc)})")
    if len(values) > 1:
        inputs.append("the correlation between systems is the mean over all pairs")
    return ReportedPower(points_range(values), family.size, "; ".join(inputs))
