"""Sending jobs to the workers: which task does which kind of job, and what a killed worker left behind."""

import logging

from celery import shared_task
from django.db import transaction
from kombu.exceptions import OperationalError

from annotation import jobs, reporting
from annotation.exporting import export_jobs
from annotation.importing import uploads
from annotation.models import Job
from annotation.projects import deleting
from annotation.reporting import live, report_comparison
from tasks.app import app

log = logging.getLogger(__name__)

TASKS = {
    deleting.DELETE_DATASET: "tasks.deleting.delete_dataset",
    deleting.DELETE_PROJECT: "tasks.deleting.delete_project",
    reporting.FREEZE: "tasks.reports.freeze_report",
    live.WORK_OUT: "tasks.reports.work_out_report",
    report_comparison.REBUILD: "tasks.exports.rebuild_report",
    export_jobs.EXPORT: "tasks.exports.make_export",
    uploads.LOAD_DATASET: "tasks.imports.load_dataset",
    uploads.LOAD_RESPONSES: "tasks.imports.load_responses",
}
"""Kind of a job -> name of the task that takes the job's id. A new kind of job is one line here."""


def enqueue(job: Job) -> None:
    """Send the job to a worker once the transaction has committed."""
    transaction.on_commit(lambda: _send(job))


@shared_task
def take_up_stranded() -> int:
    """Send again what killed workers left; Celery's beat calls this every 20 s. Returns how many jobs."""
    found = jobs.take_up_stranded()
    for job in found:
        log.warning("job %s (%s) lost its worker and is taken up again", job.public_id, job.kind)
        _send(job)
    return len(found)


def _send(job: Job) -> None:
    """A broker that does not answer is no reason to fail: the job is stored, and beat sends it again."""
    try:
        app.send_task(TASKS[job.kind], args=[job.pk])
    except OperationalError:
        log.exception("job %s (%s) waits: the broker does not answer", job.public_id, job.kind)
