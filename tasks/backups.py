"""Tasks that write backups."""

import logging

from celery import shared_task

from annotation import jobs
from annotation.backup import scheduled
from annotation.site.database_clock import database_now
from tasks.jobs import enqueue

log = logging.getLogger(__name__)


@shared_task
def write_backup(job_id: int) -> None:
    """Write a scheduled backup."""
    jobs.run(job_id, scheduled.backup_job)


@shared_task
def start_backup_if_due() -> bool:
    """Start a backup if one is due; Celery's beat calls this every ten minutes. Return whether one was."""
    job = scheduled.start_if_due(database_now())
    if job is None:
        return False
    log.info("job %s: a backup is due", job.public_id)
    enqueue(job)
    return True
