"""The weights of items that were drawn with unequal probabilities."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...models import Project, SampledItem
from .arrays import indices, positions_in
from .table import RatingTable


@dataclass(frozen=True)
class WeightedRatings:
    """Single ratings of drawn items, and the weight 1/π of each item of their table, shape (items,).

    `not_drawn`: ratings that were removed because their items were not drawn, so that they have no weight. `weight` is
    None where all probabilities are equal, or no sample was drawn: then no rating is removed.
    """

    ratings: RatingTable
    weight: NDArray[np.float64] | None = None
    not_drawn: int = 0


def weighted_ratings(project: Project, ratings: RatingTable) -> WeightedRatings:
    """Return the ratings with the weights of their items. One query under a design with unequal probabilities."""
    if project.sampling_design != Project.SamplingDesign.UNCERTAIN:
        return WeightedRatings(ratings)
    drawn = SampledItem.objects.filter(project=project, is_drawn=True, item__retired_at=None).order_by("item_id")
    rows = list(drawn.values_list("item_id", "probability"))
    if len({probability for _, probability in rows}) < 2:
        return WeightedRatings(ratings)
    item_ids, probability = indices(item for item, _ in rows), np.array([each for _, each in rows])
    is_drawn = positions_in(ratings.items.item_id, item_ids) >= 0
    kept = ratings.keep_rows(is_drawn[ratings.item])
    weight = 1 / probability[positions_in(kept.items.item_id, item_ids)]
    return WeightedRatings(kept, weight, int((~is_drawn[ratings.item]).sum()))
