"""Jobs of the exporting room, and of reports that are compared with today's data."""

import logging

from celery import shared_task

from annotation import jobs
from annotation.exporting import files
from annotation.reporting import differences

log = logging.getLogger(__name__)


@shared_task
def make_export(job_id: int) -> None:
    """Write a file to be taken home."""
    jobs.run(job_id, files.export_job)


@shared_task
def rebuild_report(job_id: int) -> None:
    """Build a frozen report again and compare."""
    jobs.run(job_id, differences.rebuild_job)


@shared_task
def tidy_exports() -> int:
    """Delete files that have been kept long enough; Celery's beat calls this every hour. Returns how many."""
    gone = files.tidy()
    log.info("%s exported files deleted", gone)
    return gone
