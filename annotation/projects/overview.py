"""What a home page needs to know: a rater's next step in each project, and how each project stands.

Counted when asked, in as many queries for fifty projects as for one.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from ..models import Assignment, Item, Job, Membership, Project, Purpose, Rating, Reservation, Sheet, Slot, User
from ..models.queue import NOT_WORK
from ..qualification.gates import WORK_OR_GOLD, Gate, qualification_statuses
from ..qualification.hidden_gold import count_upcoming_gold
from ..qualification.prefetch import is_prefetched
from ..queue.imported_ratings import imported_ratings_of
from ..queue.leases import LEASE

QUIET_AFTER = timedelta(days=3)
LATELY = timedelta(days=7)


@dataclass(frozen=True)
class Begun:
    """A response that the rater holds: how many of its rated items are answered."""

    assignment: UUID
    prompt: str
    done: int
    total: int


@dataclass(frozen=True)
class RaterWork:
    """One rater in one project. `left`: responses the queue would still give, the begun one too. `gate`: what the
    rater has to do first, or that they are paused; None lets them work."""

    project: Project
    role: str
    begun: Begun | None
    left: int
    finished: int
    finished_today: int
    ratings: int
    ratings_today: int
    gate: Gate | None

    @property
    def all(self) -> int:
        """Responses finished and left."""
        return self.finished + self.left

    @property
    def unit(self) -> str:
        """What one rating is about, in the protocol's word."""
        return self.project.protocol.definition.unit


def rater_work(user: User, project: Project | None = None) -> list[RaterWork]:
    """The user's work in every project they belong to (or in `project` alone), the newest project first."""
    found = Membership.objects.filter(user=user).select_related("project__protocol").order_by("-project__pk")
    memberships = list(found.filter(project=project) if project else found)
    roles = {membership.project: membership.role for membership in memberships}
    begun, left = _begun(user, roles), _left(user, roles)
    finished, given = _finished(user, roles), _given(user, roles)
    gold, standings = count_upcoming_gold(user, memberships, left), qualification_statuses(user, memberships)
    return [
        RaterWork(
            found,
            role,
            begun.get(found.pk),
            left.get(found.pk, 0) + gold.get(found.pk, 0),
            *finished.get(found.pk, (0, 0)),
            *given.get(found.pk, (0, 0)),
            standings[found.pk].gate,
        )
        for found, role in roles.items()
    ]


def _begun(user: User, projects: Collection[Project]) -> dict[int, Begun]:
    """By project: the response that the queue would give back."""
    slots = Slot.objects.filter(holder__project__in=projects, holder__rater=user, finished_at=None)
    slots = slots.order_by("-holder__taken_at")  # of two the one that was taken first
    held = {slot.sheet.project_id: slot for slot in slots.select_related("holder", "sheet__response__prompt")}
    units = {project.pk: project.protocol.definition.unit for project in projects}
    totals = _items_of([(slot.sheet, units[pk]) for pk, slot in held.items()])
    done = dict(
        Rating.objects.filter(assignment__in=[slot.holder_id for slot in held.values()], role=Rating.Role.RATER)
        .filter(item__rate=True, item__retired_at=None)
        .values_list("assignment")
        .annotate(n=Count("pk"))
    )
    return {
        pk: Begun(
            slot.holder.public_id,
            slot.sheet.response.prompt.text,
            done.get(slot.holder_id, 0),
            totals.get((slot.sheet.response_id, slot.sheet.against_id, units[pk]), 0),
        )
        for pk, slot in held.items()
        if slot.holder
    }


def _items_of(sheets: list[tuple[Sheet, str]]) -> dict[tuple[int, int | None, str], int]:
    """How many items are rated, by response, response against and unit."""
    wanted = Q(pk=None)
    for sheet, unit in sheets:
        wanted |= Q(response=sheet.response_id, against=sheet.against_id, unit=unit)
    rows = Item.objects.filter(wanted, rate=True, retired_at=None).order_by().values_list("response", "against", "unit")
    return {(response, against, unit): n for response, against, unit, n in rows.annotate(n=Count("pk"))}


def _left(user: User, projects: Collection[Project]) -> dict[int, int]:
    """By project: responses with a slot that the queue would give to the user."""
    had = Assignment.objects.filter(Q(finished_at__isnull=False) | NOT_WORK, sheet=OuterRef("sheet"), rater=user)
    is_open = Q(holder=None) | Q(expires_at__lt=timezone.now(), was_finished_at=None)
    kept = Reservation.objects.filter(sheet=OuterRef("sheet"), rater=user)
    is_for_user = Q(rank__gte=0) | Exists(kept)  # a reserved slot stands below zero
    slots = Slot.objects.filter(project__in=projects, project__archived_at=None, finished_at=None).filter(
        Q(holder__rater=user) | (is_open & is_for_user & ~Exists(had) & ~Exists(imported_ratings_of(user, "sheet__"))),
        sheet__purpose=Purpose.WORK,
    )
    return dict(slots.values_list("project").annotate(n=Count("sheet", distinct=True)))


