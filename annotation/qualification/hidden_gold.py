"""Hidden gold: responses with gold answers among a rater's work, which look like any other.

Of each `gold_every` responses that a rater gets, one is hidden gold; which one is drawn from the project's seed, the
rater's name and the number of the block, so it can be worked out again and not be foreseen. It is given only where
other work is left, at best about the article read last, and the queue goes on from it as from any response. What is
left for the rater counts the gold to come, so that finishing any response takes one away.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from ..models import Assignment, Membership, Project, Purpose, Sheet, Slot, User
from .gates import WORK_OR_GOLD, available_sheets


@dataclass(frozen=True)
class GoldSchedule:
    """The rule for one rater of one project: one of `every` responses."""

    seed: int
    rater: str
    every: int

    def place_in(self, block: int) -> int:
        """Which response of the block is gold, from 0."""
        return _number(f"{self.seed}:gold:{self.rater}:{block}") % self.every

    def is_due(self, had: int) -> bool:
        """Whether the next response is gold for a rater who has had `had`."""
        block, at = divmod(had, self.every)
        return self.place_in(block) == at

    def among_the_next(self, had: int, left: int, gold: int) -> int:
        """How many of `gold` sheets come while `left` responses of other work are given, none after the last."""
        found = 0
        while left and found < gold:
            block, at = divmod(had, self.every)
            before = self.place_in(block) - at
            step = before if before >= 0 else self.every - at
            if left <= step:
                break
            left, had = left - step, had + step
            if before >= 0:
                found, had = found + 1, had + 1
        return found


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def gold_schedule(project: Project, rater: User) -> GoldSchedule | None:
    """None where the project mixes no gold in."""
    return GoldSchedule(project.seed, rater.username, project.gold_every) if project.gold_every else None


def due_gold_sheet(project: Project, rater: User, document: int | None) -> Sheet | None:
    """The hidden gold that comes next for the rater, if one is due; at best about `document`. Two queries at most."""
    draw = gold_schedule(project, rater)
    if draw is None or not draw.is_due(_had(rater, [project.pk]).get(project.pk, 0)):
        return None
    sheets = list(_fresh(rater).filter(project=project).select_related("response").only("document", "response__key"))
    order = {sheet.pk: _number(f"{project.seed}:{rater.username}:{sheet.response.key}") for sheet in sheets}
    near = [sheet for sheet in sheets if document and sheet.document_id == document]
    return min(near or sheets, key=lambda sheet: order[sheet.pk], default=None)


def released_gold_sheet(project: Project, rater: User) -> Sheet | None:
    """Hidden gold that the rater had and has neither finished nor holds."""
    return _let_go(rater).filter(project=project).order_by("rank").first()


def count_upcoming_gold(rater: User, memberships: Collection[Membership], left: dict[int, int]) -> dict[int, int]:
    """By project: how many hidden gold responses are among what is left for the rater, where `left` responses of other
    work are. No query where no project mixes gold in, else four."""
    draws = {
        membership.project_id: draw
        for membership in memberships
        if membership.role == Membership.Role.RATER and (draw := gold_schedule(membership.project, rater))
    }
    if not draws:
        return {}
    had, fresh, let_go = _had(rater, draws), _counted(_fresh(rater), draws), _counted(_let_go(rater), draws)
    held = _held(rater, draws)
    found = {}
    for project, draw in draws.items():
        work, gold = held.get(project, (0, 0))
        to_come = draw.among_the_next(had.get(project, 0), left.get(project, 0) - work, fresh.get(project, 0))
        found[project] = to_come + let_go.get(project, 0) + gold
    return found


def _had(rater: User, projects: Collection[int]) -> dict[int, int]:
    """How many responses the rater has ever been given, gold included."""
    rows = Assignment.objects.filter(rater=rater, project__in=projects, purpose__in=WORK_OR_GOLD).order_by()
    return dict(rows.values_list("project").annotate(n=Count("pk")))


def _held(rater: User, projects: Collection[int]) -> dict[int, tuple[int, int]]:
    """By project: responses in hand and given ahead, of the work and of hidden gold."""
    slots = Slot.objects.filter(holder__rater=rater, holder__project__in=projects, finished_at=None).order_by()
    counts = slots.values_list("holder__project").annotate(
        work=Count("project", filter=Q(sheet__purpose=Purpose.WORK)),
        gold=Count("pk", filter=Q(holder__purpose=Purpose.GOLD)),
    )
    return {project: (work, gold) for project, work, gold in counts}


def _fresh(rater: User) -> QuerySet[Sheet]:
    return available_sheets(rater, Purpose.GOLD).filter(
        ~Exists(Assignment.objects.filter(sheet=OuterRef("pk"), rater=rater))
    )


def _let_go(rater: User) -> QuerySet[Sheet]:
    own = Assignment.objects.filter(
        sheet=OuterRef("pk"), rater=rater, purpose=Purpose.GOLD, finished_at=None, slot=None
    )
    return Sheet.objects.filter(Exists(own), purpose=Purpose.GOLD)


def _counted(sheets: QuerySet[Sheet], projects: Collection[int]) -> dict[int, int]:
    return dict(sheets.filter(project__in=projects).order_by().values_list("project").annotate(n=Count("pk")))
