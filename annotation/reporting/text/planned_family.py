"""The family of tests of an analysis plan, in words, for the Methods and the notes of tables and figures."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...protocols.analysis_plan import BY_MEASURE, PLANNED
from ..provenance_record import PlanRecord, Provenance
from .figure_format import count


def has_own_family(plan: PlanRecord | None) -> bool:
    """Return whether a plan's family is not the pairs of each measure, for which the report adjusts p."""
    return plan is not None and plan.family != BY_MEASURE and any(test.p_family is not None for test in plan.tests)


def family_in_words(plan: PlanRecord) -> str:
    """Return the tests that the plan's family covers."""
    if plan.family == PLANNED:
        return _("the planned comparisons on the planned measures")
    return _("all comparisons on all measures")


def tests_in_words(tests: int) -> str:
    """Return 6 tests."""
    return ngettext("%(n)s test", "%(n)s tests", tests) % {"n": count(tests)}


def planned_family_note(record: Provenance | None) -> str:
    """Name the plan's family where it is not the pairs of a measure, for which tables have p; else ""."""
    if record is None or record.plan is None or not has_own_family(record.plan):
        return ""
    sentence = _("The family of the analysis plan is %(covered)s (%(tests)s); the Methods state p adjusted over it.")
    return sentence % {"covered": family_in_words(record.plan), "tests": tests_in_words(record.plan.family_size)}
