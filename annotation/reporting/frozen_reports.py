"""The frozen reports of a project, and which of them stands for it."""

from typing import Any

from django.db.models import JSONField, Q, QuerySet
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from ..i18n.unit_names import unit_words
from ..models import Project, Report
from .choices import PROMPT
from .text.provenance import filters_in_words


def frozen_reports(project: Project) -> QuerySet[Report]:
    """Newest first, without what is large in them, but with their `filters` and `method` as the documents have them."""
    document = Cast("document", JSONField())
    found = Report.objects.filter(project=project).select_related("project__protocol", "frozen_by")
    return found.defer("figures", "document").annotate(
        filters=KeyTransform("filters", document), method=KeyTransform("method", document)
    )


def standing_report(project: Project) -> Report | None:
    """The newest report of all ratings that count; of a project that has only reports of a part, the newest of them."""
    found = frozen_reports(project)
    return found.filter(Q(filters={}) | Q(filters__isnull=True)).first() or found.first()


def as_clusters(cluster: str) -> str:
    """documents as clusters."""
    return _("%(clusters)s as clusters") % {"clusters": unit_words(cluster, 2)}


def choices_in_words(filters: dict[str, Any] | None, method: dict[str, Any], unit: str) -> list[str]:
    """What a lead chose about a report: its filters, and clusters that are not prompts. Empty for the usual report."""
    cluster = method["cluster"]
    return [*filters_in_words(filters or {}, unit), *([as_clusters(cluster)] if cluster != PROMPT else [])]
