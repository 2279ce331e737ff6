"""The analysis plan on the page of a frozen report: as planned, or each deviation, and its adjusted tests."""

from dataclasses import asdict, dataclass
from urllib.parse import urlencode

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format

from ...protocols.analysis_plan import BY_MEASURE, PLANNED, WHOLE_REPORT, AnalysisPlan
from ...reporting.choices import Choices
from ...reporting.provenance_record import PlanCheck, PlanRecord, Provenance
from ...reporting.sections.analysis_plan.tables import tables
from ...reporting.sections.names import DEVIATIONS, EARLIER_DEVIATIONS, PLANNED_TESTS
from ...reporting.tables import Table
from ...reporting.text.names import Names

PROVENANCE = "provenance.json"
FAMILIES = {
    BY_MEASURE: "all pairs of systems on one measure",
    WHOLE_REPORT: "all pairs of systems on all measures of the report",
    PLANNED: "the planned comparisons on the planned measures",
}


@dataclass(frozen=True)
class CheckBlock:
    """The report against one version, with the table of deviations if there are any. `stored`: its time in words."""

    version: int
    sha256: str
    stored: str
    before_first_rating: bool
    table: Table | None


@dataclass(frozen=True)
class PlanBlock:
    """The plan of a report: `check` of the newest version, `earlier` of the one before the first rating; the table of
    planned `tests`; `unplanned` measures by label.
    """

    check: CheckBlock
    earlier: CheckBlock | None
    family: str
    size: int
    tests: Table | None
    unplanned: list[str]


@dataclass(frozen=True)
class ProvenanceBlock:
    """What the page of a frozen report shows of its record; without a `plan` the report is post hoc."""

    plan: PlanBlock | None


def provenance_block(record: Provenance | None, names: Names) -> ProvenanceBlock | None:
    """Return what the page shows; None for a report without a record."""
    return ProvenanceBlock(_plan(record.plan, names) if record.plan else None) if record else None


def planned_options(plan: AnalysisPlan) -> str:
    """Return the query of the live report under the options of the plan."""
    exclusions = asdict(plan.exclusions) | {"metadata": dict(plan.exclusions.metadata)}
    method = {"cluster": plan.unit, "seed": plan.seed, "resamples": plan.resamples}
    choices, _problems = Choices.from_mapping(exclusions | method)
    return urlencode([("live", "1"), *choices.as_query()])


def _plan(plan: PlanRecord, names: Names) -> PlanBlock:
    shown = {table.key: table for table in tables(plan, names)}
    return PlanBlock(
        check=_check(plan, shown.get(DEVIATIONS)),
        earlier=_check(plan.earlier, shown.get(EARLIER_DEVIATIONS)) if plan.earlier else None,
        family=FAMILIES[plan.family],
        size=plan.family_size,
        tests=shown.get(PLANNED_TESTS),
        unplanned=[names.measure(key) for key in plan.unplanned],
    )


def _check(check: PlanCheck, table: Table | None) -> CheckBlock:
    stored = parse_datetime(check.stored_at)
    words = f"{date_format(stored, 'j F Y, H:i')} UTC" if stored else check.stored_at
    return CheckBlock(check.version, check.sha256, words, check.before_first_rating, table)
