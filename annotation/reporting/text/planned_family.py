"""The family of tests of an analysis plan, in words, for the Methods and the notes of tables and figures."""

from ...protocols.analysis_plan import BY_MEASURE, PLANNED
from ..compute.comparisons import SIGNIFICANCE_LEVEL
from ..compute.significance import is_significant
from ..provenance_record import FamilyTest, PlanRecord, Provenance
from ..report import Report
from .figure_format import count, p_value
from .names import Names


def has_own_family(plan: PlanRecord | None) -> bool:
    """Return whether a plan's family is not the pairs of each measure, for which the report adjusts p."""
    return plan is not None and plan.family != BY_MEASURE and any(test.p_family is not None for test in plan.tests)


def family_in_words(plan: PlanRecord) -> str:
    """Return the tests that the plan's family covers."""
    if plan.family == PLANNED:
        return "the planned comparisons on the planned measures"
    return "all comparisons on all measures"


def tests_in_words(tests: int) -> str:
    """Return 6 tests."""
    return f"{count(tests)} test" if tests == 1 else f"{count(tests)} tests"


def planned_family_note(record: Provenance | None, report: Report, names: Names) -> str:
    """Name the plan's family where it is not the pairs of a measure, for which tables have p; else ""."""
    if record is None or record.plan is None or not has_own_family(record.plan):
        return ""
    sentence = "The family of the analysis plan is %(covered)s (%(tests)s); the Methods state p adjusted over it."
    values = {"covered": family_in_words(record.plan), "tests": tests_in_words(record.plan.family_size)}
    return " ".join(filter(None, [sentence % values, not_significant_over_family(record, report, names)]))


def not_significant_over_family(record: Provenance | None, report: Report, names: Names) -> str:
    """Name the differences that are significant over the pairs of a measure, but not over the plan's family; "" without
    any.
    """
    if record is None or record.plan is None or not has_own_family(record.plan):
        return ""
    significant = {(row.a, row.b, row.measure) for row in report.all_comparisons if is_significant(row)}
    tests = [
        family_test(test, names)
        for test in record.plan.tests
        if (test.a, test.b, test.measure) in significant and (test.p_family or 0) >= SIGNIFICANCE_LEVEL
    ]
    sentence = "Not significant over the family of the analysis plan: %(tests)s."
    return sentence % {"tests": "; ".join(tests)} if tests else ""


def family_test(test: FamilyTest, names: Names) -> str:
    """Return accurate, heron − tern p = .0498: p adjusted over the plan's family."""
    p = p_value(test.p_family)
    relation = "p " if p.startswith("<") else "p = "
    return f"{names.measure(test.measure).lower()}, {test.a} − {test.b} {relation}{p}"
