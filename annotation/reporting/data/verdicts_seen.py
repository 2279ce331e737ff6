"""The ratings of a report that were given or changed after their raters had got verdicts of a judge."""

import numpy as np

from ...models import Project
from ...rating.counting import SAW_NO_VERDICT, counted_ratings
from .table import RatingTable


def count_after_verdicts(project: Project, table: RatingTable) -> int:
    """Return how many of the table's single ratings these are. One query, of an index that has only such ratings."""
    ratings = counted_ratings(project).exclude(SAW_NO_VERDICT).values_list("pk", flat=True)
    return int(np.isin(table.rating_id, list(ratings)).sum())
