"""Store verdicts: a rating with role `judge` where the answers are valid, and the reason of a failure where not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F

from ..models import DataChange, Item, JudgeRun, Rating, Verdict
from ..models.data_changes import PROJECT
from ..rating.bulk_storage import CannotStore, NewRating, store_ratings
from ..rating.evidence import Passage
from ..rating.submit import COMMENT_LENGTH

FIELDS = (
    "run",
    "rating",
    "state",
    "reason",
    "confidence",
    "votes",
    "quote",
    "quote_found",
    "problem",
    "fingerprints",
    "cost",
)


@dataclass(frozen=True)
class NewVerdict:
    """What a judge said about an item. `answers` is None if it failed; then `problem` says why."""

    item: Item
    answers: dict[str, str] | None = None
    reason: str = ""
    evidence: list[Passage] = field(default_factory=list)
    confidence: float | None = None
    votes: list[Any] = field(default_factory=list)
    quote: str = ""
    quote_found: bool | None = None
    problem: str = ""
    fingerprints: str = ""
    cost: Decimal | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class VerdictCounts:
    """Numbers of stored verdicts."""

    rated: int = 0
    failed: int = 0

    def __add__(self, other: "VerdictCounts") -> "VerdictCounts":
        return VerdictCounts(self.rated + other.rated, self.failed + other.failed)


@transaction.atomic
def store_verdicts(run: JudgeRun, verdicts: Sequence[NewVerdict]) -> VerdictCounts:
    """Store the verdicts of one run, with their ratings; a former failed verdict about an item is replaced.

    Items may have been retired or excluded since they were read: these fail alone.
    """
    try:
        with transaction.atomic():
            _store_ratings(run, verdicts)
        stored = list(verdicts)
    except CannotStore:
        stored = [_store_alone(run, verdict) for verdict in verdicts]
    ratings = _ratings(run, stored)
    rows = [_row(run, verdict, ratings.get(verdict.item.pk)) for verdict in stored]
    if any(row.state == Verdict.State.FAILED for row in rows):  # has no rating, which would record the change
        DataChange.objects.create(scope=f"{PROJECT}{run.project_id}")
    Verdict.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["judge", "project", "item"], update_fields=FIELDS
    )
    rated = sum(verdict.answers is not None for verdict in stored)
    return count_failures(run, VerdictCounts(rated, len(stored) - rated))


def count_failures(run: JudgeRun, counts: VerdictCounts) -> VerdictCounts:
    """Add what failed to the run, whose failed results a later run may replace. Return the same counts."""
    if counts.failed:
        JudgeRun.objects.filter(pk=run.pk).update(failures=F("failures") + counts.failed)
    return counts


def _store_alone(run: JudgeRun, verdict: NewVerdict) -> NewVerdict:
    try:
        with transaction.atomic():
            _store_ratings(run, [verdict])
    except CannotStore as refused:
        problem = "; ".join(message for _source, message in refused.problems)
        return replace(verdict, answers=None, problem=problem)
    return verdict


def _store_ratings(run: JudgeRun, verdicts: Iterable[NewVerdict]) -> None:
    ratings = [
        NewRating(
            verdict.item,
            run.judge.user,
            verdict.answers,
            Rating.Role.JUDGE,
            comment=verdict.reason[:COMMENT_LENGTH],
            evidence=verdict.evidence,
            seconds=verdict.seconds,
        )
        for verdict in verdicts
        if verdict.answers is not None
    ]
    if ratings:
        store_ratings(run.project, ratings)


def _ratings(run: JudgeRun, verdicts: Iterable[NewVerdict]) -> dict[int, int]:
    """Return item -> rating (primary keys) of the judge."""
    items = [verdict.item.pk for verdict in verdicts if verdict.answers is not None]
    own = Rating.objects.filter(project=run.project, item__in=items, rater=run.judge.user_id, role=Rating.Role.JUDGE)
    return dict(own.values_list("item", "pk"))


def _row(run: JudgeRun, verdict: NewVerdict, rating: int | None) -> Verdict:
    return Verdict(
        judge=run.judge,
        project=run.project,
        item=verdict.item,
        run=run,
        rating_id=rating,
        state=Verdict.State.FAILED if verdict.answers is None else Verdict.State.RATED,
        reason=verdict.reason,
        confidence=verdict.confidence,
        votes=verdict.votes,
        quote=verdict.quote,
        quote_found=verdict.quote_found,
        problem=verdict.problem,
        fingerprints=verdict.fingerprints,
        cost=verdict.cost,
    )
