"""The sample of a project: its size, the weights of its items, and its frame: every item that can be rated, with the
probability with which it was drawn.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from django.db.models import Count, Q
from numpy.typing import NDArray

from ...judging.workload import judged_items
from ...models import Project, SampledItem
from ..choices import Choices
from ..parts import ReportSample
from .arrays import Indices, Mask, indices, positions_in
from .filters import matches
from .judge_answers import JudgeAnswer
from .reader import read_responses
from .responses import RatedResponse, Responses, hash_lines
from .table import RatingTable

Floats = NDArray[np.float64]

NO_SAMPLE = (
    "no sample was drawn, so no probabilities are stored; create a project with a sample (create_project "
    "--sample-sentences)"
)
NO_PROBABILITY = "some items have no stored probability; exclude their responses, or create a new project with a sample"
ADJUDICATED_RATINGS = (
    "adjudications may have been made beside the judge's verdicts; choose the raters' answers (--answers raw)"
)
NO_JUDGE = "there is no judge of this name; create it (create_judge), or correct the name"
NO_VERDICTS = "the judge has rated none of the items; let it rate the project (run_judge)"


def sample_of(project: Project) -> ReportSample | None:
    """Return the design and its counts of items that are not retired; None if raters are asked about all."""
    if not project.sampling_design:
        return None
    rows = project.sampled_items.filter(item__retired_at=None)
    counts = rows.aggregate(items=Count("pk"), drawn=Count("pk", filter=Q(is_drawn=True)))
    return ReportSample(project.sampling_design, counts["items"], counts["drawn"])


def sample_weights(project: Project, item_id: Indices) -> Floats | None:
    """Return 1/π of the items with these database ids, 1 without a stored π; None where all π are equal. One query."""
    if project.sampling_design != Project.SamplingDesign.UNCERTAIN:
        return None
    rows = project.sampled_items.filter(is_drawn=True).values_list("item_id", "probability")
    probability = dict(rows.iterator())
    return np.array([1 / probability.get(key, 1.0) for key in item_id.tolist()], dtype=np.float64)


@dataclass(frozen=True)
class WeightedRatings:
    """Single ratings of drawn items, and the weight 1/π of each item of their table, shape (items,).

    `not_drawn`: ratings that were removed because their items were not drawn, so that they have no weight. `weight` is
    None where all probabilities are equal, or no sample was drawn: then no rating is removed.
    """

    ratings: RatingTable
    weight: Floats | None = None
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
    weighted = ratings.keep_rows(is_drawn[ratings.item])
    weight = 1 / probability[positions_in(weighted.items.item_id, item_ids)]
    return WeightedRatings(weighted, weight, int((~is_drawn[ratings.item]).sum()))


@dataclass(frozen=True)
class FrameItem:
    """An item with its imported ids, the project's probability of drawing it, and whether it tuned the prompt."""

    item_id: int
    response: RatedResponse
    unit: str
    position: int
    probability: float
    is_drawn: bool
    is_tuned: bool

    @property
    def sort_key(self) -> tuple[str, str, str, str, int]:
        return *self.response.sort_key, self.unit, self.position


@dataclass(frozen=True)
class SampleFrame:
    """The items of a sample in the order of imported ids, of the systems and prompts that a report is about.

    `responses`: those of the items, with all sampling units, sampled or not.
    """

    items: list[FrameItem]
    responses: Responses

    @cached_property
    def item_id(self) -> Indices:
        return indices(item.item_id for item in self.items)

    @cached_property
    def response(self) -> Indices:
        number = {response.sort_key: n for n, response in enumerate(self.responses.rated)}
        return indices(number[item.response.sort_key] for item in self.items)

    @property
    def cluster(self) -> Indices:
        return self.responses.cluster_of[self.responses.prompt_of[self.response]]

    @property
    def system(self) -> Indices:
        return self.responses.system_of[self.response]

    @cached_property
    def probability(self) -> Floats:
        return np.array([item.probability for item in self.items], dtype=np.float64)

    @cached_property
    def is_drawn(self) -> Mask:
        return np.array([item.is_drawn for item in self.items], dtype=bool)

    @cached_property
    def is_tuned(self) -> Mask:
        return np.array([item.is_tuned for item in self.items], dtype=bool)

    @property
    def is_used(self) -> Mask:
        """Whether the ratings of each item are used: it was drawn and did not tune the judge's prompt."""
        return self.is_drawn & ~self.is_tuned

    def with_tuned(self, tuned: Collection[int]) -> "SampleFrame":
        items = [replace(item, is_tuned=True) if item.item_id in tuned else item for item in self.items]
        return SampleFrame(items, self.responses)

    def items_of_ratings(self, table: RatingTable) -> Indices:
        """Return the number of the item of each rating of a table, -1 for one whose ratings are not used."""
        item = positions_in(table.items.item_id[table.item], self.item_id)
        return np.where(np.append(self.is_used, False)[item], item, -1)

    def sha256(self, answers: dict[int, JudgeAnswer]) -> str:
        def verdict(item: FrameItem) -> object:
            answer = answers.get(item.item_id)
            return "tuned" if item.is_tuned else answer and dict(answer.answers)

        return hash_lines([*item.sort_key, item.probability, item.is_drawn, verdict(item)] for item in self.items)


class NoFrame(Exception):
    """There is no probability for every item. The text says why, and what to do."""


def read_sample_frame(project: Project, choices: Choices, cluster: str) -> SampleFrame:
    """Return the frame of the project's sample under the choices' systems and metadata, in which no item tuned a
    prompt. Raises NoFrame.
    """
    if not project.sampling_design:
        raise NoFrame(NO_SAMPLE)
    # Two reads: without statistics about new tables, PostgreSQL joins them in minutes.
    sampled = {
        item_id: (probability, is_drawn)
        for item_id, probability, is_drawn in SampledItem.objects.filter(project=project)
        .values_list("item_id", "probability", "is_drawn")
        .iterator()
    }
    stored = list(judged_items(project).values_list("id", "response_id", "against_id", "unit", "position").iterator())
    if any(item_id not in sampled for item_id, *_ in stored):
        raise NoFrame(NO_PROBABILITY)
    response_of = read_responses(
        {(response, against) for _, response, against, *_ in stored}, project.protocol.definition
    )
    frame = [
        FrameItem(item_id, response_of[response, against], unit, position, *sampled[item_id], is_tuned=False)
        for item_id, response, against, unit, position in stored
        if matches(response_of[response, against], choices)
    ]
    items = sorted(frame, key=lambda item: item.sort_key)
    responses = {item.response.sort_key: item.response for item in items}
    return SampleFrame(items, Responses.number(list(responses.values()), cluster))
