"""Data of the home page: a rater's next step in each project, and each project's state.

The number of queries does not depend on the number of projects.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from ..models import Assignment, Item, Job, Membership, Project, Rating, Sheet, Slot, User
from ..models.rated_items import is_rated
from ..qualification.gates import WORK_OR_GOLD, Gate, qualification_statuses
from ..qualification.hidden_gold import count_upcoming_gold
from ..queue.leases import LEASE
from ..queue.open_work import count_open_responses
from ..site.database_clock import database_now
from .progress import SlotTotals, totals_by_state

RECENT = timedelta(days=7)


_IS_RATER = Q(project__memberships__role=Membership.Role.RATER)


@dataclass(frozen=True)
class BegunResponse:
    """A response that the rater has leased: how many of its rated items are answered."""

    assignment: UUID
    prompt: str
    done: int
    total: int


@dataclass(frozen=True)
class RaterWork:
    """One rater in one project.

    `remaining`: responses that the queue would still give, with the begun one; `gate`: the gate that blocks the rater;
    `is_tried`: whether the rater has begun a training or qualification; `is_shared`: whether the project has more
    raters than the overlap, so that others may rate some of `remaining`.
    """

    project: Project
    role: str
    begun: BegunResponse | None
    remaining: int
    finished: int
    finished_today: int
    ratings: int
    ratings_today: int
    gate: Gate | None
    is_tried: bool = False
    is_shared: bool = False

    @property
    def is_new(self) -> bool:
        """Whether the rater has not begun anything in the project, and can."""
        has_worked = self.begun or self.finished or self.ratings or self.is_tried
        return not has_worked and self.gate not in ("paused", "failed")

    @property
    def total(self) -> int:
        return self.finished + self.remaining

    @property
    def unit(self) -> str:
        return self.project.protocol.definition.unit


def rater_work(user: User, project: Project | None = None) -> list[RaterWork]:
    """Return the user's work in each of their projects, or in `project`, newest project first."""
    rows = Membership.objects.filter(user=user).select_related("project__protocol").order_by("-project__pk")
    rows = rows.filter(project=project) if project else rows
    memberships = list(rows.annotate(raters=Count("project__memberships", filter=_IS_RATER)))
    projects = [membership.project for membership in memberships]
    begun, remaining = _begun_responses(user, projects), count_open_responses(user, projects)
    finished, ratings = _count_finished(user, projects), _count_ratings(user, projects)
    gold, statuses = count_upcoming_gold(user, memberships, remaining), qualification_statuses(memberships)
    return [
        RaterWork(
            membership.project,
            membership.role,
            begun.get(membership.project_id),
            remaining.get(membership.project_id, 0) + gold.get(membership.project_id, 0),
            *finished.get(membership.project_id, (0, 0)),
            *ratings.get(membership.project_id, (0, 0)),
            statuses[membership.pk].gate,
            bool(statuses[membership.pk].attempts),
            membership.raters > membership.project.overlap,
        )
        for membership in memberships
    ]


def next_project(user: User, project: Project) -> Project | None:
    """Return another project in which the user has something to rate: one with a started response first."""
    works = [
        work
        for work in rater_work(user)
        if work.project != project and not work.project.archived_at and work.gate not in ("paused", "failed")
    ]
    works = [work for work in works if work.begun or (work.remaining and work.role == Membership.Role.RATER)]
    return max(works, key=lambda work: bool(work.begun)).project if works else None


def _begun_responses(user: User, projects: Collection[Project]) -> dict[int, BegunResponse]:
    """Return by project id the response that the queue would resume."""
    slots = Slot.objects.filter(holder__project__in=projects, holder__rater=user, finished_at=None)
    slots = slots.order_by("-holder__taken_at")  # of two, the dict keeps the one leased first
    leased = {slot.sheet.project_id: slot for slot in slots.select_related("holder", "sheet__response__prompt")}
    on_sheets, is_asked = {}, Q(pk=None)
    for project in projects:
        is_asked |= Q(project=project) & is_rated(project, "item__")
        if slot := leased.get(project.pk):
            unit, sheet = project.protocol.definition.unit, slot.sheet
            is_on_sheet = Q(response=sheet.response_id, against=sheet.against_id, unit=unit)
            on_sheets[f"project_{project.pk}"] = Count("pk", filter=is_rated(project) & is_on_sheet)
    totals = Item.objects.filter(response__in=[slot.sheet.response_id for slot in leased.values()]).aggregate(
        **on_sheets
    )
    own = Rating.objects.filter(assignment__in=[slot.holder_id for slot in leased.values()], role=Rating.Role.RATER)
    done = dict(own.filter(is_asked).values_list("assignment").annotate(n=Count("pk")))
    return {
        pk: BegunResponse(
            slot.holder.public_id,
            slot.sheet.response.prompt.text,
            done.get(slot.holder_id, 0),
            totals[f"project_{pk}"],
        )
        for pk, slot in leased.items()
        if slot.holder
    }


