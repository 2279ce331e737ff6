"""The sample that an admin of any site can load: data, ratings, a report, and nobody who could sign in."""

import pytest

from annotation.models import Dataset, Project, Rating, User
from annotation.quickstart.sample_project import load_sample, sample_project
from annotation.rating.tally_check import find_tally_differences
from tests.cast import person

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_the_sample_is_loaded_once_with_ratings_of_inactive_raters():
    ada = person("ada", admin=True)
    assert sample_project() is None
    project = load_sample(ada)
    assert load_sample(ada) == project == sample_project()
    assert (Dataset.objects.count(), Project.objects.count()) == (1, 1)
    raters = User.objects.filter(pk__in=Rating.objects.values("rater"))
    assert sorted(rater.username for rater in raters) == ["sample-ravi", "sample-rosa", "sample-tom"]
    assert not any(rater.is_active for rater in raters)
    assert not find_tally_differences()
