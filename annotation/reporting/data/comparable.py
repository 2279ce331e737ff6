"""What can be compared with a judge: ratings and adjudications before which no verdict was shown, and items that did
not tune its prompt.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...models import Judge, Project, Rating, TuningItem
from ...rating.counting import VERDICT_NOT_SHOWN, counted_ratings
from ...reviewing.lead_ratings import current_ratings
from .arrays import MISSING
from .table import RatingTable, References
from .verdicts import JudgeAnswers


@dataclass(frozen=True)
class Comparable:
    """Single ratings and a judge's answers without what is excluded: `verdict_shown` ratings, `tuned` answers, and
    `adjudications_verdict_shown`, the newest adjudications of items.
    """

    ratings: RatingTable
    answers: JudgeAnswers
    verdict_shown: int
    adjudications_verdict_shown: int
    tuned: int


def comparable(
    ratings: RatingTable,
    answers: JudgeAnswers,
    verdict_shown: Sequence[int],
    adjudicated_after_verdicts: Sequence[int],
    tuned: Collection[int],
) -> Comparable:
    """Return the part of the ratings and answers that says how good the judge is: without `ratings_verdict_shown`,
    `adjudicated_after_verdicts` and answers about `tuning_items`.
    """
    is_shown = np.isin(ratings.rating_id, verdict_shown)
    usable = without_tuned(answers, tuned)
    compared, adjudications = _without_adjudications(ratings.keep_rows(~is_shown), adjudicated_after_verdicts)
    return Comparable(
        ratings=compared,
        answers=usable,
        verdict_shown=int(is_shown.sum()),
        adjudications_verdict_shown=adjudications,
        tuned=len(answers.rows) - len(usable.rows),
    )


def adjudicated_after_verdicts(project: Project, ratings: RatingTable) -> list[int]:
    """Return the items (primary keys) whose newest adjudication was made after verdicts were shown. One query; none
    where no item of the ratings has an adjudication.
    """
    if not (ratings.items.adjudicated.answer != MISSING).any():
        return []
    newest = current_ratings(project, Rating.Role.ADJUDICATOR).select_related(None)
    return [item for item, verdict_shown in newest.values_list("item", "verdict_shown") if verdict_shown]


def _without_adjudications(ratings: RatingTable, item_ids: Sequence[int]) -> tuple[RatingTable, int]:
    """Return the ratings without the adjudications of these items (primary keys), and how many these are.

    An earlier adjudication of such an item does not count either.
    """
    adjudicated = ratings.items.adjudicated
    is_excluded = np.isin(ratings.items.item_id, item_ids) & (adjudicated.answer != MISSING)
    if not is_excluded.any():
        return ratings, 0
    others = References(*(np.where(is_excluded, MISSING, column) for column in (adjudicated.answer, adjudicated.rater)))
    return replace(ratings, items=replace(ratings.items, adjudicated=others)), int(is_excluded.sum())


def without_tuned(answers: JudgeAnswers, tuned: Collection[int]) -> JudgeAnswers:
    """Return the answers about items that did not tune the judge's prompt."""
    return replace(answers, rows=[row for row in answers.rows if row.item_id not in tuned])


def ratings_verdict_shown(project: Project) -> list[int]:
    """Return the counted ratings (primary keys) that were given or changed after verdicts were shown."""
    return list(counted_ratings(project).exclude(VERDICT_NOT_SHOWN).values_list("pk", flat=True))


def tuning_items(judge: Judge) -> set[int]:
    """Return the items (primary keys) that tuned the prompt of this version or, under its name, of an earlier one."""
    versions = TuningItem.objects.filter(judge__name=judge.name, judge__version__lte=judge.version)
    return set(versions.values_list("item", flat=True))