def _count_finished(user: User, projects: Collection[Project]) -> dict[int, tuple[int, int]]:
    """Return by project id how many responses of the queue the user finished, in all and today."""
    rows = Assignment.objects.filter(
        rater=user, project__in=projects, purpose__in=WORK_OR_GOLD, finished_at__isnull=False
    )  # fmt: skip
    counts = rows.values_list("project").annotate(
        n=Count("pk"), today=Count("pk", filter=Q(finished_at__gte=midnight()))
    )
    return {project: (n, today) for project, n, today in counts}


def _count_ratings(user: User, projects: Collection[Project]) -> dict[int, tuple[int, int]]:
    """Return by project id the user's ratings, in all and today, without training and qualification.

    Imported ratings do not count as ratings of today.
    """
    rows = Rating.objects.filter(
        Q(assignment=None) | Q(assignment__purpose__in=WORK_OR_GOLD),
        rater=user, project__in=projects, role=Rating.Role.RATER,
    )  # fmt: skip
    is_today = Q(rated_at__gte=midnight(), assignment__isnull=False)
    counts = rows.values_list("project").annotate(n=Count("pk"), today=Count("pk", filter=is_today))
    return {project: (n, today) for project, n, today in counts}


def midnight() -> datetime:
    return timezone.localtime(database_now()).replace(hour=0, minute=0, second=0, microsecond=0)


@dataclass(frozen=True)
class ProjectState(SlotTotals):
    """Counts of one project. `active_at`: when a rater last leased, saved or finished."""

    active_at: datetime | None
    project: Project
    responses: int
    raters: int

    @property
    def is_done(self) -> bool:
        """Whether there are slots and all are finished."""
        return 0 < self.slots == self.done

    @property
    def has_too_few_raters(self) -> bool:
        """Whether fewer raters than the overlap are active: they cannot finish, as each reads a response only once."""
        return not self.is_done and self.raters < self.project.overlap


def project_states(projects: QuerySet[Project]) -> list[ProjectState]:
    """Return the state of each of `projects`, in their order. Four queries."""
    rows = list(projects.select_related("dataset", "protocol"))
    responses = dict(Sheet.objects.filter(project__in=rows).order_by().values_list("project").annotate(n=Count("pk")))
    raters = dict(
        Membership.objects.filter(project__in=rows, role=Membership.Role.RATER, user__is_active=True)
        .values_list("project")
        .annotate(n=Count("pk"))
    )
    lease_ends = Max("expires_at", filter=Q(expires_at__lte=database_now() + LEASE))
    slots = Slot.objects.filter(project__in=rows).order_by().values_list("project")
    totals = {row[0]: row[1:] for row in slots.annotate(**totals_by_state(), last=lease_ends)}
    states = []
    for project in rows:
        n, done, leased, ahead, last = totals.get(project.pk, (0, 0, 0, 0, None))
        counts = responses.get(project.pk, 0), raters.get(project.pk, 0)
        states.append(ProjectState(n, done, leased, ahead, last and last - LEASE, project, *counts))
    return states


def recently_failed(projects: Collection[Project]) -> QuerySet[Job]:
    """Return jobs that failed within a week and have not succeeded since, newest first."""
    later = Job.objects.filter(
        project=OuterRef("project"), kind=OuterRef("kind"), created_at__gt=OuterRef("created_at")
    )
    return Job.objects.filter(
        ~Exists(later.filter(state=Job.State.DONE)),
        project__in=projects,
        state=Job.State.FAILED,
        ended_at__gte=database_now() - RECENT,
    ).select_related("project")
