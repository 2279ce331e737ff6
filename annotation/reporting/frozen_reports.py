"""The frozen reports of a project, and the one that represents it."""

from django.db.models import JSONField, Q, QuerySet
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Cast

from ..models import Project, Report
from . import report


def frozen_reports(project: Project) -> QuerySet[Report]:
    """Newest first, without what is large in them, but with their `filters` and `method` as the documents have them."""
    document = Cast("document", JSONField())
    reports = Report.objects.filter(project=project).select_related("project__protocol", "frozen_by")
    return reports.defer("figures", "document").annotate(
        filters=KeyTransform("filters", document), method=KeyTransform("method", document)
    )


def current_report(project: Project) -> Report | None:
    """The newest report of all ratings that count; of a project that has only reports of a part, the newest of them."""
    reports = frozen_reports(project)
    return reports.filter(Q(filters={}) | Q(filters__isnull=True)).first() or reports.first()


def stored_report(frozen: Report) -> report.Report:
    """Decode the document of a frozen report."""
    return report.Report.from_json(frozen.document)
