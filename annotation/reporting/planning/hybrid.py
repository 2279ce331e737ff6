"""What further ratings would add to the estimates with a judge: the data of plans, cached with the project's other
figures, and plans from them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...models import Project
from ...stats.hybrid import group_shares
from ...stats.hybrid_planning import planner
from ...stats.plan_frame import PlanFrame
from ..data.sample import NoFrame
from ..data.study import Study
from ..sections.hybrid.figures import judged_sample


@dataclass(frozen=True)
class HybridPlanData:
    """The items of a sample that did not tune the judge's prompt, column by column (`stats.plan_frame`), with their
    ratings that are used; or the `reason` why there are no estimates.

    `counts` by measure: the columns that `stats.hybrid.unit_sums` takes (people's hits and assessed ratings, the
    judge's hits and assessed verdicts of each item).
    """

    reason: str | None = None
    units: int = 0
    whole_responses: bool = False
    systems: Sequence[str] = ()
    system: Sequence[int] = ()
    unit: Sequence[int] = ()
    prompt: Sequence[int] = ()
    response: Sequence[int] = ()
    probability: Sequence[float] = ()
    share: Sequence[float] = ()
    is_drawn: Sequence[bool] = ()
    ratings: Sequence[int] = ()
    counts: Mapping[str, Sequence[Sequence[float]]] = field(default_factory=dict)


@dataclass(frozen=True)
class MeasurePlan:
    """One measure: values and half-widths now, half-widths planned, and how many ratings the judge is worth.

    `worth`: further ratings with which people alone have the present half-width of the hybrid; None without one,
    infinity if all items were not enough. Half-widths are None where there is no interval. `judge_value`: the share of
    verdicts that count; `rated_units`: those with a rating of a person.
    """

    measure: str
    value: float
    people_value: float | None
    judge_weight: float
    half_width: float | None
    people_half_width: float | None
    planned_half_width: float | None
    people_planned_half_width: float | None
    worth: float | None
    judge_value: float | None
    rated_units: int

    @property
    def whole_worth(self) -> int | None:
        """`worth` as a whole number; None also if no number of ratings is enough."""
        return None if self.worth is None or self.is_more_than_all else round(self.worth)

    @property
    def is_more_than_all(self) -> bool:
        """Whether people alone would not reach the present half-width with all items."""
        return self.worth is not None and math.isinf(self.worth)


@dataclass(frozen=True)
class HybridPlans:
    """Plans of all measures for `further` ratings.

    `items`, `drawn` and `rated` are numbers of items; `ratings_each`: the ratings of a rated item; `planned_items`: the
    rated ones in all; `ratings_left`: of the drawn items that have none, at so many each.
    """

    measures: Sequence[MeasurePlan]
    further: int
    items: int
    drawn: int
    rated: int
    ratings: int
    ratings_each: float
    planned_items: int

    @property
    def ratings_left(self) -> int:
        return round((self.drawn - self.rated) * self.ratings_each)

    @property
    def is_larger_sample(self) -> bool:
        return self.planned_items > self.drawn

    @property
    def is_all(self) -> bool:
        return self.planned_items >= self.items


def hybrid_plan_data(study: Study, judge: str) -> HybridPlanData:
    """Return the data of plans with this judge (NAME or NAME@N), for `live.live_figures`."""
    try:
        sample = judged_sample(replace(study, choices=replace(study.choices, judge=judge)))
    except NoFrame as problem:
        return HybridPlanData(reason=str(problem))
    # Items that tuned the prompt are left out as if they were not in the frame, so that the others were drawn with the
    # probability of another item.
    frame = sample.frame
    used = ~frame.is_tuned
    share = group_shares(sample.has_rating, frame.is_used, frame.system)
    share = np.where(share > 0, share, 1.0)
    probability = np.minimum(1.0, sample.probability * sample.verdict_weight / share)
    rated = sample.rated_item[sample.rated_item >= 0]
    return HybridPlanData(
        units=frame.responses.clusters,
        whole_responses=study.project.sampling_design == Project.SamplingDesign.RESPONSES,
        systems=frame.responses.systems,
        system=frame.system[used].tolist(),
        unit=frame.cluster[used].tolist(),
        prompt=frame.responses.prompt_of[frame.response][used].tolist(),
        response=frame.response[used].tolist(),
        probability=probability[used].tolist(),
        share=share[used].tolist(),
        is_drawn=frame.is_drawn[used].tolist(),
        ratings=np.bincount(rated, minlength=len(frame.items))[used].tolist(),
        counts={
            measure.key: [
                column[used].tolist() for column in (*sample.human_counts(measure), *sample.judge_counts(measure))
            ]
            for measure in sample.cells.protocol.measures
        },
    )


def hybrid_plans(data: HybridPlanData, further: int, system: str | None = None) -> HybridPlans | None:
    """Return the plans for `further` ratings, of all systems together or of one; None without a rating.

    Raises ValueError for a system that the data has not.
    """
    used = np.ones(len(data.unit), dtype=bool)
    if system is not None:
        used = np.array(data.system) == data.systems.index(system)
    ratings = np.array(data.ratings, dtype=np.int64)[used]
    frame = PlanFrame(
        unit=np.array(data.unit, dtype=np.int64)[used],
        prompt=np.array(data.prompt, dtype=np.int64)[used],
        response=np.array(data.response, dtype=np.int64)[used],
        probability=np.array(data.probability, dtype=np.float64)[used],
        is_drawn=np.array(data.is_drawn, dtype=bool)[used],
        is_rated=ratings > 0,
        share=np.array(data.share, dtype=np.float64)[used],
        units=data.units,
        whole_responses=data.whole_responses,
    )
    if not frame.rated:
        return None
    ratings_each = int(ratings.sum()) / frame.rated
    items = frame.rated + further / ratings_each
    measures = []
    for key, counts in data.counts.items():
        of_measure = planner(frame, *(np.array(column)[used] for column in counts))
        if of_measure is None:
            continue
        now, planned, worth = of_measure.plan(0), of_measure.plan(items), of_measure.worth()
        measures.append(
            MeasurePlan(
                measure=key,
                value=of_measure.both.value or 0.0,
                people_value=of_measure.people.value,
                judge_weight=of_measure.both.lambda_,
                half_width=now.with_judge,
                people_half_width=now.people_alone,
                planned_half_width=planned.with_judge,
                people_planned_half_width=planned.people_alone,
                worth=None if worth is None else worth * ratings_each,
                judge_value=of_measure.sums.judge_value,
                rated_units=of_measure.both.rated_units,
            )
        )
    return HybridPlans(
        measures=measures,
        further=further,
        items=frame.items,
        drawn=frame.drawn,
        rated=frame.rated,
        ratings=int(ratings.sum()),
        ratings_each=ratings_each,
        planned_items=min(frame.items, round(items)),
    )
