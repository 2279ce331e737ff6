"""Progress of a project, counted on request."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q

from ..models import Assignment, Membership, Project, Rating, Slot
from ..models.queue import NOT_WORK
from ..qualification.prefetch import is_prefetched
from ..queue.open_work import IS_LEASED


@dataclass(frozen=True)
class RaterProgress:
    """One rater: responses finished and leased, `ahead` of these prefetched, and ratings, counted yet or not."""

    rater: str
    finished: int
    leased: int
    ahead: int
    ratings: int


@dataclass(frozen=True)
class SlotTotals:
    """Slots by state; `ahead` of the leased ones are prefetched."""

    slots: int
    done: int
    leased: int
    ahead: int

    @property
    def remaining(self) -> int:
        """Open slots, with expired leases."""
        return self.slots - self.done - self.leased

    @property
    def being_rated(self) -> int:
        """Leased and not prefetched."""
        return self.leased - self.ahead


@dataclass(frozen=True)
class SlotCounts(SlotTotals):
    """Slots and responses of a project; a response has as many slots as the overlap.

    `nothing_to_rate`: work sheets without rated items; `set_aside`: sheets for training, qualification or hidden gold;
    `excluded`: those that a lead has excluded.
    """

    responses: int
    nothing_to_rate: int
    set_aside: int
    excluded: int

    @property
    def with_slots(self) -> int:
        return self.responses - self.nothing_to_rate - self.set_aside - self.excluded

    @property
    def share(self) -> float:
        """The share of finished slots, 0 to 1; 1 without slots."""
        return self.done / self.slots if self.slots else 1.0


@dataclass(frozen=True)
class ProjectProgress(SlotCounts):
    """Slot counts with each rater's progress."""

    raters: list[RaterProgress]


def slot_counts(project: Project) -> SlotCounts:
    """Count the project's slots. Two queries, neither reads ratings."""
    return SlotCounts(**_count(project))


def project_progress(project: Project) -> ProjectProgress:
    """Count the project's slots and each rater's progress. Five queries."""
    slots = Slot.objects.filter(project=project, holder__isnull=False).values_list("holder__rater__username")
    counts = {name: totals for name, *totals in slots.annotate(**totals_by_state())}
    own = Rating.objects.filter(project=project, role=Rating.Role.RATER)
    in_work = own.exclude(assignment__in=Assignment.objects.filter(NOT_WORK, project=project))
    ratings = dict(in_work.values_list("rater__username").annotate(n=Count("pk")))
    members = Membership.objects.filter(project=project, role=Membership.Role.RATER)
    names = sorted({*members.values_list("user__username", flat=True), *counts, *ratings})
    rows = [(name, *counts.get(name, (0, 0, 0, 0))) for name in names]
    raters = [
        RaterProgress(name, done, leased, ahead, ratings.get(name, 0)) for name, _slots, done, leased, ahead in rows
    ]
    return ProjectProgress(**_count(project), raters=raters)


def totals_by_state() -> dict[str, Count]:
    """Return the aggregates of slots that `SlotTotals` has, in its order."""
    return {
        "slots": Count("pk"),
        "done": Count("pk", filter=Q(finished_at__isnull=False)),
        "leased": Count("pk", filter=IS_LEASED),
        "ahead": Count("pk", filter=is_prefetched()),
    }


def _count(project: Project) -> dict[str, int]:
    slots = Slot.objects.filter(project=project).aggregate(**totals_by_state(), rated=Count("sheet", distinct=True))
    slots_of_sheet = Slot.objects.filter(sheet=OuterRef("pk"), project=project)
    sheets = project.sheets.order_by().aggregate(
        responses=Count("pk"),
        set_aside=Count("pk", filter=Q(NOT_WORK, ~Exists(slots_of_sheet))),
        excluded=Count("exclusion"),
    )
    nothing_to_rate = sheets["responses"] - slots.pop("rated") - sheets["set_aside"] - sheets["excluded"]
    return {**slots, **sheets, "nothing_to_rate": nothing_to_rate}
