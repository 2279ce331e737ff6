"""The answers of a judge in a project, one for each item, and what can be compared with them: ratings and adjudications
before which no verdict was shown, and items that did not tune its prompt.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from django.db.models import QuerySet, TextField, Value
from django.db.models.functions import Coalesce

from ...models import Item, Judge, Project, Rating, TuningItem, Verdict
from ...queue.exclusion import is_excluded
from ...rating.counting import VERDICT_NOT_SHOWN, counted_ratings
from ...reviewing.lead_ratings import current_ratings
from .arrays import MISSING
from .table import RatingTable, References

Answers = Mapping[str, str]


@dataclass(frozen=True)
class JudgeAnswer:
    """A judge's choice answers about one item; `votes`: those of each sample, None for an invalid one; `cost`: USD;
    `fingerprints`: system fingerprints of the endpoint, separated by spaces.

    `run`: database id, None for an imported rating, which has neither confidence, votes nor cost. `prompt` and
    `document` of its response: database ids.
    """

    item_id: int
    answers: Answers
    confidence: float | None
    votes: Sequence[Answers | None]
    cost: float | None
    run: int | None
    reason: str
    rated_at: datetime
    prompt: int
    document: int | None
    fingerprints: str


@dataclass(frozen=True)
class JudgeAnswers:
    """The answers of one version of a judge in the order of item ids, and the ids of items whose verdict failed."""

    judge: Judge
    rows: list[JudgeAnswer]
    failed: frozenset[int]


def read_judge_answers(judge: Judge, project: Project) -> JudgeAnswers:
    """Return the judge's answers about items that are not retired, of responses that are not excluded. Two queries."""
    ratings = _judge_ratings(project).filter(rater=judge.user_id).order_by("item_id")
    values = ratings.values_list(
        "item_id",
        "choices",
        "verdict__confidence",
        "verdict__votes",
        "verdict__cost",
        "verdict__run_id",
        "comment",
        "rated_at",
        "item__response__prompt_id",
        "item__response__prompt__document_id",
        Coalesce("verdict__fingerprints", Value("", TextField())),
    )
    rows = [
        JudgeAnswer(item, choices, confidence, votes or (), None if cost is None else float(cost), run, *more)
        for item, choices, confidence, votes, cost, run, *more in values.iterator()
    ]
    failed = Verdict.objects.filter(judge=judge, project=project, state=Verdict.State.FAILED)
    item_ids = failed.filter(~is_excluded(project), item__retired_at=None).values_list("item", flat=True)
    return JudgeAnswers(judge, rows, frozenset(item_ids))


def judges_of(project: Project) -> QuerySet[Judge]:
    return Judge.objects.filter(user__in=_judge_ratings(project).values("rater"))


def _judge_ratings(project: Project) -> QuerySet[Rating]:
    return Rating.objects.filter(~is_excluded(project), project=project, role=Rating.Role.JUDGE, item__retired_at=None)


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
    compared, usable = ratings.keep_rows(~is_shown), without_tuned(answers, tuned)
    adjudicated = compared.items.adjudicated
    # An earlier adjudication of such an item does not count either.
    is_excluded = np.isin(compared.items.item_id, adjudicated_after_verdicts) & (adjudicated.answer != MISSING)
    if is_excluded.any():
        others = (np.where(is_excluded, MISSING, column) for column in (adjudicated.answer, adjudicated.rater))
        compared = replace(compared, items=replace(compared.items, adjudicated=References(*others)))
    return Comparable(
        ratings=compared,
        answers=usable,
        verdict_shown=int(is_shown.sum()),
        adjudications_verdict_shown=int(is_excluded.sum()),
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


def without_tuned(answers: JudgeAnswers, tuned: Collection[int]) -> JudgeAnswers:
    return replace(answers, rows=[row for row in answers.rows if row.item_id not in tuned])


def ratings_verdict_shown(project: Project) -> list[int]:
    """Return the counted ratings (primary keys) that were given or changed after verdicts were shown."""
    return list(counted_ratings(project).exclude(VERDICT_NOT_SHOWN).values_list("pk", flat=True))


def tuning_items(judge: Judge) -> set[int]:
    """Return the items (primary keys) that tuned the prompt of this version or, under its name, of an earlier one."""
    versions = TuningItem.objects.filter(judge__name=judge.name, judge__version__lte=judge.version)
    return set(versions.values_list("item", flat=True))


class ItemTexts:
    """The texts of items that a report names, each read once."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}

    def read(self, item_ids: Collection[int]) -> dict[int, str]:
        if missing := set(item_ids) - self._texts.keys():
            self._texts |= dict(Item.objects.filter(pk__in=missing).values_list("pk", "text"))
        return {item_id: self._texts[item_id] for item_id in item_ids}
