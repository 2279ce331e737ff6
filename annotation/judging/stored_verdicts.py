"""The verdicts of a judge in a project, and the requests about an item."""

from typing import Any

from django.db.models import Count, F, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce

from ..models import Item, Judge, JudgeCall, JudgeRun, Project, Rating, Verdict
from ..protocols import Protocol
from ..rating.counting import VERDICT_NOT_SHOWN, counted_ratings
from .call_records import calls_of

ALL, RATED, FAILED, NOT_FOUND, DIFFERS = "", "rated", "failed", "quote_not_found", "differs"
STATES = (ALL, RATED, FAILED, NOT_FOUND, DIFFERS)
"""What to select: all, those with a rating, those without, those whose quote was not found, and those that
more than half of people's ratings differ from.
"""
NOT_ASKED = ""
"""The answer to a checked question that an earlier answer has hidden."""


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
    both = counted_ratings(project).filter(VERDICT_NOT_SHOWN, is_judged).alias(own=own, judged=judged).order_by()
    missing = [option for question in protocol.checked_questions for option in protocol.left_out(question.key)]
    if not protocol.may_skip_checked:
        missing.append(NOT_ASKED)
    assessed = both.exclude(own__in=missing).exclude(judged__in=missing).values("item")
    counts = assessed.alias(n=Count("pk"), different=Count("pk", filter=~Q(own=F("judged"))))
    return counts.filter(n__lt=2 * F("different")).values("item")


def _label(protocol: Protocol, choices: str) -> Coalesce:
    """Return the answer to the checked question in the JSON field `choices`, empty if it was not asked."""
    keys = [KeyTextTransform(question.key, choices) for question in protocol.checked_questions]
    return Coalesce(*keys, Value(NOT_ASKED), output_field=TextField())


def requests_about(item: Item, judge: Judge, project: Project) -> QuerySet[JudgeCall]:
    """Return the judge's requests about the item, in the order in which they were sent: its own, or those about all
    items of its response.
    """
    calls = calls_of(judge, project).order_by("pk")
    if judge.rates == Judge.Rates.RESPONSE:
        return calls.filter(item__response=item.response_id, item__against=item.against_id)
    return calls.filter(item=item)
