"""Tasks that write export files, and that rebuild frozen reports."""

import logging

from celery import shared_task

from annotation import jobs
from annotation.exporting import export_jobs
from annotation.reporting import report_comparison

log = logging.getLogger(__name__)


@shared_task
def make_export(job_id: int) -> None:
    """Write an export file."""
    jobs.run(job_id, export_jobs.export_job)


@shared_task
def rebuild_report(job_id: int) -> None:
    """Build a frozen report again and compare the bytes."""
    jobs.run(job_id, report_comparison.rebuild_job)


@shared_task
def tidy_exports() -> int:
    """Delete expired export files; Celery's beat calls this every hour. Return how many."""
    deleted = export_jobs.delete_old_exports()
    log.info("%s exported files deleted", deleted)
    return deleted
