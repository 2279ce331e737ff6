"""Active time of raters: their own pace, shown to them alone, and hours by week, such as for paying them.

Time runs while an item is highlighted and the rater is active, so pauses do not count, and no item has more than
MAX_SECONDS. Ratings without a measured time (from programs or long ago) are counted but not in the speed. Weeks begin
on Monday in the site's time zone; an answer that was changed later is in the week of the change. Counted are work and
hidden gold, which cannot be told apart, but no training, qualification or import.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, DateField, F, Q, QuerySet, Sum
from django.db.models.functions import Least, TruncDate, TruncWeek
from django.utils import timezone

from ..models import Assignment, Project, Rating, User
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


@dataclass(frozen=True)
class WeekOfWork:
    """A rater's week from `monday`: finished annotations, and ratings with their active time."""

    monday: date
    rater: User
    annotations: int
    worked: WorkedTime

    @property
    def hours(self) -> float:
        return self.worked.seconds / 3600


def weeks_of_work(project: Project, rater: User | None = None) -> list[WeekOfWork]:
    """Return the weeks with work of all raters, or of one: newest first, then by user name. Three queries."""
    ratings = Rating.objects.filter(project=project, role=Rating.Role.RATER, assignment__purpose__in=WORK_OR_GOLD)
    rows = (
        ratings.annotate(monday=TruncWeek("rated_at", output_field=DateField()), time=Least(F("seconds"), MAX_SECONDS))
        .values_list("monday", "rater")
        .annotate(n=Count("pk"), timed=Count("seconds"), total=Sum("time", filter=Q(seconds__isnull=False)))
    )
    times = {(monday, pk): WorkedTime(n, timed, seconds or 0.0) for monday, pk, n, timed, seconds in rows}
    finished = {(monday, pk): n for monday, pk, n in _annotations(project)}
    raters = User.objects.in_bulk({pk for _, pk in {**times, **finished} if rater is None or pk == rater.pk})
    weeks = [
        WeekOfWork(monday, raters[pk], finished.get((monday, pk), 0), times.get((monday, pk), WorkedTime()))
        for monday, pk in {**times, **finished}
        if pk in raters
    ]
    return sorted(weeks, key=lambda week: (-week.monday.toordinal(), week.rater.username))


def annotations_by_week(project: Project) -> dict[date, int]:
    """Return the number of finished annotations of each week with any, by its Monday. One query."""
    weeks: dict[date, int] = {}
    for monday, _rater, n in _annotations(project):
        weeks[monday] = weeks.get(monday, 0) + n
    return weeks


def _annotations(project: Project) -> QuerySet:
    finished = Assignment.objects.filter(project=project, purpose__in=WORK_OR_GOLD, finished_at__isnull=False)
    weeks = finished.annotate(monday=TruncWeek("finished_at", output_field=DateField()))
    return weeks.values_list("monday", "rater").annotate(n=Count("pk"))
