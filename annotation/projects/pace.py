"""How fast the raters of a project are, and when it will be finished. Asked every few seconds by open pages.

Counted from slots and from the tally, never from the ratings: the cost follows the responses, however many ratings
they have. A reading is one response read by one rater.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from ..models import Assignment, Project, Rating, Slot, Tally
from ..models.queue import NOT_WORK
from ..qualification.prefetch import is_prefetched
from ..queue.leases import LEASE
from .forecast import DAY, DAYS, Forecast, forecast
from .overview import midnight

ACTIVE_FOR = timedelta(days=DAYS)
SEEN_JUST_NOW = timedelta(minutes=10)


@dataclass(frozen=True)
class RaterPace:
    """One rater. `in_hand`: being rated, without what was given ahead. `an_hour`: readings finished an hour of the last
    week in which at least one was; None without any. `seen_at`: when they last took, saved or finished something."""

    username: str
    name: str
    is_member: bool
    is_active: bool
    finished: int
    in_hand: int
    today: int
    an_hour: float | None
    seen_at: datetime | None

    @property
    def is_here(self) -> bool:
        """Whether they were seen within ten minutes."""
        return bool(self.seen_at and self.seen_at > timezone.now() - SEEN_JUST_NOW)


@dataclass(frozen=True)
class Pace:
    """A project at this moment. `ratings`: given so far by raters, without training, qualification and hidden gold;
    `unfinished` of them are of unfinished readings."""

    raters: list[RaterPace]
    today: int
    ratings: int
    unfinished: int
    forecast: Forecast


_RATERS = """
    SELECT rater.username, COALESCE(NULLIF(trim(rater.first_name || ' ' || rater.last_name), ''), rater.username),
        member.id IS NOT NULL, rater.is_active,
        COALESCE(did.finished, 0), COALESCE(did.in_hand, 0), COALESCE(did.today, 0), did.hours, did.lately, did.seen
    FROM (
        SELECT user_id FROM annotation_membership WHERE project_id = %(project)s AND role = 'rater'
        UNION SELECT rater_id FROM annotation_assignment WHERE project_id = %(project)s
    ) who(id)
    JOIN annotation_user rater ON rater.id = who.id
    LEFT JOIN annotation_membership member ON member.project_id = %(project)s AND member.user_id = rater.id
    LEFT JOIN (
        SELECT a.rater_id,
            count(*) FILTER (WHERE slot.finished_at IS NOT NULL) AS finished,
            count(*) FILTER (WHERE slot.finished_at IS NULL AND slot.expires_at >= %(now)s
                AND slot.id <> ALL (%(ahead)s)) AS in_hand,
            count(*) FILTER (WHERE slot.finished_at >= %(today)s) AS today,
            count(*) FILTER (WHERE slot.finished_at >= %(lately)s) AS lately,
            count(DISTINCT date_trunc('hour', slot.finished_at)) FILTER (WHERE slot.finished_at >= %(lately)s)
                AS hours,
            max(slot.expires_at) FILTER (WHERE slot.expires_at <= %(now)s + %(lease)s) - %(lease)s AS seen
        FROM annotation_slot slot JOIN annotation_assignment a ON a.id = slot.holder_id
        WHERE slot.project_id = %(project)s GROUP BY a.rater_id
    ) did ON did.rater_id = rater.id
    ORDER BY rater.username
"""
# Windows of 24 hours that end now, numbered from the newest; the last one holds everything before as well.
_BY_DAY = """
    SELECT least(floor(extract(epoch FROM %(now)s - finished_at) / 86400), %(days)s)::int, count(*), min(finished_at)
    FROM annotation_slot WHERE project_id = %(project)s AND finished_at <= %(now)s GROUP BY 1
"""


def project_pace(project: Project, left: int) -> Pace:
    """Five queries, whatever the size. `left`: readings that are not finished yet."""
    now = timezone.now()
    values: dict[str, Any] = {
        "project": project.pk,
        "now": now,
        "today": midnight(),
        "lately": now - ACTIVE_FOR,
        "lease": LEASE,
        "ahead": list(Slot.objects.filter(is_prefetched(now), project=project).values_list("pk", flat=True)),
    }
    with connection.cursor() as cursor:
        cursor.execute(_RATERS, values)
        raters = [_rater(*row) for row in cursor.fetchall()]
        cursor.execute(_BY_DAY, {"project": project.pk, "now": now, "days": DAYS})
        days = cursor.fetchall()
    tally = Tally.objects.filter(project=project, role=Rating.Role.RATER)
    ratings = tally.aggregate(all=Coalesce(Sum("n"), 0), unfinished=Coalesce(Sum("n", filter=Q(counted=False)), 0))
    aside = Rating.objects.filter(
        role=Rating.Role.RATER, assignment__in=Assignment.objects.filter(NOT_WORK, project=project)
    ).count()
    finished = sum(n for _, n, _ in days)
    return Pace(
        raters,
        sum(rater.today for rater in raters),
        ratings["all"] - aside,
        ratings["unfinished"] - aside,
        forecast(_by_day(days, now), finished, left, now),
    )


def _rater(
    username: str,
    name: str,
    is_member: bool,
    is_active: bool,
    finished: int,
    in_hand: int,
    today: int,
    hours: int | None,
    lately: int | None,
    seen: datetime | None,
) -> RaterPace:
    an_hour = (lately or 0) / hours if hours else None
    return RaterPace(username, name, is_member, is_active, finished, in_hand, today, an_hour, seen)


def _by_day(rows: list[tuple[int, int, datetime]], now: datetime) -> list[int]:
    """Readings in each of the last windows, the newest first; none from before the first reading of all."""
    if not rows:
        return []
    first = min(earliest for _, _, earliest in rows)
    windows = min(DAYS, int((now - first) / DAY))
    counts = {day: n for day, n, _ in rows}
    return [counts.get(day, 0) for day in range(windows)]
