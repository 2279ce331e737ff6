"""Compute the provenance record of a report when it is frozen."""

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version

import numpy as np
from django.db.models import Count, Exists, OuterRef
from msgspec import structs

from ..models import AnalysisPlanVersion, Item, Project
from ..site.database_snapshot import one_snapshot
from .counted_ratings import CountedRatings, RatedResponseLength, read_counted_ratings
from .provenance_record import SCHEMA, Blinding, Lengths, PlanCheck, PlanRecord, Provenance, SystemLengths
from .rater_preparation import read_preparation, read_raters
from .report import Report
from .sections.analysis_plan.deviations import deviations, family_tests, unplanned_measures


def provenance_of(project: Project, report: Report) -> Provenance:
    """Return the record of a report that was just computed from the project's ratings."""
    with one_snapshot():
        counted = read_counted_ratings(project, report)
        raters = read_raters(project, report.raters or [])
        return Provenance(
            schema=SCHEMA,
            project=project.slug,
            title=project.title,
            dataset=project.dataset.title,
            software=report.software.factuary,
            scipy=version("scipy"),
            first_rating=_time(counted.first),
            last_rating=_time(counted.last),
            ratings=report.data.ratings,
            raters=raters,
            preparation=read_preparation(project, raters),
            blinding=_blinding(project, counted),
            overlap=project.overlap,
            splitters=counted.splitters,
            not_rated=counted.not_rated,
            nothing_to_rate=_nothing_to_rate(project, report),
            marked_claim_free=counted.marked_claim_free,
            lengths=_lengths(counted.lengths),
            guidelines=counted.guidelines,
            target=project.target_half_width,
            plan=_plan(project, report, counted.first),
        )


def _blinding(project: Project, counted: CountedRatings) -> Blinding:
    return Blinding(
        suggestions=project.suggestions,
        reference_shown=project.protocol.definition.shows_reference,
        imported=counted.imported,
    )


def _nothing_to_rate(project: Project, report: Report) -> dict[str, int]:
    """Count by system of the report the responses that have no item to rate and that no lead has excluded."""
    unit = project.protocol.definition.unit
    rated = Item.objects.filter(response=OuterRef("response"), unit=unit, rate=True, retired_at=None)
    sheets = project.sheets.filter(~Exists(rated), against=None, exclusion=None)
    names = [cell.system for cell in report.systems]
    counts = sheets.filter(response__system__name__in=names).order_by("response__system__name")
    return dict(counts.values_list("response__system__name").annotate(n=Count("pk")))


def _lengths(responses: Sequence[RatedResponseLength]) -> list[SystemLengths]:
    by_system: dict[str, list[RatedResponseLength]] = {}
    for response in responses:
        by_system.setdefault(response.system, []).append(response)
    return [
        SystemLengths(system, len(own), _length([row.items for row in own]), _length([row.words for row in own]))
        for system, own in sorted(by_system.items())
    ]


def _length(values: Sequence[int]) -> Lengths:
    """Return mean, median and CV² (variance with n - 1 over the squared mean) of a length."""
    mean = float(np.mean(values))
    cv2 = float(np.var(values, ddof=1)) / mean**2 if len(values) > 1 and mean else None
    return Lengths(mean, float(np.median(values)), cv2)


def _plan(project: Project, report: Report, first: datetime | None) -> PlanRecord | None:
    """Compare the report with the newest version of the plan, and with the last one before the first rating."""
    versions = list(AnalysisPlanVersion.objects.filter(project=project).order_by("-number"))
    if not versions:
        return None
    newest, plan = versions[0], versions[0].definition
    earlier = next((version for version in versions if _is_before(version, first)), None)
    tests, size = family_tests(plan, report)
    return PlanRecord(
        **structs.asdict(_check(newest, report, first)),
        earlier=_check(earlier, report, first) if earlier and earlier != newest else None,
        family=plan.family,
        family_size=size,
        tests=tests,
        unplanned=unplanned_measures(plan, report),
    )


def _check(version: AnalysisPlanVersion, report: Report, first: datetime | None) -> PlanCheck:
    return PlanCheck(
        version=version.number,
        sha256=version.sha256,
        stored_at=str(_time(version.created_at)),
        before_first_rating=_is_before(version, first),
        deviations=deviations(version.definition, report),
    )


def _is_before(version: AnalysisPlanVersion, first: datetime | None) -> bool:
    """Return whether the version is older than every rating, also than imported ones, which have times of their own."""
    return version.before_first_rating and (first is None or version.created_at <= first)


def _time(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment else None
