"""Hours by rater and week: of the time that was measured, in the week of the answer, without training."""

from datetime import UTC, date, datetime

import pytest

from annotation.models import Assignment, Rating
from annotation.projects.hours import weeks_of_work
from tests.cast import Study, study
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
