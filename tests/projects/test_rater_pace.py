"""One's own pace: counted by day, from the time that was measured, and nobody else's."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Item, Rating
from annotation.projects.hours import WorkedTime, personal_pace
from annotation.projects.overview import rater_work
from annotation.rating.bulk_storage import NewRating, store_ratings
from tests.cast import ACCURATE, study
from tests.gold_studies import gold_sheets_for, rate_next, start_attempt
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


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
