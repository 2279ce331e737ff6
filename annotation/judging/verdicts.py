"""Verdicts: what a judge said about items. Store them, with a rating of role `judge` where the answers are valid and
the reason of a failure where not, and select them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce

from ..model_calls.replies import MAX_ERROR_LENGTH, shortened
from ..model_calls.request_groups import ResultCounts
from ..models import DataChange, Item, Judge, JudgeRun, Project, Rating, Verdict
from ..models.data_changes import PROJECT
from ..protocols import Protocol
from ..rating.bulk_storage import CannotStore, NewRating, store_ratings
from ..rating.counting import VERDICT_NOT_SHOWN, counted_ratings
from ..rating.evidence import Passage
from ..rating.submit import COMMENT_LENGTH
from .quotes import MAX_QUOTE

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
ALL, RATED, FAILED, NOT_FOUND, DIFFERS = "", "rated", "failed", "quote_not_found", "differs"
STATES = (ALL, RATED, FAILED, NOT_FOUND, DIFFERS)
"""What to select: all, those with a rating, those without, those whose quote was not found, and those that
more than half of people's ratings differ from.
"""
MAX_REASON = 10_000
"""Characters of a reason that are stored."""
NOT_ASKED = ""
"""The answer to a checked question that an earlier answer has hidden."""


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


@transaction.atomic
def store_verdicts(run: JudgeRun, verdicts: Sequence[NewVerdict]) -> ResultCounts:
    """Store the verdicts of one run, with their ratings; a former failed verdict about an item is replaced."""
    try:
        with transaction.atomic():
            _store_ratings(run, verdicts)
        return _store_rows(run, verdicts)
    except CannotStore:  # items may have been retired or excluded since they were read: these fail alone
        stored = []
        for verdict in verdicts:
            try:
                with transaction.atomic():
                    _store_ratings(run, [verdict])
                stored.append(verdict)
            except CannotStore as refused:
                problem = "; ".join(message for _source, message in refused.problems)
                stored.append(replace(verdict, answers=None, problem=problem))
        return _store_rows(run, stored)


@transaction.atomic
def replace_verdicts(run: JudgeRun, verdicts: Sequence[NewVerdict]) -> ResultCounts:
    """Store these verdicts in place of those of the run. Their ratings are the next versions of those that are stored;
    the rating of a verdict that has become a failed one is deleted. Raises CannotStore; then none is replaced.
    """
    _store_ratings(run, verdicts, replace=True)
    _own_ratings(run).filter(item__in=[verdict.item.pk for verdict in verdicts if verdict.answers is None]).delete()
    return _store_rows(run, verdicts)


def _store_ratings(run: JudgeRun, verdicts: Iterable[NewVerdict], *, replace: bool = False) -> None:
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
        store_ratings(run.project, ratings, replace=replace)


def _own_ratings(run: JudgeRun) -> QuerySet[Rating]:
    return Rating.objects.filter(project=run.project, rater=run.judge.user_id, role=Rating.Role.JUDGE)


def _store_rows(run: JudgeRun, verdicts: Sequence[NewVerdict]) -> ResultCounts:
    """Store the rows of verdicts whose ratings are stored."""
    rated = [verdict.item.pk for verdict in verdicts if verdict.answers is not None]
    ratings = dict(_own_ratings(run).filter(item__in=rated).values_list("item", "pk"))
    rows = [
        Verdict(
            judge=run.judge,
            project=run.project,
            item=verdict.item,
            run=run,
            rating_id=None if verdict.answers is None else ratings.get(verdict.item.pk),
            state=Verdict.State.FAILED if verdict.answers is None else Verdict.State.RATED,
            reason=shortened(verdict.reason, MAX_REASON),
            confidence=verdict.confidence,
            votes=verdict.votes,
            quote=shortened(verdict.quote, MAX_QUOTE),
            quote_found=verdict.quote_found,
            problem=shortened(verdict.problem, MAX_ERROR_LENGTH),
            fingerprints=verdict.fingerprints,
            cost=verdict.cost,
        )
        for verdict in verdicts
    ]
    if len(rated) < len(rows):  # a failed one has no rating, which would record the change
        DataChange.objects.create(scope=f"{PROJECT}{run.project_id}")
    Verdict.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["judge", "project", "item"], update_fields=FIELDS
    )
    return count_failures(run, ResultCounts(len(rated), len(rows) - len(rated)))


def count_failures(run: JudgeRun, counts: ResultCounts) -> ResultCounts:
    """Add what failed to the run, whose failed results a later run may replace. Return the same counts."""
    if counts.failed:
        JudgeRun.objects.filter(pk=run.pk).update(failures=F("failures") + counts.failed)
    return counts


def verdicts_of(
    judge: Judge, project: Project, *, state: str = ALL, option: str = "", run: JudgeRun | None = None
) -> QuerySet[Verdict]:
    """Return the verdicts in one of STATES, of all runs or one, in the order in which they were first stored.

    `option`: only those whose answer is this one of `verdict_options`.
    """
    verdicts = Verdict.objects.filter(judge=judge, project=project).order_by("pk")
    if run:
        verdicts = verdicts.filter(run=run)
    if option:
        verdicts = verdicts.alias(label=_label(project.protocol.definition, "rating__choices")).filter(label=option)
    if state == NOT_FOUND:
        return verdicts.filter(quote_found=False)
    if state == DIFFERS:
        return verdicts.filter(item__in=_differing_items(judge, project))
    return verdicts.filter(state=state) if state else verdicts


def verdict_options(protocol: Protocol) -> list[str]:
    """Return the options by which verdicts are selected: those of the questions that decide whether answers differ."""
    return list(dict.fromkeys(key for question in protocol.checked_questions for key in question.option_keys))


def _differing_items(judge: Judge, project: Project) -> QuerySet[Rating, Any]:
    """Return the items (primary keys) where more than half of the ratings differ from the judge's answer.

    As in the comparison: the ratings that count and whose raters were shown no verdict, and by the answers to the
    checked questions. "Can't assess" is no answer: neither of people nor of the judge.
    """
    protocol = project.protocol.definition
    own, judged = _label(protocol, "choices"), _label(protocol, "item__verdicts__rating__choices")
    is_judged = Q(item__verdicts__judge=judge, item__verdicts__project=project, item__verdicts__rating__isnull=False)
    ratings = counted_ratings(project).filter(VERDICT_NOT_SHOWN, is_judged).alias(own=own, judged=judged).order_by()
    missing = [option for question in protocol.checked_questions for option in protocol.left_out(question.key)]
    if not protocol.may_skip_checked:
        missing.append(NOT_ASKED)
    assessed = ratings.exclude(own__in=missing).exclude(judged__in=missing).values("item")
    counts = assessed.alias(n=Count("pk"), different=Count("pk", filter=~Q(own=F("judged"))))
    return counts.filter(n__lt=2 * F("different")).values("item")


def _label(protocol: Protocol, choices: str) -> Coalesce:
    """Return the answer to the checked question in the JSON field `choices`, empty if it was not asked."""
    keys = [KeyTextTransform(question.key, choices) for question in protocol.checked_questions]
    return Coalesce(*keys, Value(NOT_ASKED), output_field=TextField())
