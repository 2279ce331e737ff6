"""The analysis plan on the page of a frozen report: as planned, or each deviation, and its adjusted tests."""

from dataclasses import asdict, dataclass
from urllib.parse import urlencode

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...protocols.analysis_plan import BY_MEASURE, PLANNED, WHOLE_REPORT, AnalysisPlan
from ...reporting.choices import Choices
from ...reporting.provenance_record import Deviation, FamilyTest, PlanCheck, PlanRecord, Provenance
from ...reporting.text.names import Names
from ...reporting.text.plan_deviations import topic_name, values_in_words

PROVENANCE = "provenance.json"
MAX_TESTS = 60  # on a page; the record has all
FAMILIES = {
    BY_MEASURE: gettext_lazy("all pairs of systems on one measure"),
    WHOLE_REPORT: gettext_lazy("all pairs of systems on all measures of the report"),
    PLANNED: gettext_lazy("the planned comparisons on the planned measures"),
}


@dataclass(frozen=True)
class DeviationRow:
    """A topic with what was planned and what the report has, in words."""

    topic: str
    planned: str
    actual: str


@dataclass(frozen=True)
class CheckBlock:
    """The report against one version. `stored`: its time in words."""

    version: int
    sha256: str
    stored: str
    before_first_rating: bool
    deviations: list[DeviationRow]


@dataclass(frozen=True)
class PlanBlock:
    """The plan of a report: `check` of the newest version, `earlier` of the one before the first rating; `tests` with
    the label of their measure, and how many `more` there are; `unplanned` measures by label.
    """

    check: CheckBlock
    earlier: CheckBlock | None
    family: str
    size: int
    tests: list[tuple[FamilyTest, str]]
    more: int
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
    return PlanBlock(
        check=_check(plan, names),
        earlier=_check(plan.earlier, names) if plan.earlier else None,
        family=str(FAMILIES[plan.family]),
        size=plan.family_size,
        tests=[(test, names.measure(test.measure)) for test in plan.tests[:MAX_TESTS]],
        more=max(0, len(plan.tests) - MAX_TESTS),
        unplanned=[names.measure(key) for key in plan.unplanned],
    )


def _check(check: PlanCheck, names: Names) -> CheckBlock:
    return CheckBlock(
        version=check.version,
        sha256=check.sha256,
        stored=_time(check.stored_at),
        before_first_rating=check.before_first_rating,
        deviations=[_row(deviation, names) for deviation in check.deviations],
    )


def _time(stored_at: str) -> str:
    stored = parse_datetime(stored_at)
    if not stored:
        return stored_at
    written = date_format(stored, _("j F Y, H:i"))
    return f"{written} UTC"


def _row(deviation: Deviation, names: Names) -> DeviationRow:
    planned, actual = (values_in_words(deviation.topic, side, names) for side in (deviation.planned, deviation.actual))
    return DeviationRow(topic_name(deviation.topic), planned, actual)
