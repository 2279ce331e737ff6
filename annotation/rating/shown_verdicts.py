"""The verdicts of a judge that are shown to people: to raters beside a response, if the project shows them, and to
leads on pages, in files and in answers of the API.

What is sent counts as shown, also in a response that was prefetched. It is recorded for the person and the response
before it is sent (`VerdictsShown`), and ratings that the person gives or changes later are marked
(`Rating.verdict_shown`), in whichever project.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .. import protocols
from ..models import Assignment, FactScore, Item, Project, Rating, Response, User, Verdict, VerdictsShown
from ..models.judges import judge_label
from ..qualification.gates import WORK_OR_GOLD
from ..site.database_clock import database_now

Pair = tuple[int, int | None]
"""A response and, in a pair, the other one: primary keys."""
BATCH = 1_000


def record_shown(person: User, pairs: Iterable[Pair]) -> None:
    """Record that verdicts about these responses or pairs are shown to a person. The first time stays.

    One query for each BATCH of them, none without any.
    """
    now = database_now()
    rows = [
        VerdictsShown(person=person, response_id=response, against_id=against, first_shown_at=now)
        for response, against in sorted(set(pairs), key=lambda pair: (pair[0], pair[1] or 0))  # prevents deadlocks
    ]
    VerdictsShown.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)


def record_items_shown(person: User, items: Iterable[Item]) -> None:
    record_shown(person, ((item.response_id, item.against_id) for item in items))


def record_keys_shown(person: User, project: Project, keys: Iterable[tuple[str, str | None]]) -> None:
    """Record the same for responses or pairs by their imported ids."""
    pairs = list(keys)
    named = {key for pair in pairs for key in pair if key is not None}
    responses = Response.objects.filter(dataset=project.dataset_id, key__in=named).values_list("key", "pk")
    number = dict(responses) if named else {}
    record_shown(person, ((number[key], number[other] if other else None) for key, other in pairs if key in number))


def record_all_shown(person: User, project: Project) -> None:
    """Record that a file with all verdicts of the project is sent to a person."""
    items = Item.objects.filter(ratings__project=project, ratings__role=Rating.Role.JUDGE)
    scores = FactScore.objects.filter(project=project).values_list("response", flat=True)
    pairs = items.order_by().values_list("response", "against").distinct()
    record_shown(person, [*pairs, *((response, None) for response in scores)])


@dataclass(frozen=True)
class ShownVerdict:
    """What a judge says about an item, with a pair's responses in the rater's order.

    `quote_found`: whether the document or the evidence has the quote; None without a quote.
    """

    judge: str
    answers: protocols.Answers
    reason: str
    quote: str
    quote_found: bool | None


def attach_verdicts(assignment: Assignment, items: list[Any]) -> None:
    """Set `verdict` of each item with a verdict that the rater may see now, and record that they are shown.

    No query in a project that shows no verdicts.
    """
    if not are_shown(assignment):
        return
    project = assignment.project
    rows = Verdict.objects.filter(
        project=project, judge=project.shown_judge_id, item__in=[item.pk for item in items], rating__isnull=False
    )
    fields = ("item", "judge__name", "judge__version", "rating__answers", "reason", "quote", "quote_found")
    verdicts = {
        item: ShownVerdict(
            judge=judge_label(name, version),
            answers=protocols.in_rater_order(project.protocol.definition, assignment.public_id, answers),
            reason=reason,
            quote=quote,
            quote_found=quote_found,
        )
        for item, name, version, answers, reason, quote, quote_found in rows.values_list(*fields)
    }
    for item in items:
        if item.pk in verdicts:
            item.verdict = verdicts[item.pk]
    if verdicts and assignment.pk:
        rater = User(pk=assignment.rater_id)  # without a query
        record_shown(rater, [(assignment.sheet.response_id, assignment.sheet.against_id)])


def are_shown(assignment: Assignment) -> bool:
    """Return whether the rater may see verdicts about the response now. Training and qualification show none."""
    visibility = assignment.project.verdict_visibility
    if assignment.purpose not in WORK_OR_GOLD or visibility == Project.VerdictVisibility.NEVER:
        return False
    return visibility == Project.VerdictVisibility.BEFORE or assignment.finished_at is not None
