"""The sample's work was done before today, so that what a person sees as today's is their own."""

import pytest

from annotation.models import Project, Rating, RatingEvent, User
from annotation.projects.overview import midnight, rater_work
from annotation.projects.pace import project_pace
from annotation.quickstart import demo
from annotation.rating.tally_check import find_tally_differences
from tests.cast import person

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_the_samples_work_is_of_the_days_before_and_its_history_has_one_line_an_answer():
    for name in ("lena", "ravi", "rosa", "tom"):
        person(name)
    demo.load(lambda step: None)
    project = Project.objects.get()
    assert not Rating.objects.filter(rated_at__gte=midnight()).exists()
    assert rater_work(User.objects.get(username="ravi"), project)[0].ratings_today == 0
    assert RatingEvent.objects.count() == Rating.objects.count()
    assert project_pace(project, 12).forecast.status == "forecast"
    assert not find_tally_differences()
