"""The sample that an admin of any site can import: data, ratings, a report, and nobody who could sign in."""

import pytest

from annotation import jobs
from annotation.importing.sample_project import create_sample_job, import_sample_job, sample_project
from annotation.models import Dataset, Job, Project, Rating, User
from annotation.projects.progress import slot_counts
from annotation.rating.tally_check import find_tally_differences
from tests.cast import person

pytestmark = pytest.mark.django_db


def test_the_sample_is_imported_once_and_completely_rated_by_inactive_raters():
    ada = person("ada", admin=True)
    job, is_new = create_sample_job(ada)
    assert is_new and sample_project() is None
    assert create_sample_job(ada) == (job, False), "a second request gets the open job"
    jobs.run(job.pk, import_sample_job)
    job.refresh_from_db()
    assert (job.state, job.problems, job.result, job.total) == (Job.State.DONE, [], {"project": "sample"}, 60)
    project = sample_project()
    assert project is not None
    progress = slot_counts(project)
    assert (progress.done, progress.slots) == (60, 60)
    raters = User.objects.filter(pk__in=Rating.objects.values("rater")).order_by("username")
    expected = [(f"sample-{name}", False) for name in ("ravi", "rosa", "tom")]
    assert [(rater.username, rater.is_active) for rater in raters] == expected
    assert not find_tally_differences()
    again, _ = create_sample_job(ada)
    jobs.run(again.pk, import_sample_job)
    again.refresh_from_db()
    assert again.result == {"project": "sample"}
    assert (Dataset.objects.count(), Project.objects.count()) == (1, 1)
