"""The analysis plan on the page of a frozen report: as planned, or each deviation, and its adjusted tests."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from urllib.parse import urlencode

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format

from ...protocols.analysis_plan import BY_MEASURE, PLANNED, WHOLE_REPORT, AnalysisPlan
from ...reporting.choices import Choices
from ...reporting.provenance_record import PlanCheck, Provenance
from ...reporting.sections.names import DEVIATIONS, EARLIER_DEVIATIONS, PLANNED_TESTS
from ...reporting.tables import Table
from ...reporting.text.names import Names

FAMILIES = {
    BY_MEASURE: "all pairs of systems on one measure",
    WHOLE_REPORT: "all pairs of systems on all measures of the report",
    PLANNED: "the planned comparisons on the planned measures",
}


def plan_page(record: Provenance | None, names: Names, shown: Mapping[str, Table]) -> dict[str, object]:
    """Return what the page shows of the plan: the report against its newest version and, if there is another, that from
    before the first rating, each with its time and deviations; the planned tests; measures that are not planned.
    """
    plan = record.plan if record else None
    if plan is None:
        return {"provenance": record}

    def check(version: PlanCheck, deviations: str) -> tuple[PlanCheck, str, Table | None]:
        stored = parse_datetime(version.stored_at)
        words = f"{date_format(stored, 'j F Y, H:i')} UTC" if stored else version.stored_at
        return version, words, shown.get(deviations)

    family = f"{FAMILIES[plan.family]}: {plan.family_size} {'test' if plan.family_size == 1 else 'tests'}"
    tests = shown.get(PLANNED_TESTS)
    return {
        "provenance": record,
        "plan_checks": [
            check(plan, DEVIATIONS),
            *([check(plan.earlier, EARLIER_DEVIATIONS)] if plan.earlier else []),
        ],
        "planned_tests": tests and replace(tests, note=f"Holm’s adjustment covers {family}."),
        "unplanned": ", ".join(map(names.measure, plan.unplanned)),
    }


def planned_options(plan: AnalysisPlan) -> str:
    exclusions = asdict(plan.exclusions) | {"metadata": dict(plan.exclusions.metadata)}
    method = {"cluster": plan.unit, "seed": plan.seed, "resamples": plan.resamples}
    choices, _problems = Choices.from_mapping(exclusions | method)
    return urlencode([("live", "1"), *choices.as_query()])
