"""The sample of a project: how many of its items raters were asked about, and how these were drawn."""

from django.db.models import Count, Q

from ...models import Project
from ..report import ReportSample


def sample_of(project: Project) -> ReportSample | None:
    """Return the design and its counts of items that are not retired; None if raters are asked about all."""
    if not project.sampling_design:
        return None
    rows = project.sampled_items.filter(item__retired_at=None)
    counts = rows.aggregate(items=Count("pk"), drawn=Count("pk", filter=Q(is_drawn=True)))
    return ReportSample(project.sampling_design, counts["items"], counts["drawn"])
