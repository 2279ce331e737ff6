"""The analysis plan in a provenance record: deviations of the report, and the planned tests."""

from collections.abc import Iterator
from functools import partial

from ...provenance_record import PlanRecord
from ...tables import Column, Row, Table, TidyRow
from ...tables.kinds import LABEL, RUNNING_TEXT, P
from ...text.names import Names
from ..names import DEVIATIONS, EARLIER_DEVIATIONS, PLANNED_TESTS
from .text import topic_name, values_in_words


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
