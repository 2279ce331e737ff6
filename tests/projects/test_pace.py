"""When a project will be done, and how fast its raters are."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Slot
from annotation.projects.members import remove_member
from annotation.projects.pace import forecast, project_pace
from tests.cast import study
from tests.queue.assignments import take_work

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def days(forecast_of) -> tuple:
    return tuple(
        when and round((when - NOW) / timedelta(days=1), 1)
        for when in (forecast_of.earliest, forecast_of.likely, forecast_of.latest)
    )


def test_an_even_pace_has_one_date_and_uneven_days_give_a_range():
    result = forecast([20] * 7, 140, 100, NOW)
    assert (result.status, result.a_day, days(result)) == ("forecast", 20, (5.0, 5.0, 5.0))
    # mean 20, standard deviation 10, standard error 10/sqrt(3), t(.9; 2) = 1.886: 20 ± 10.89 a day
    assert days(forecast([10, 20, 30], 60, 100, NOW)) == (3.2, 5.0, 11.0)
    assert forecast([40, 0], 40, 100, NOW).latest is None, "never gets there"


def test_when_there_is_no_date_it_says_why():
    for by_day, finished, remaining, says in (
        ([5], 5, 10, "too early"),
        ([4, 4], 8, 10, "too early"),
        ([], 0, 10, "too early"),
        ([0] * 7, 50, 10, "no progress"),
        ([9, 9], 18, 0, "done"),
    ):
        assert forecast(by_day, finished, remaining, NOW).status == says


def test_raters_are_seen_with_what_they_did_today_and_an_hour():
    june = study(prompts=4, sentences=1)
    for _ in range(3):
        take_work(june.project, june.people["ravi"])
    take_work(june.project, june.people["rosa"], done=False)
    now = timezone.now()
    start = now.replace(minute=30) - timedelta(hours=48 if now.hour < 2 else 1)
    first = Slot.objects.filter(holder__rater=june.people["ravi"]).first()
    Slot.objects.filter(finished_at__isnull=False).update(finished_at=start)
    Slot.objects.filter(pk=first.pk).update(finished_at=start - timedelta(hours=1))
    pace = project_pace(june.project, 5)
    ravi, rosa = pace.raters
    assert (ravi.username, ravi.finished, ravi.being_rated, ravi.per_hour) == ("ravi", 3, 0, 1.5)
    assert (rosa.finished, rosa.being_rated, rosa.today, rosa.per_hour, rosa.is_online) == (0, 1, 0, None, True)
    assert pace.ratings == 3
    assert pace.forecast.status == "too early"


@pytest.mark.study(sentences=1)
def test_whoever_left_is_still_shown_with_what_they_did(june):
    take_work(june.project, june.people["ravi"])
    remove_member(june.project, june.people["ravi"])
    paces = {rater.username: rater for rater in project_pace(june.project, 1).raters}
    assert (paces["ravi"].is_member, paces["ravi"].finished, paces["ravi"].today) == (False, 1, 1)


def test_five_queries_whatever_the_size(django_assert_num_queries):
    for prompts in (1, 5):
        june = study(f"of-{prompts}", prompts=prompts, sentences=1)
        take_work(june.project, june.people["ravi"])
        with django_assert_num_queries(5):
            project_pace(june.project, 1)
