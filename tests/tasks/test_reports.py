"""A real worker on a real broker freezes a report; a killed one's job is taken up by the next."""

import os
import signal
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation import jobs, reporting
from annotation.models import AuditEvent, Job, Report
from tasks.app import app
from tasks.jobs import TASKS, enqueue, requeue_stale
from tests.cast import person
from tests.reporting.project_rows import project_of, worked_example

pytestmark = pytest.mark.slow


def ask_for_report(project, **params) -> Job:
    with transaction.atomic():
        job = jobs.create(reporting.FREEZE, project=project, params=params, actor=person("lena"))
        enqueue(job)
    return job


def state_of(job: Job) -> str:
    return Job.objects.values_list("state", flat=True).get(pk=job.pk)


def message_of(job: Job) -> str:
    return Job.objects.values_list("message", flat=True).get(pk=job.pk)


@pytest.mark.django_db(transaction=True)
def test_a_worker_freezes_the_report_that_the_page_asked_for(celery_worker, wait_until):
    project = project_of(worked_example())
    job = ask_for_report(project, seed=7, resamples=300)
    wait_until(lambda: state_of(job) == "done")
    job.refresh_from_db()
    assert job.report.frozen_by == person("lena")
    expected = reporting.build(project, reporting.Choices(seed=7, resamples=300), agreement_intervals=True)
    assert job.report.document.encode() == expected.to_json()
    assert job.report.data_sha256 == expected.data.sha256
    assert {"options-light", "options-dark"} <= set(job.report.figures)
    line = AuditEvent.objects.get(action="freeze report")
    assert (line.actor, line.target) == (person("lena"), f"report:{job.report.public_id}")


@pytest.mark.django_db(transaction=True)
def test_the_job_of_a_killed_worker_is_taken_up_and_ends_with_one_report(start_celery_worker, wait_until):
    project = project_of(worked_example())
    first = start_celery_worker()
    job = jobs.create(reporting.FREEZE, project=project, params={"resamples": 300}, actor=person("lena"))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE annotation_report IN EXCLUSIVE MODE")  # the work waits where it would store
        app.send_task(TASKS[job.kind], args=[job.pk])
        wait_until(lambda: message_of(job) == "Storing report")
        os.killpg(first.pid, signal.SIGKILL)
    assert (state_of(job), Report.objects.count()) == ("running", 0)
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    start_celery_worker()
    assert requeue_stale() == 1
    wait_until(lambda: state_of(job) == "done")
    assert Job.objects.get(pk=job.pk).attempts == 2
    assert Report.objects.count() == 1


@pytest.mark.django_db
def test_a_job_that_was_taken_up_after_its_report_was_stored_keeps_that_report():
    project = project_of(worked_example())
    job = jobs.create(reporting.FREEZE, project=project, params={"resamples": 100}, actor=person("lena"))
    report = reporting.freeze_job(job, jobs.Progress())
    again = Job.objects.get(pk=job.pk)
    assert reporting.freeze_job(again, jobs.Progress()) == report
    assert Report.objects.count() == 1


@pytest.mark.django_db
def test_a_job_that_was_cancelled_at_the_last_moment_stores_no_report(monkeypatch):
    monkeypatch.setattr(jobs, "HEARTBEAT", 60)  # nobody tells the work before it stores
    project = project_of(worked_example())
    job = jobs.create(reporting.FREEZE, project=project, params={"resamples": 100})

    def work(own_job: Job, progress: jobs.Progress) -> object:
        jobs.cancel(own_job)
        return reporting.freeze_job(own_job, progress)

    jobs.run(job.pk, work)
    assert (state_of(job), Report.objects.count()) == ("cancelled", 0)
    assert not AuditEvent.objects.filter(action="freeze report").exists()


def test_every_kind_of_job_has_a_task_that_exists():
    app.loader.import_default_modules()
    assert set(TASKS.values()) <= set(app.tasks)
