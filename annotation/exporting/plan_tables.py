"""Tables of the analysis plan in a provenance record: deviations of the report, and the planned tests."""

from collections.abc import Iterator

from ..reporting.provenance_record import PlanCheck, PlanRecord
from ..reporting.text import figure_format
from ..reporting.text.names import Names
from ..reporting.text.plan_deviations import topic_name, values_in_words
from .table import Grid
from .table_names import DEVIATIONS, EARLIER_DEVIATIONS, PLANNED_TESTS
from .tidy_rows import Row


def plan_grids(plan: PlanRecord, names: Names) -> Iterator[Grid]:
    """Yield the deviations from the plan, those from its version before the first rating, and the planned tests."""
    for key, check in _checks(plan):
        if check.deviations:
            yield _deviations(key, check, names)
    if plan.tests:
        yield planned_tests(plan, names)


def _checks(plan: PlanRecord) -> Iterator[tuple[str, PlanCheck]]:
    yield DEVIATIONS, plan
    if plan.earlier is not None:
        yield EARLIER_DEVIATIONS, plan.earlier


def _deviations(key: str, check: PlanCheck, names: Names) -> Grid:
    rows = [
        [topic_name(row.topic), *(values_in_words(row.topic, side, names) for side in (row.planned, row.actual))]
        for row in check.deviations
    ]
    title = f"Deviations from version {check.version} of the analysis plan"
    return Grid(key, title, ["Topic", "Planned", "Reported"], rows, labels=3, wraps=(1, 2))


def planned_tests(plan: PlanRecord, names: Names) -> Grid:
    """Return the planned comparisons with p, and p adjusted over the plan's family."""
    rows = [
        [f"{test.a} − {test.b}", names.measure(test.measure), *map(figure_format.p_value, (test.p, test.p_family))]
        for test in plan.tests
    ]
    note = f"Holm’s adjustment covers {plan.family_size} tests."
    head = ["Systems", "Measure", "p", "p, adjusted over the family"]
    return Grid(PLANNED_TESTS, "Planned comparisons", head, rows, note, 2)


def plan_rows(plan: PlanRecord) -> Iterator[Row]:
    """Yield the same as rows of CSV: `p_holm` is adjusted over the plan's family."""
    for table, check in _checks(plan):
        for row in check.deviations:
            for side, values in (("planned", row.planned), ("reported", row.actual)):
                yield {"table": table, "figure": row.topic, "key": side, "value": ", ".join(values)}
    for test in plan.tests:
        yield {
            "table": PLANNED_TESTS, "system": test.a, "value": test.b, "figure": "difference", "key": test.measure,
            "p": test.p, "p_holm": test.p_family,
        }  # fmt: skip
