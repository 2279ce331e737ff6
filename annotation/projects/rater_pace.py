"""How fast a rater is, shown to that rater alone: no comparison with others.

The page measures time while a sentence is highlighted and the rater is active; pauses do not count. Ratings without a
measured time (from programs or long ago) are counted but not in the speed. The ratings are those that a home page
counts for today (see `overview`): work and, as raters must not recognize it, hidden gold, but no training,
qualification or import.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Least, TruncDate
from django.utils import timezone

from ..models import Project, Rating, User
from ..qualification.gates import WORK_OR_GOLD
from ..site.database_clock import database_now
from .overview import midnight

DAYS = 7
MAX_SECONDS = 600.0  # for one item; a longer time includes a break
MIN_SECONDS = 60.0  # of work for a meaningful speed


@dataclass(frozen=True)
class WorkedTime:
    """Work in a period: `timed` of the `ratings` have a measured time, `seconds` in all."""

    ratings: int = 0
    timed: int = 0
    seconds: float = 0.0

    @property
    def per_hour(self) -> int | None:
        """Items per hour of active time; None for less than a minute."""
        return round(3600 * self.timed / self.seconds) if self.seconds >= MIN_SECONDS else None

    @property
    def seconds_per_item(self) -> float | None:
        """Active seconds per item."""
        return self.seconds / self.timed if self.timed else None

    @property
    def minutes(self) -> int:
        """Active minutes, rounded."""
        return round(self.seconds / 60)

    def __add__(self, other: "WorkedTime") -> "WorkedTime":
        return WorkedTime(self.ratings + other.ratings, self.timed + other.timed, self.seconds + other.seconds)


@dataclass(frozen=True)
class PersonalPace:
    """Today, the last seven days in total, and those of them with ratings, newest first."""

    today: WorkedTime
    week: WorkedTime
    days: list[tuple[date, WorkedTime]]


def personal_pace(rater: User, project: Project) -> PersonalPace:
    """Return the rater's own pace in a project. One query over a week of their ratings."""
    since = midnight() - timedelta(days=DAYS - 1)
    rows = (
        Rating.objects.filter(rater=rater, project=project, role=Rating.Role.RATER, rated_at__gte=since)
        .filter(assignment__purpose__in=WORK_OR_GOLD)
        .annotate(day=TruncDate("rated_at"), time=Least(F("seconds"), MAX_SECONDS))
        .order_by("-day")
        .values_list("day")
        .annotate(n=Count("pk"), timed=Count("seconds"), seconds=Sum("time", filter=Q(seconds__isnull=False)))
    )
    days = [(day, WorkedTime(n, timed, seconds or 0.0)) for day, n, timed, seconds in rows]
    today = dict(days).get(timezone.localdate(database_now()), WorkedTime())
    return PersonalPace(today, sum((worked for _, worked in days), WorkedTime()), days)
