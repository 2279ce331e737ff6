"""Active hours and annotations by rater and week, such as for paying raters.

The time is the one that a rater's own pace has (see `rater_pace`): it runs while an item is highlighted and the rater
is active, so pauses do not count, and no item has more than MAX_SECONDS. Weeks begin on Monday in the site's time zone;
an answer that was changed later is in the week of the change. Counted are work and hidden gold, which cannot be told
apart, but no training, qualification or import.
"""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, DateField, F, Q, QuerySet, Sum
from django.db.models.functions import Least, TruncWeek

from ..models import Assignment, Project, Rating, User
from ..qualification.gates import WORK_OR_GOLD
from .rater_pace import MAX_SECONDS, WorkedTime

NOTHING = WorkedTime()


@dataclass(frozen=True)
class WeekOfWork:
    """A rater's week from `monday`: finished annotations, and ratings with their active time."""

    monday: date
    rater: User
    annotations: int
    worked: WorkedTime

    @property
    def hours(self) -> float:
        """Active hours."""
        return self.worked.seconds / 3600


def weeks_of_work(project: Project, rater: User | None = None) -> list[WeekOfWork]:
    """Return the weeks with work of all raters, or of one: newest first, then by user name. Three queries."""
    times = {(monday, pk): WorkedTime(n, timed, seconds or 0.0) for monday, pk, n, timed, seconds in _times(project)}
    finished = {(monday, pk): n for monday, pk, n in _annotations(project)}
    raters = User.objects.in_bulk({pk for _, pk in {**times, **finished} if rater is None or pk == rater.pk})
    weeks = [
        WeekOfWork(monday, raters[pk], finished.get((monday, pk), 0), times.get((monday, pk), NOTHING))
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


def _times(project: Project) -> QuerySet:
    ratings = Rating.objects.filter(project=project, role=Rating.Role.RATER, assignment__purpose__in=WORK_OR_GOLD)
    weeks = ratings.annotate(
        monday=TruncWeek("rated_at", output_field=DateField()), time=Least(F("seconds"), MAX_SECONDS)
    )
    return weeks.values_list("monday", "rater").annotate(
        n=Count("pk"), timed=Count("seconds"), total=Sum("time", filter=Q(seconds__isnull=False))
    )


def _annotations(project: Project) -> QuerySet:
    finished = Assignment.objects.filter(project=project, purpose__in=WORK_OR_GOLD, finished_at__isnull=False)
    weeks = finished.annotate(monday=TruncWeek("finished_at", output_field=DateField()))
    return weeks.values_list("monday", "rater").annotate(n=Count("pk"))
