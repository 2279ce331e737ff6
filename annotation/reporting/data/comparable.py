"""What can be compared with a judge: ratings that no verdict has led, and items that did not tune its prompt."""

from dataclasses import dataclass, replace

import numpy as np

from ...models import Judge, Project, TuningItem
from ...rating.counting import SAW_NO_VERDICT, counted_ratings
from .table import RatingTable
from .verdicts import JudgeAnswers


@dataclass(frozen=True)
class Comparable:
    """Single ratings and a judge's answers without what is excluded: `saw_verdict` ratings, `tuned` answers."""

    ratings: RatingTable
    answers: JudgeAnswers
    saw_verdict: int
    tuned: int


def comparable(project: Project, ratings: RatingTable, answers: JudgeAnswers) -> Comparable:
    """Return the part of the ratings and answers that says how good the judge is. Two queries."""
    after_verdicts = np.isin(ratings.rating_id, ratings_after_verdicts(project))
    usable = without_tuned(answers)
    return Comparable(
        ratings=ratings.keep_rows(~after_verdicts),
        answers=usable,
        saw_verdict=int(after_verdicts.sum()),
        tuned=len(answers.rows) - len(usable.rows),
    )


def without_tuned(answers: JudgeAnswers) -> JudgeAnswers:
    """Return the answers about items that did not tune the judge's prompt. One query."""
    tuned = tuning_items(answers.judge)
    return replace(answers, rows=[row for row in answers.rows if row.item_id not in tuned])


def count_after_verdicts(project: Project, ratings: RatingTable) -> int:
    """Return how many of these single ratings were given or changed after their raters had got verdicts. One query."""
    return int(np.isin(ratings.rating_id, ratings_after_verdicts(project)).sum())


def ratings_after_verdicts(project: Project) -> list[int]:
    """Return the counted ratings (primary keys) that were given or changed after their raters had got verdicts."""
    return list(counted_ratings(project).exclude(SAW_NO_VERDICT).values_list("pk", flat=True))


def tuning_items(judge: Judge) -> set[int]:
    """Return the items (primary keys) that tuned the prompt of this version or, under its name, of an earlier one."""
    versions = TuningItem.objects.filter(judge__name=judge.name, judge__version__lte=judge.version)
    return set(versions.values_list("item", flat=True))
