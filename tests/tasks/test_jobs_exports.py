import pytest

from annotation import jobs
from annotation.exporting import export_jobs
from annotation.models import Export, Job
from annotation.reporting.report_comparison import REBUILD
from tasks.app import app
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


def test_a_job_that_was_cancelled_at_the_last_moment_keeps_no_file(monkeypatch):
    monkeypatch.setattr(jobs, "HEARTBEAT", 60)  # nobody tells the work before it stores
    job = jobs.create(export_jobs.EXPORT, project=seeded("june"), params={"what": "ratings", "format": "csv"})
    source = export_jobs.build_source

    def work(own_job: Job, progress: jobs.Progress) -> object:
        monkeypatch.setattr(export_jobs, "build_source", lambda *given: (jobs.cancel(own_job), source(*given))[1])
        return export_jobs.export_job(own_job, progress)

    jobs.run(job.pk, work)
    assert not Export.objects.exists()


def test_workers_make_bundles_and_build_frozen_reports_again():
    report = seeded("june").reports.get()
    params = {"report": str(report.public_id)}
    bundle = jobs.create(export_jobs.EXPORT, project=report.project, params={"what": export_jobs.BUNDLE, **params})
    rebuilding = jobs.create(REBUILD, project=report.project, params=params)
    app.tasks["tasks.exports.make_export"](bundle.pk)
    app.tasks["tasks.exports.rebuild_report"](rebuilding.pk)
    rebuilding.refresh_from_db()
    export = Export.objects.get(job=bundle)
    try:
        assert export.file.read(2) == b"PK"
        assert export.file.size == export.size
    finally:
        export.file.delete(save=False)
    assert rebuilding.result == {"identical": True, "differences": []}
