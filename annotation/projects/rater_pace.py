"""How fast a rater is, for that rater alone: no comparison with anybody.

Time is what the page measured while a sentence was lit and somebody was there; pauses are not in it. Ratings without a
measured time (from programs or long ago) are counted but not in the speed. What is counted is what a home page counts
as given today (see `overview`): work and, as nobody is to tell it apart, hidden gold, but no training, qualification or
import.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Least, TruncDate
from django.utils import timezone

from ..models import Project, Rating, User
from ..qualification.gates import WORK_OR_GOLD
from .overview import midnight

DAYS = 7
LONGEST = 600.0  # seconds for one item: more is somebody who was away
LEAST = 60.0  # seconds from which on a speed means something


@dataclass(frozen=True)
class WorkedTime:
    """What was done in a time. `timed` of the `ratings` have a time; `seconds` is theirs together."""

    ratings: int = 0
    timed: int = 0
    seconds: float = 0.0

    @property
    def an_hour(self) -> int | None:
        """Items an hour of active time; None before a minute was measured."""
        return round(3600 * self.timed / self.seconds) if self.seconds >= LEAST else None

    @property
    def each(self) -> float | None:
        """Active seconds an item."""
        return self.seconds / self.timed if self.timed else None

    @property
    def minutes(self) -> int:
        """Active minutes, rounded."""
        return round(self.seconds / 60)

    def __add__(self, other: "WorkedTime") -> "WorkedTime":
        return WorkedTime(self.ratings + other.ratings, self.timed + other.timed, self.seconds + other.seconds)


@dataclass(frozen=True)
class PersonalPace:
    """Today, the last seven days together, and those of them on which something was done, the newest first."""

    today: WorkedTime
    week: WorkedTime
    days: list[tuple[date, WorkedTime]]


def personal_pace(rater: User, project: Project) -> PersonalPace:
    """The rater's own pace in a project; one query over a week of their ratings."""
    since = midnight() - timedelta(days=DAYS - 1)
    rows = (
        Rating.objects.filter(rater=rater, project=project, role=Rating.Role.RATER, rated_at__gte=since)
        .filter(assignment__purpose__in=WORK_OR_GOLD)
        .annotate(day=TruncDate("rated_at"), time=Least(F("seconds"), LONGEST))
        .order_by("-day")
        .values_list("day")
        .annotate(n=Count("pk"), timed=Count("seconds"), seconds=Sum("time", filter=Q(seconds__isnull=False)))
    )
    days = [(day, WorkedTime(n, timed, seconds or 0.0)) for day, n, timed, seconds in rows]
    today = dict(days).get(timezone.localdate(), WorkedTime())
    return PersonalPace(today, sum((worked for _, worked in days), WorkedTime()), days)
