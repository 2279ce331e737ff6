"""The verdicts of a judge that a rater sees beside a response, if the project shows them.

Verdicts that a page or an answer of the API contains count as seen, also in a response that was prefetched. So they are
recorded with the assignment before they are sent, and `submit` marks the ratings that are given or changed later.
"""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from .. import protocols
from ..models import Assignment, Project, Verdict
from ..models.judges import judge_label
from ..qualification.gates import WORK_OR_GOLD


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
    """Set `verdict` of each item with a verdict that the rater may see now, and record that they are sent.

    No query in a project that shows no verdicts.
    """
    if not are_shown(assignment):
        return
    verdicts = _verdicts(assignment, [item.pk for item in items])
    for item in items:
        if item.pk in verdicts:
            item.verdict = verdicts[item.pk]
    if verdicts and assignment.pk and not assignment.verdicts_sent_at:
        assignment.verdicts_sent_at = timezone.now()
        Assignment.objects.filter(pk=assignment.pk, verdicts_sent_at=None).update(
            verdicts_sent_at=assignment.verdicts_sent_at
        )


def are_shown(assignment: Assignment) -> bool:
    """Return whether the rater may see verdicts about the response now. Training and qualification show none."""
    visibility = assignment.project.verdict_visibility
    if assignment.purpose not in WORK_OR_GOLD or visibility == Project.VerdictVisibility.NEVER:
        return False
    return visibility == Project.VerdictVisibility.BEFORE or assignment.finished_at is not None


def _verdicts(assignment: Assignment, items: list[int]) -> dict[int, ShownVerdict]:
    """Return the verdicts of the project's judge with valid answers, by item."""
    project = assignment.project
    rows = Verdict.objects.filter(project=project, judge=project.shown_judge_id, item__in=items, rating__isnull=False)
    fields = ("item", "judge__name", "judge__version", "rating__answers", "reason", "quote", "quote_found")
    return {
        item: ShownVerdict(
            judge=judge_label(name, version),
            answers=protocols.in_rater_order(project.protocol.definition, assignment.public_id, answers),
            reason=reason,
            quote=quote,
            quote_found=quote_found,
        )
        for item, name, version, answers, reason, quote, quote_found in rows.values_list(*fields)
    }
