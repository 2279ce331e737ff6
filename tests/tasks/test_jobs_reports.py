"""A real worker on a real broker freezes a report; a killed one's job is taken up by the next."""

import os
import signal
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation import jobs, reporting
from annotation.models import AuditEvent, Job, Report
from tasks.jobs import enqueue, requeue_stale
from tests.cast import person
from tests.reporting.project_rows import project_of, worked_example

CHOICES = {"seed": 7, "resamples": 200}


def freeze_job_of(project) -> Job:
    return jobs.create(reporting.FREEZE, project=project, params=CHOICES, actor=person("lena"))


def state_of(job: Job) -> str:
    job.refresh_from_db()
    return job.state


@pytest.mark.django_db(transaction=True)
def test_the_report_of_a_killed_worker_is_frozen_by_the_next_one(start_celery_worker, wait_until):
    project = project_of(worked_example())
    first, job, other = start_celery_worker(), freeze_job_of(project), connection.copy()
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute("LOCK TABLE annotation_report IN EXCLUSIVE MODE")  # the work waits where it would store
        with transaction.atomic():
            enqueue(job)
        wait_until(lambda: state_of(job) == "running" and job.message == "Storing report")
        os.killpg(first.pid, signal.SIGKILL)
    other.close()
    assert (state_of(job), Report.objects.count()) == ("running", 0)
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    start_celery_worker()
    assert requeue_stale() == 1
    wait_until(lambda: state_of(job) == "done")
    assert job.attempts == 2
    report = Report.objects.get()
    assert (job.report, report.frozen_by) == (report, person("lena"))
    expected = reporting.build(project, reporting.Choices(**CHOICES), agreement_intervals=True)
    assert report.document.encode() == expected.to_json()
    assert report.data_sha256 == expected.data.sha256
    assert {"options-light", "options-dark"} <= set(report.figures)
    line = AuditEvent.objects.get(action="freeze report")
    assert (line.actor, line.target) == (person("lena"), f"report:{report.public_id}")


@pytest.mark.django_db
def test_a_job_that_was_taken_up_after_its_report_was_stored_keeps_that_report():
    job = freeze_job_of(project_of(worked_example()))
    report = reporting.freeze_job(job, jobs.Progress())
    again = Job.objects.get(pk=job.pk)
    assert reporting.freeze_job(again, jobs.Progress()) == report
    assert Report.objects.count() == 1


@pytest.mark.django_db
def test_a_job_that_was_cancelled_at_the_last_moment_stores_no_report(monkeypatch):
    monkeypatch.setattr(jobs, "HEARTBEAT", 60)  # nobody tells the work before it stores
    job = freeze_job_of(project_of(worked_example()))

    def work(own_job: Job, progress: jobs.Progress) -> object:
        jobs.cancel(own_job)
        return reporting.freeze_job(own_job, progress)

    jobs.run(job.pk, work)
    assert (state_of(job), Report.objects.count()) == ("cancelled", 0)
    assert not AuditEvent.objects.filter(action="freeze report").exists()
