"""The sample of a project: how many of its items raters were asked about, and how these were drawn."""

import numpy as np
from django.db.models import Count, Q
from numpy.typing import NDArray

from ...models import Project
from ...models.rated_items import is_rated
from ...rating.counting import counted_ratings
from ..parts import ReportSample
from .arrays import Indices


def sample_of(project: Project) -> ReportSample | None:
    """Return the design and its counts of items that are not retired; None if raters are asked about all."""
    if not project.sampling_design:
        return None
    rows = project.sampled_items.filter(item__retired_at=None)
    counts = rows.aggregate(items=Count("pk"), drawn=Count("pk", filter=Q(is_drawn=True)))
    return ReportSample(project.sampling_design, counts["items"], counts["drawn"])


def count_rated(project: Project) -> int:
    """Return how many of the drawn items have a rating that counts. One query."""
    ratings = counted_ratings(project).filter(is_rated(project, "item__"))
    return ratings.aggregate(n=Count("item", distinct=True))["n"] or 0


def sample_weights(project: Project, item_id: Indices) -> NDArray[np.float64] | None:
    """Return 1/π of the items with these database ids, 1 without a stored π; None where all π are equal. One query."""
    if project.sampling_design != Project.SamplingDesign.UNCERTAIN:
        return None
    rows = project.sampled_items.filter(is_drawn=True).values_list("item_id", "probability")
    probability = dict(rows.iterator())
    return np.array([1 / probability.get(key, 1.0) for key in item_id.tolist()], dtype=np.float64)
