"""Hidden gold: responses with gold answers among a rater's work, which look like all others.

One of each `gold_every` responses that a rater gets is hidden gold. Which one follows from the project's seed, the
rater's name and the number of the block: reproducible, but not predictable for the rater. It is leased only while other
work is left, preferably about the document read last, and the queue continues from it as from any response. The rater's
number of remaining responses includes the gold to come, so that finishing any response reduces it by one.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from ..models import Assignment, Membership, Project, Purpose, Sheet, Slot, User
from .gates import WORK_OR_GOLD, available_sheets


@dataclass(frozen=True)
class GoldSchedule:
    """Which responses are gold for one rater of one project: one of each `every`."""

    seed: int
    rater: str
    every: int

    def gold_position(self, block: int) -> int:
        """Return the position of the gold response in the block, from 0."""
        return _hash_number(f"{self.seed}:gold:{self.rater}:{block}") % self.every

    def is_due(self, leased: int) -> bool:
        """Return whether the next response is gold for a rater who has had `leased` responses."""
        block, position = divmod(leased, self.every)
        return self.gold_position(block) == position

    def count_upcoming(self, leased: int, work: int, gold: int) -> int:
        """Return how many of `gold` sheets come before the last of `work` ordinary responses.

        `leased`: how many responses the rater has had.
        """
        upcoming = 0
        while work and upcoming < gold:
            block, position = divmod(leased, self.every)
            distance = self.gold_position(block) - position
            step = distance if distance >= 0 else self.every - position
            if work <= step:
                break
            work, leased = work - step, leased + step
            if distance >= 0:
                upcoming, leased = upcoming + 1, leased + 1
        return upcoming


def _hash_number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def gold_schedule(project: Project, rater: User) -> GoldSchedule | None:
    """Return the rater's schedule, or None if the project has no hidden gold."""
    return GoldSchedule(project.seed, rater.name_in_data, project.gold_every) if project.gold_every else None


def due_gold_sheet(project: Project, rater: User, document: int | None) -> Sheet | None:
    """Return the rater's next hidden gold if it is due, preferably about `document` (an id). At most two queries."""
    schedule = gold_schedule(project, rater)
    if schedule is None or not schedule.is_due(_count_leased(rater, [project.pk]).get(project.pk, 0)):
        return None
    sheets = list(
        _new_sheets(rater).filter(project=project).select_related("response").only("document", "response__key")
    )
    order = {sheet.pk: _hash_number(f"{project.seed}:{rater.name_in_data}:{sheet.response.key}") for sheet in sheets}
    near = [sheet for sheet in sheets if document and sheet.document_id == document]
    return min(near or sheets, key=lambda sheet: order[sheet.pk], default=None)


def released_gold_sheet(project: Project, rater: User) -> Sheet | None:
    """Return hidden gold that the rater leased before and released unfinished."""
    return _released_sheets(rater).filter(project=project).order_by("rank").first()


def count_upcoming_gold(rater: User, memberships: Collection[Membership], open_work: dict[int, int]) -> dict[int, int]:
    """Return by project id how many hidden gold responses the rater will get with `open_work` ordinary ones.

    No query if no project has hidden gold, else four.
    """
    schedules = {
        membership.project_id: schedule
        for membership in memberships
        if membership.role == Membership.Role.RATER and (schedule := gold_schedule(membership.project, rater))
    }
    if not schedules:
        return {}
    slots = Slot.objects.filter(holder__rater=rater, holder__project__in=schedules, finished_at=None).order_by()
    counts = slots.values_list("holder__project").annotate(
        work=Count("project", filter=Q(sheet__purpose=Purpose.WORK)),
        gold=Count("pk", filter=Q(holder__purpose=Purpose.GOLD)),
    )
    leased, unfinished = _count_leased(rater, schedules), {project: (work, gold) for project, work, gold in counts}
    new, released = _count_sheets(_new_sheets(rater), schedules), _count_sheets(_released_sheets(rater), schedules)
    upcoming = {}
    for project, schedule in schedules.items():
        work, gold = unfinished.get(project, (0, 0))
        scheduled = schedule.count_upcoming(
            leased.get(project, 0), open_work.get(project, 0) - work, new.get(project, 0)
        )
        upcoming[project] = scheduled + released.get(project, 0) + gold
    return upcoming


def _count_leased(rater: User, projects: Collection[int]) -> dict[int, int]:
    """Return by project how many responses the rater has leased so far, gold included."""
    rows = Assignment.objects.filter(rater=rater, project__in=projects, purpose__in=WORK_OR_GOLD).order_by()
    return dict(rows.values_list("project").annotate(n=Count("pk")))


def _new_sheets(rater: User) -> QuerySet[Sheet]:
    return available_sheets(rater, Purpose.GOLD).filter(
        ~Exists(Assignment.objects.filter(sheet=OuterRef("pk"), rater=rater))
    )


def _released_sheets(rater: User) -> QuerySet[Sheet]:
    own = Assignment.objects.filter(
        sheet=OuterRef("pk"), rater=rater, purpose=Purpose.GOLD, finished_at=None, slot=None
    )
    return Sheet.objects.filter(Exists(own), purpose=Purpose.GOLD)


def _count_sheets(sheets: QuerySet[Sheet], projects: Collection[int]) -> dict[int, int]:
    return dict(sheets.filter(project__in=projects).order_by().values_list("project").annotate(n=Count("pk")))
