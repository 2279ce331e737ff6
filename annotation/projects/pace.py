"""The pace of a project's raters, and the forecast of its end. Open pages request it every few seconds.

Counted from slots and the tally, never from ratings: the cost depends on the number of responses only.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce

from ..models import Assignment, Project, Rating, Slot, Tally
from ..models.queue import NOT_WORK
from ..qualification.prefetch import is_prefetched
from ..queue.exclusion import is_excluded
from ..queue.leases import LEASE
from ..site.database_clock import database_now
from .forecast import DAY, DAYS, Forecast, forecast
from .overview import midnight

ACTIVE_FOR = timedelta(days=DAYS)
ONLINE_WITHIN = timedelta(minutes=10)


@dataclass(frozen=True)
class RaterPace:
    """One rater.

    `being_rated`: leased and not prefetched; `per_hour`: responses per hour of the last week in which at least one was
    finished; `active_at`: when the rater last leased, saved or finished work.
    """

    username: str
    name: str
    is_member: bool
    is_active: bool
    finished: int
    being_rated: int
    today: int
    per_hour: float | None
    active_at: datetime | None

    @property
    def is_online(self) -> bool:
        """Whether the rater was active within ten minutes."""
        return bool(self.active_at and self.active_at > database_now() - ONLINE_WITHIN)


@dataclass(frozen=True)
class Pace:
    """A project's current pace.

    `ratings`: those by raters so far, without training, qualification and hidden gold; `unfinished`: those of them in
    unfinished assignments.
    """

    raters: list[RaterPace]
    today: int
    ratings: int
    unfinished: int
    forecast: Forecast


_RATERS = """
    SELECT rater.username, COALESCE(NULLIF(trim(rater.first_name || ' ' || rater.last_name), ''), rater.username),
        member.id IS NOT NULL, rater.is_active,
        COALESCE(work.finished, 0), COALESCE(work.being_rated, 0), COALESCE(work.today, 0), work.hours, work.lately,
        work.active_at
    FROM (
        SELECT user_id FROM annotation_membership WHERE project_id = %(project)s AND role = 'rater'
        UNION SELECT rater_id FROM annotation_assignment WHERE project_id = %(project)s
    ) person(id)
    JOIN annotation_user rater ON rater.id = person.id
    LEFT JOIN annotation_membership member ON member.project_id = %(project)s AND member.user_id = rater.id
    LEFT JOIN (
        SELECT a.rater_id,
            count(*) FILTER (WHERE slot.finished_at IS NOT NULL) AS finished,
            count(*) FILTER (WHERE slot.finished_at IS NULL AND slot.expires_at >= %(now)s
                AND slot.id <> ALL (%(ahead)s)) AS being_rated,
            count(*) FILTER (WHERE slot.finished_at >= %(today)s) AS today,
            count(*) FILTER (WHERE slot.finished_at >= %(lately)s) AS lately,
            count(DISTINCT date_trunc('hour', slot.finished_at)) FILTER (WHERE slot.finished_at >= %(lately)s)
                AS hours,
            max(slot.expires_at) FILTER (WHERE slot.expires_at <= %(now)s + %(lease)s) - %(lease)s AS active_at
        FROM annotation_slot slot JOIN annotation_assignment a ON a.id = slot.holder_id
        WHERE slot.project_id = %(project)s GROUP BY a.rater_id
    ) work ON work.rater_id = rater.id
    ORDER BY rater.username
"""
# Windows of 24 hours that end now, numbered from the newest; the last one holds everything before as well.
_BY_DAY = """
    SELECT least(floor(extract(epoch FROM %(now)s - finished_at) / 86400), %(days)s)::int, count(*), min(finished_at)
    FROM annotation_slot WHERE project_id = %(project)s AND finished_at <= %(now)s GROUP BY 1
"""


def project_pace(project: Project, remaining: int) -> Pace:
    """Return the pace of the project with `remaining` unfinished assignments. Five queries."""
    now = database_now()
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
    tally = Tally.objects.filter(~is_excluded(project, ""), project=project, role=Rating.Role.RATER)
    ratings = tally.aggregate(all=Coalesce(Sum("n"), 0), unfinished=Coalesce(Sum("n", filter=Q(counted=False)), 0))
    outside_work = Rating.objects.filter(
        ~is_excluded(project),
        role=Rating.Role.RATER,
        assignment__in=Assignment.objects.filter(NOT_WORK, project=project),
    ).count()
    finished = sum(n for _, n, _ in days)
    return Pace(
        raters,
        sum(rater.today for rater in raters),
        ratings["all"] - outside_work,
        ratings["unfinished"] - outside_work,
        forecast(_by_day(days, now), finished, remaining, now),
    )


def _rater(
    username: str,
    name: str,
    is_member: bool,
    is_active: bool,
    finished: int,
    being_rated: int,
    today: int,
    hours: int | None,
    lately: int | None,
    active_at: datetime | None,
) -> RaterPace:
    per_hour = (lately or 0) / hours if hours else None
    return RaterPace(username, name, is_member, is_active, finished, being_rated, today, per_hour, active_at)


def _by_day(rows: list[tuple[int, int, datetime]], now: datetime) -> list[int]:
    """Return the finished assignments in each of the last windows, newest first, back to the first of all."""
    if not rows:
        return []
    first = min(earliest for _, _, earliest in rows)
    windows = min(DAYS, int((now - first) / DAY))
    counts = {day: n for day, n, _ in rows}
    return [counts.get(day, 0) for day in range(windows)]
