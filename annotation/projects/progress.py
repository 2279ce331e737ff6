"""How far a project is: counted when asked, stored nowhere."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from ..models import Assignment, Membership, Project, Rating, Slot
from ..models.queue import NOT_WORK
from ..qualification.prefetch import is_prefetched


@dataclass(frozen=True)
class RaterProgress:
    """Responses that one rater finished and holds, `ahead` of these given ahead, and all ratings given, those that do
    not count yet too."""

    rater: str
    finished: int
    leased: int
    ahead: int
    ratings: int


@dataclass(frozen=True)
class SlotCounts:
    """Slots by state; a response has as many slots as the overlap. A lease that ran out counts as left, and what is
    set aside for training, qualification or hidden gold is neither work nor without anything to rate. `ahead` of those
    leased were given ahead (see `ahead`): nobody is at them yet."""

    slots: int
    done: int
    leased: int
    ahead: int
    left: int
    responses: int
    nothing_to_rate: int
    set_aside: int

    @property
    def share(self) -> float:
        """Done, 0 to 1. A project without slots is done."""
        return self.done / self.slots if self.slots else 1.0

    @property
    def in_hand(self) -> int:
        """Being rated: leased, and not given ahead."""
        return self.leased - self.ahead


@dataclass(frozen=True)
class ProjectProgress(SlotCounts):
    """The same with the raters, one by one."""

    raters: list[RaterProgress]


def slot_counts(project: Project) -> SlotCounts:
    """Three queries, whatever the size; the ratings are not looked at."""
    return SlotCounts(**_counted(project))


def project_progress(project: Project) -> ProjectProgress:
    """Six queries, whatever the size."""
    return ProjectProgress(**_counted(project), raters=_raters(project))


def _counted(project: Project) -> dict[str, int]:
    slots = Slot.objects.filter(project=project).aggregate(
        slots=Count("pk"),
        done=Count("pk", filter=Q(finished_at__isnull=False)),
        leased=Count("pk", filter=_leased()),
        ahead=Count("pk", filter=is_prefetched()),
        rated=Count("sheet", distinct=True),
    )
    responses, rated = project.sheets.count(), slots.pop("rated")
    aside = project.sheets.filter(~Exists(Slot.objects.filter(sheet=OuterRef("pk"), project=project)), NOT_WORK).count()
    left = slots["slots"] - slots["done"] - slots["leased"]
    return {
        **slots,
        "left": left,
        "responses": responses,
        "nothing_to_rate": responses - rated - aside,
        "set_aside": aside,
    }


def _leased() -> Q:
    return Q(finished_at=None, holder__isnull=False, expires_at__gte=timezone.now())


def _raters(project: Project) -> list[RaterProgress]:
    slots = Slot.objects.filter(project=project, holder__isnull=False).values("holder__rater__username")
    held = {
        row["holder__rater__username"]: row
        for row in slots.annotate(
            done=Count("pk", filter=Q(finished_at__isnull=False)),
            leased=Count("pk", filter=_leased()),
            ahead=Count("pk", filter=is_prefetched()),
        )
    }
    given = dict(
        Rating.objects.filter(project=project, role=Rating.Role.RATER)
        .exclude(assignment__in=Assignment.objects.filter(NOT_WORK, project=project))
        .values_list("rater__username")
        .annotate(n=Count("pk"))
    )
    members = Membership.objects.filter(project=project, role=Membership.Role.RATER).values_list(
        "user__username", flat=True
    )
    names = sorted(set(members) | set(held) | set(given))
    nothing = {"done": 0, "leased": 0, "ahead": 0}
    rows = {name: held.get(name, nothing) for name in names}
    return [
        RaterProgress(name, row["done"], row["leased"], row["ahead"], given.get(name, 0)) for name, row in rows.items()
    ]
