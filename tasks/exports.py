"""Jobs of the exporting room, and of reports that are compared with today's data."""

import logging

from celery import shared_task

from annotation import jobs
from annotation.exporting import export_jobs
from annotation.reporting import report_comparison

log = logging.getLogger(__name__)


@shared_task
def make_export(job_id: int) -> None:
    """Write a file to be taken home."""
    jobs.run(job_id, export_jobs.export_job)


@shared_task
def rebuild_report(job_id: int) -> None:
    """Build a frozen report again and compare."""
    jobs.run(job_id, report_comparison.rebuild_job)


@shared_task
def tidy_exports() -> int:
    """Delete files that have been kept long enough; Celery's beat calls this every hour. Returns how many."""
    gone = export_jobs.tidy()
    log.info("%s exported files deleted", gone)
    return gone
