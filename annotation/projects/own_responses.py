"""The responses that a rater has rated in a project, and what leads changed about them.

Hidden gold is among them as work is: raters must not recognize it. Training and qualification have pages of their own.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Cast, Concat
from django.utils.functional import Promise

from ..models import Assignment, AuditEvent, Project, Rating, User
from ..qualification.gates import WORK_OR_GOLD

OwnState = Literal["", "finished", "open", "changed", "decided"]
STATES: dict[OwnState, str | Promise] = {
    "": "All",
    "finished": "Finished",
    "open": "Unfinished",
    "changed": "Reopened, returned or excluded",
    "decided": "Adjudicated",
}
REOPENED, FREED = "reopen", "free lease"


@dataclass(frozen=True)
class OwnFilter:
    """Filter by words in prompt, response or document's title, and by state."""

    words: str = ""
    state: OwnState = ""


@dataclass(frozen=True)
class LeadsChange:
    """A lead (None: a deleted account, or a command) reopened the response or freed its lease."""

    action: str
    lead: User | None
    changed_at: datetime
    reason: str = ""


def states_for(project: Project) -> dict[OwnState, str | Promise]:
    """Return the states to filter by; raters see adjudications only where the project shows them."""
    return {state: words for state, words in STATES.items() if state != "decided" or project.shows_decisions}


def own_assignments(project: Project, rater: User, filters: OwnFilter) -> QuerySet[Assignment]:
    """Return the rater's assignments with an answer, work to finish first, then the newest. Each has `answered`, the
    number of answered items.
    """
    own = Rating.objects.filter(assignment=OuterRef("pk"), role=Rating.Role.RATER)
    assignments = Assignment.objects.filter(Exists(own), project=project, rater=rater, purpose__in=WORK_OR_GOLD)
    for word in filters.words.split():
        assignments = assignments.filter(
            Q(sheet__response__prompt__text__icontains=word)
            | Q(sheet__response__text__icontains=word)
            | Q(sheet__against__text__icontains=word)
            | Q(sheet__document__title__icontains=word)
        )
    return (
        _in_state(assignments, project, rater, filters.state)
        .select_related("slot", "sheet__exclusion", "sheet__response__prompt", "sheet__document")
        .defer("sheet__document__sections", "sheet__response__metadata", "sheet__response__prompt__metadata")
        .annotate(answered=Subquery(own.order_by().values("assignment").annotate(n=Count("pk")).values("n")))
        .order_by(F("slot__finished_at").desc(nulls_first=True), "-taken_at")
    )


def _in_state(
    assignments: QuerySet[Assignment], project: Project, rater: User, state: OwnState
) -> QuerySet[Assignment]:
    match state:
        case "finished":
            return assignments.filter(finished_at__isnull=False)
        case "open":
            return assignments.filter(finished_at=None, slot__isnull=False)
        case "changed":
            target = Concat(Value("assignment:"), Cast(OuterRef("public_id"), TextField()))
            is_changed = Exists(_changes_by_leads(project).filter(target=target))
            return assignments.filter(is_changed | Q(sheet__exclusion__isnull=False))
        case "decided":
            decisions = Rating.objects.filter(project=project, role=Rating.Role.ADJUDICATOR, item=OuterRef("item"))
            own = Rating.objects.filter(Exists(decisions), assignment=OuterRef("pk"), rater=rater, counted=True)
            return assignments.filter(Exists(own))
    return assignments


def changes_by_leads(project: Project, assignments: Collection[Assignment]) -> dict[int, list[LeadsChange]]:
    """Return by primary key what leads did to these assignments, oldest first. One query."""
    by_target = {f"assignment:{assignment.public_id}": assignment.pk for assignment in assignments}
    changes = defaultdict(list)
    events = _changes_by_leads(project).filter(target__in=by_target).select_related("actor").order_by("at", "pk")
    for event in events:
        reason = (event.after or {}).get("reason", "")
        changes[by_target[event.target]].append(LeadsChange(event.action, event.actor, event.at, reason))
    return changes


def reopening_of(assignment: Assignment) -> LeadsChange | None:
    """Return how a lead last reopened the assignment, None if no lead did. One query."""
    changes = changes_by_leads(assignment.project, [assignment]).get(assignment.pk, [])
    return next((change for change in reversed(changes) if change.action == REOPENED), None)


def _changes_by_leads(project: Project) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(project=project, action__in=(REOPENED, FREED))
