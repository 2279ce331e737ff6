"""What can be compared with a judge: ratings and adjudications that no verdict has led, and items that did not tune its
prompt.
"""

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


def comparable(project: Project, ratings: RatingTable, answers: JudgeAnswers) -> Comparable:
    """Return the part of the ratings and answers that says how good the judge is. At most three queries."""
    verdict_shown = np.isin(ratings.rating_id, ratings_verdict_shown(project))
    usable = without_tuned(answers)
    compared, adjudications = _without_led_adjudications(project, ratings.keep_rows(~verdict_shown))
    return Comparable(
        ratings=compared,
        answers=usable,
        verdict_shown=int(verdict_shown.sum()),
        adjudications_verdict_shown=adjudications,
        tuned=len(answers.rows) - len(usable.rows),
    )


def _without_led_adjudications(project: Project, ratings: RatingTable) -> tuple[RatingTable, int]:
    """Return the ratings without the adjudications that were made after verdicts were shown, and how many these are.

    An earlier adjudication of such an item does not count either. One query; none without adjudications.
    """
    adjudicated = ratings.items.adjudicated
    if not (adjudicated.answer != MISSING).any():
        return ratings, 0
    newest = current_ratings(project, Rating.Role.ADJUDICATOR).select_related(None)
    led = [item for item, is_led in newest.values_list("item", "verdict_shown") if is_led]
    is_led = np.isin(ratings.items.item_id, led) & (adjudicated.answer != MISSING)
    others = References(*(np.where(is_led, MISSING, column) for column in (adjudicated.answer, adjudicated.rater)))
    return replace(ratings, items=replace(ratings.items, adjudicated=others)), int(is_led.sum())


def without_tuned(answers: JudgeAnswers) -> JudgeAnswers:
    """Return the answers about items that did not tune the judge's prompt. One query."""
    tuned = tuning_items(answers.judge)
    return replace(answers, rows=[row for row in answers.rows if row.item_id not in tuned])


def count_verdict_shown(project: Project, ratings: RatingTable) -> int:
    """Return how many of these single ratings were given or changed after verdicts were shown. One query."""
    return int(np.isin(ratings.rating_id, ratings_verdict_shown(project)).sum())


def ratings_verdict_shown(project: Project) -> list[int]:
    """Return the counted ratings (primary keys) that were given or changed after verdicts were shown."""
    return list(counted_ratings(project).exclude(VERDICT_NOT_SHOWN).values_list("pk", flat=True))


def tuning_items(judge: Judge) -> set[int]:
    """Return the items (primary keys) that tuned the prompt of this version or, under its name, of an earlier one."""
    versions = TuningItem.objects.filter(judge__name=judge.name, judge__version__lte=judge.version)
    return set(versions.values_list("item", flat=True))
