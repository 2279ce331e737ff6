"""The verdicts of a judge in a project, and the requests about an item."""

from django.db.models import QuerySet

from ..models import Item, Judge, JudgeCall, JudgeRun, Project, Verdict
from .call_records import calls_of

ALL, RATED, FAILED, NOT_FOUND = "", "rated", "failed", "quote_not_found"
STATES = (ALL, RATED, FAILED, NOT_FOUND)
"""What to select: all, those with a rating, those without, and those whose quote is not in the document."""


def verdicts_of(judge: Judge, project: Project, *, state: str = ALL, run: JudgeRun | None = None) -> QuerySet[Verdict]:
    """Return the verdicts in one of STATES, of all runs or one, in the order in which they were first stored."""
    verdicts = Verdict.objects.filter(judge=judge, project=project).order_by("pk")
    if run:
        verdicts = verdicts.filter(run=run)
    if state == NOT_FOUND:
        return verdicts.filter(quote_found=False)
    return verdicts.filter(state=state) if state else verdicts


def requests_about(item: Item, judge: Judge, project: Project) -> QuerySet[JudgeCall]:
    """Return the judge's requests about the item, in the order in which they were sent: its own, or those about all
    items of its response.
    """
    calls = calls_of(judge, project).order_by("pk")
    if judge.rates == Judge.Rates.RESPONSE:
        return calls.filter(item__response=item.response_id, item__against=item.against_id)
    return calls.filter(item=item)
