"""A rater's own pace, and hours by week: of the time that was measured, without training."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from annotation.models import Assignment, Item, Rating
from annotation.projects.hours import WorkedTime, personal_pace, weeks_of_work
from annotation.projects.overview import rater_work
from annotation.rating.bulk_storage import NewRating, store_ratings
from tests.cast import ACCURATE, Study, study
from tests.gold_studies import gold_sheets_for, rate_next, start_attempt
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
FIRST, SECOND = datetime(2026, 11, 18, 12, tzinfo=UTC), datetime(2026, 11, 23, 0, 30, tzinfo=UTC)


@pytest.fixture
def june() -> Study:
    """Ravi rates three sentences on a Wednesday and begins three just after midnight of Monday; Rosa rates three."""
    june = study(prompts=3)
    for name, moment, sentences in (("ravi", FIRST, None), ("ravi", SECOND, 2), ("rosa", SECOND, None)):
        assignment = rates(june.people[name], june.project, sentences=sentences)
        Rating.objects.filter(assignment=assignment).update(seconds=1200, rated_at=moment)
        if sentences is None:
            Assignment.objects.filter(pk=assignment.pk).update(finished_at=moment)
    return june


def test_hours_and_annotations_are_in_the_week_of_their_time(june: Study) -> None:
    weeks = [(week.monday, str(week.rater), week.annotations, week.hours) for week in weeks_of_work(june.project)]
    assert weeks == [  # at most ten minutes for a sentence
        (date(2026, 11, 23), "ravi", 0, pytest.approx(2 / 6)),
        (date(2026, 11, 23), "rosa", 1, pytest.approx(3 / 6)),
        (date(2026, 11, 16), "ravi", 1, pytest.approx(3 / 6)),
    ]


def test_a_rating_without_a_time_is_counted_and_adds_no_hours(june: Study) -> None:
    Rating.objects.filter(rater=june.people["rosa"]).update(seconds=None)
    [week] = weeks_of_work(june.project, june.people["rosa"])
    assert (week.hours, week.worked.ratings, week.worked.timed, week.annotations) == (0, 3, 0, 1)


def test_training_does_not_count(june: Study) -> None:
    Assignment.objects.filter(rater=june.people["ravi"]).update(purpose="training")
    assert weeks_of_work(june.project, june.people["ravi"]) == []


def test_the_pace_is_of_the_time_that_was_measured():
    june = study(prompts=3)
    for name in ("ravi", "ravi", "rosa"):
        rates(june.people[name], june.project)
    own = Rating.objects.filter(rater=june.people["ravi"]).order_by("pk")
    assert personal_pace(june.people["ravi"], june.project).today == WorkedTime(6, 0, 0.0)
    for rating, seconds in zip(own, (30.0, 60.0, 90.0, None, 4000.0, 20.0), strict=True):
        Rating.objects.filter(pk=rating.pk).update(seconds=seconds)
    Rating.objects.filter(pk__in=[own[4].pk, own[5].pk]).update(rated_at=timezone.now() - timedelta(days=2))
    pace = personal_pace(june.people["ravi"], june.project)
    assert pace.today == WorkedTime(4, 3, 180.0)
    assert (pace.today.per_hour, pace.today.minutes, pace.today.seconds_per_item) == (60, 3, 60.0)
    assert pace.week == WorkedTime(6, 5, 800.0)  # no more than ten minutes for one sentence
    assert [worked.ratings for _, worked in pace.days] == [4, 2]


def test_what_is_counted_today_is_what_the_home_page_counts():
    """Work and hidden gold, but neither training nor what came in by import."""
    june = study(prompts=5, overlap=1, sentences=2)
    gold_sheets_for(june, "training", 0)
    gold_sheets_for(june, "gold", 1)
    june.project.gold_every = 2
    june.project.save()
    ravi = june.people["ravi"]
    start_attempt(june.project, ravi, "training")
    assert [rate_next(june, "ravi")[0].purpose for _ in range(4)] == ["training", "gold", "work", "work"]
    other = Item.objects.exclude(ratings__rater=ravi).filter(rate=True)[0]
    store_ratings(june.project, [NewRating(other, ravi, ACCURATE)])
    [work] = rater_work(ravi, june.project)
    assert personal_pace(ravi, june.project).today.ratings == work.ratings_today == 6


def test_a_speed_is_not_told_before_a_minute():
    assert WorkedTime(2, 2, 30.0).per_hour is None
    assert WorkedTime().seconds_per_item is None
