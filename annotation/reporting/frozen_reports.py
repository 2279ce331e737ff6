"""The frozen reports of a project, and the one that represents it."""

from django.db.models import JSONField, Q, QuerySet
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Cast

from ..models import Project, Report
from . import report
from .provenance_record import Provenance


def frozen_reports(project: Project) -> QuerySet[Report]:
    """Return the reports, newest first, without their large fields, with some parts of the documents."""
    document = Cast("document", JSONField())
    reports = Report.objects.filter(project=project).select_related("project__protocol", "frozen_by")
    parts = {name: KeyTransform(name, document) for name in ("filters", "method", "inference")}
    return reports.defer("figures", "document", "provenance").annotate(**parts)


def current_report(project: Project) -> Report | None:
    """Return the newest report of all ratings that count; or else the newest report of a part."""
    reports = frozen_reports(project)
    newest = reports.first()
    if newest is None or not vars(newest)["filters"]:  # annotated above
        return newest
    return reports.filter(Q(filters={}) | Q(filters__isnull=True)).first() or newest


def stored_report(frozen: Report) -> report.Report:
    return report.Report.from_json(frozen.document)


def stored_provenance(frozen: Report) -> Provenance | None:
    """Decode the provenance record of a frozen report; None for one that was frozen before there were records."""
    return Provenance.from_dict(frozen.provenance) if frozen.provenance else None
