"""Jobs of the reporting room."""

import logging

from celery import shared_task

from annotation import jobs, reporting
from annotation.reporting import live

log = logging.getLogger(__name__)


@shared_task
def freeze_report(job_id: int) -> None:
    """Build and freeze a report."""
    jobs.run(job_id, reporting.freeze_job)


@shared_task
def work_out_report(job_id: int) -> None:
    """Work out the live numbers of a large project."""
    jobs.run(job_id, live.work_out_job)


@shared_task
def tidy_worked_out() -> int:
    """Delete live numbers that nobody is shown any more; Celery's beat calls this every hour. Returns how many."""
    gone = live.tidy()
    log.info("%s worked-out reports deleted", gone)
    return gone
