"""Files are made and reports are built again by workers, and files that were kept long enough go away."""

import pytest
from django.conf import settings
from django.db import transaction

from annotation import jobs, reporting
from annotation.exporting import export_jobs
from annotation.models import Export, Job
from annotation.reporting import Choices
from annotation.reporting.report_comparison import REBUILD
from tasks.app import app
from tasks.jobs import TASKS, enqueue
from tests.reporting.project_rows import project_of, worked_example

pytestmark = pytest.mark.slow


def test_every_kind_of_job_has_its_task():
    app.loader.import_default_modules()
    assert set(TASKS.values()) <= set(app.tasks)


def test_beat_tidies_exports_every_hour():
    seconds = {entry["task"]: entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert seconds["tasks.exports.tidy_exports"] == 3600


@pytest.mark.django_db
def test_a_job_that_was_cancelled_at_the_last_moment_keeps_no_file(monkeypatch):
    monkeypatch.setattr(jobs, "HEARTBEAT", 60)  # nobody tells the work before it stores
    job = jobs.create(
        export_jobs.EXPORT, project=project_of(worked_example()), params={"what": "ratings", "format": "csv"}
    )

    def work(own_job: Job, progress: jobs.Progress) -> object:
        source = export_jobs.build_source
        monkeypatch.setattr(
            export_jobs, "build_source", lambda *arguments: (jobs.cancel(own_job), source(*arguments))[1]
        )
        return export_jobs.export_job(own_job, progress)

    jobs.run(job.pk, work)
    assert not Export.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_worker_makes_a_bundle_and_builds_its_report_again(celery_worker, wait_until):
    report = reporting.freeze(project_of(worked_example()), Choices(resamples=100))
    params = {"report": str(report.public_id)}
    with transaction.atomic():
        created = jobs.create(export_jobs.EXPORT, project=report.project, params={"what": export_jobs.BUNDLE, **params})
        again = jobs.create(REBUILD, project=report.project, params=params)
        enqueue(created)
        enqueue(again)
    wait_until(lambda: not Job.objects.filter(state__in=["queued", "running"]).exists())
    export = Export.objects.get(job=created)
    try:
        assert export.file.read(2) == b"PK"
        assert export.file.size == export.size
        assert Job.objects.get(pk=again.pk).result == {"identical": True, "differences": []}
    finally:
        export.file.delete(save=False)
