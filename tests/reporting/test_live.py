"""Live reports of large projects: computed by a job, deleted after a day."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from annotation import jobs
from annotation.models import Job
from annotation.reporting import FREEZE, Choices, live
from tests.reporting.project_rows import project_of, worked_example

pytestmark = pytest.mark.django_db


def test_results_are_deleted_after_a_day_and_other_jobs_are_not():
    project = project_of(worked_example())
    ended = timezone.now() - timedelta(days=2)
    _, recent, frozen = (jobs.create(kind, project=project) for kind in (live.REPORT_JOB,) * 2 + (FREEZE,))
    Job.objects.exclude(pk=recent.pk).update(state="done", ended_at=ended, result={})
    Job.objects.filter(pk=recent.pk).update(state="done", ended_at=timezone.now(), result={})
    assert live.latest_result(project, Choices()) == recent
    assert live.delete_old_results() == 1
    assert set(Job.objects.all()) == {recent, frozen}


def test_beat_deletes_them_every_hour():
    seconds = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert seconds["tasks.schedule.delete_live_reports"] == 3600
