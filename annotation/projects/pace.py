"""The pace of a project's raters, and the forecast of its end. Open pages request it every few seconds.

Counted from slots and the tally, never from ratings: the cost depends on the number of responses only.

The forecast is from the pace of the last days. Days are windows of 24 hours that end now, so that an incomplete day
does not count: the last seven, which include one weekend, or the complete ones since the first finished assignment. The
pace is their mean, its range an 80 % interval of the mean (Student's t over the days). There is no forecast for fewer
than two days or ten finished assignments.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from django.db import connection
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce

from ..models import Assignment, Project, Rating, Slot, Tally
from ..models.queue import NOT_WORK
from ..qualification.prefetch import is_prefetched
from ..queue.exclusion import is_excluded
from ..queue.leases import LEASE
from ..site.database_clock import database_now
from ..stats.quantiles import t_quantile
from .overview import midnight

DAYS, MIN_DAYS, MIN_FINISHED = 7, 2, 10
DAY = timedelta(days=1)
MAX_DAYS = 3650  # no date for an end after more than ten years
UPPER = 0.9  # of an 80 % interval
ACTIVE_FOR = timedelta(days=DAYS)
ONLINE_WITHIN = timedelta(minutes=10)


@dataclass(frozen=True)
class Forecast:
    """The forecast end of a project, from `earliest` to `latest`, most likely `likely`.

    `a_day`: finished assignments per day; `latest` is None if the slow end of the range does not reach the end.
    """

    status: Literal["done", "too early", "no progress", "forecast"]
    a_day: float | None = None
    days: int = 0
    likely: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None


def forecast(by_day: Sequence[int], finished: int, remaining: int, now: datetime) -> Forecast:
    """Forecast the end of a project with `finished` assignments and `remaining` unfinished ones.

    `by_day`: assignments finished in each complete window of 24 hours, newest first, back to the first of all.
    """
    if remaining <= 0:
        return Forecast("done")
    days = by_day[:DAYS]
    if len(days) < MIN_DAYS or finished < MIN_FINISHED:
        return Forecast("too early", days=len(days))
    pace = sum(days) / len(days)
    if pace == 0:
        return Forecast("no progress", days=len(days))
    standard_error = math.sqrt(sum((day - pace) ** 2 for day in days) / (len(days) - 1) / len(days))
    spread = t_quantile(UPPER, len(days) - 1) * standard_error
    return Forecast(
        "forecast",
        a_day=pace,
        days=len(days),
        likely=_end_date(remaining, pace, now),
        earliest=_end_date(remaining, pace + spread, now),
        latest=_end_date(remaining, pace - spread, now),
    )


def _end_date(remaining: int, a_day: float, now: datetime) -> datetime | None:
    days = remaining / a_day if a_day > 0 else math.inf
    return now + days * DAY if days <= MAX_DAYS else None


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
        raters = [
            RaterPace(
                username, name, is_member, is_active, finished, being_rated, today, n / hours if hours else None, at
            )
            for username, name, is_member, is_active, finished, being_rated, today, hours, n, at in cursor.fetchall()
        ]
        cursor.execute(_BY_DAY, {"project": project.pk, "now": now, "days": DAYS})
        days = cursor.fetchall()
    tally = Tally.objects.filter(~is_excluded(project, ""), project=project, role=Rating.Role.RATER)
    ratings = tally.aggregate(all=Coalesce(Sum("n"), 0), unfinished=Coalesce(Sum("n", filter=Q(counted=False)), 0))
    outside_work = Rating.objects.filter(
        ~is_excluded(project),
        role=Rating.Role.RATER,
        assignment__in=Assignment.objects.filter(NOT_WORK, project=project),
    ).count()
    # The finished assignments in each of the last windows, newest first, back to the first of all.
    first = min((earliest for _day, _n, earliest in days), default=now)
    counts = {day: n for day, n, _earliest in days}
    by_day = [counts.get(day, 0) for day in range(min(DAYS, int((now - first) / DAY)))]
    return Pace(
        raters,
        sum(rater.today for rater in raters),
        ratings["all"] - outside_work,
        ratings["unfinished"] - outside_work,
        forecast(by_day, sum(counts.values()), remaining, now),
    )