def _finished(user: User, projects: Collection[Project]) -> dict[int, tuple[int, int]]:
    """By project: responses that the user finished, in all and today; without training and qualification."""
    rows = Assignment.objects.filter(
        rater=user, project__in=projects, purpose__in=WORK_OR_GOLD, finished_at__isnull=False
    )  # fmt: skip
    counts = rows.values_list("project").annotate(
        n=Count("pk"), today=Count("pk", filter=Q(finished_at__gte=midnight()))
    )
    return {project: (n, today) for project, n, today in counts}


def _given(user: User, projects: Collection[Project]) -> dict[int, tuple[int, int]]:
    """By project: ratings that the user gave, in all and today, without training and qualification. What came in by
    import was not given here."""
    rows = Rating.objects.filter(
        Q(assignment=None) | Q(assignment__purpose__in=WORK_OR_GOLD),
        rater=user, project__in=projects, role=Rating.Role.RATER,
    )  # fmt: skip
    is_of_today = Q(rated_at__gte=midnight(), assignment__isnull=False)
    counts = rows.values_list("project").annotate(n=Count("pk"), today=Count("pk", filter=is_of_today))
    return {project: (n, today) for project, n, today in counts}


def midnight() -> datetime:
    return timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)


@dataclass(frozen=True)
class ProjectState:
    """How one project stands. `ahead` of what is leased was given ahead. `active_at`: when a rater last took, saved or
    finished work."""

    project: Project
    responses: int
    raters: int
    slots: int
    done: int
    leased: int
    ahead: int
    active_at: datetime | None

    @property
    def left(self) -> int:
        """Slots that nobody holds."""
        return self.slots - self.done - self.leased

    @property
    def in_hand(self) -> int:
        """Being rated: leased, and not given ahead."""
        return self.leased - self.ahead

    @property
    def is_done(self) -> bool:
        """Every slot is finished, and there is one."""
        return 0 < self.slots == self.done

    @property
    def has_too_few_raters(self) -> bool:
        """Nobody reads a response twice, so fewer raters than the overlap can never finish it."""
        return not self.is_done and self.raters < self.project.overlap

    @property
    def is_quiet(self) -> bool:
        """Raters began, there is work left, and nobody has done any for three days."""
        return bool(self.left and self.active_at and self.active_at < timezone.now() - QUIET_AFTER)


def project_states(projects: QuerySet[Project]) -> list[ProjectState]:
    """How each of `projects` stands, in their order: four queries."""
    found = list(projects.select_related("dataset", "protocol"))
    responses = dict(Sheet.objects.filter(project__in=found).order_by().values_list("project").annotate(n=Count("pk")))
    raters = dict(
        Membership.objects.filter(project__in=found, role=Membership.Role.RATER, user__is_active=True)
        .values_list("project")
        .annotate(n=Count("pk"))
    )
    slots = _slots(found)
    return [
        ProjectState(
            project,
            responses.get(project.pk, 0),
            raters.get(project.pk, 0),
            *slots.get(project.pk, (0, 0, 0, 0, None)),
        )
        for project in found
    ]


def _slots(projects: Collection[Project]) -> dict[int, tuple]:
    """By project: slots in all, finished, leased, given ahead, and when the last lease was taken or renewed."""
    leased = Q(finished_at=None, holder__isnull=False, expires_at__gte=timezone.now())
    rows = Slot.objects.filter(project__in=projects).order_by().values_list("project")
    counts = rows.annotate(
        n=Count("pk"),
        done=Count("pk", filter=Q(finished_at__isnull=False)),
        held=Count("pk", filter=leased),
        ahead=Count("pk", filter=is_prefetched()),
        last=Max("expires_at", filter=Q(expires_at__lte=timezone.now() + LEASE)),
    )
    return {project: (*numbers, last and last - LEASE) for project, *numbers, last in counts}


def recently_failed(projects: Collection[Project]) -> QuerySet[Job]:
    """Jobs of `projects` that failed within a week and were not done since, the newest first."""
    later = Job.objects.filter(
        project=OuterRef("project"), kind=OuterRef("kind"), created_at__gt=OuterRef("created_at")
    )
    return Job.objects.filter(
        ~Exists(later.filter(state=Job.State.DONE)),
        project__in=projects,
        state=Job.State.FAILED,
        ended_at__gte=timezone.now() - LATELY,
    ).select_related("project")
