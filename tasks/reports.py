"""Tasks that compute reports."""

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
def compute_live_report(job_id: int) -> None:
    """Compute the complete live report of a large project."""
    jobs.run(job_id, live.run_report_job)


@shared_task
def delete_live_reports() -> int:
    """Delete old results of these jobs; Celery's beat calls this every hour. Return how many."""
    deleted = live.delete_old_results()
    log.info("%s live reports deleted", deleted)
    return deleted
