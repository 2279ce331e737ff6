"""One's own pace: counted by day, from the time that was measured, and nobody else's."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.assigning.own_pace import Worked, own_pace
from annotation.models import Rating
from tests.cast import study
from tests.web.given import rates

pytestmark = pytest.mark.django_db


def test_the_pace_is_of_the_time_that_was_measured():
    june = study(prompts=3)
    for name in ("ravi", "ravi", "rosa"):
        rates(june.people[name], june.project)
    own = Rating.objects.filter(rater=june.people["ravi"]).order_by("pk")
    assert own_pace(june.people["ravi"], june.project).today == Worked(6, 0, 0.0)
    for rating, seconds in zip(own, (30.0, 60.0, 90.0, None, 4000.0, 20.0), strict=True):
        Rating.objects.filter(pk=rating.pk).update(seconds=seconds)
    Rating.objects.filter(pk__in=[own[4].pk, own[5].pk]).update(rated_at=timezone.now() - timedelta(days=2))
    pace = own_pace(june.people["ravi"], june.project)
    assert pace.today == Worked(4, 3, 180.0)
    assert (pace.today.an_hour, pace.today.minutes, pace.today.each) == (60, 3, 60.0)
    assert pace.week == Worked(6, 5, 800.0)  # no more than ten minutes for one sentence
    assert [worked.ratings for _, worked in pace.days] == [4, 2]


def test_a_speed_is_not_told_before_a_minute():
    assert Worked(2, 2, 30.0).an_hour is None
    assert Worked().each is None
