"""Tasks about personal data."""

import logging

from celery import shared_task

from annotation import jobs
from annotation.privacy import erase, retention

log = logging.getLogger(__name__)


@shared_task
def erase_person(job_id: int) -> None:
    """Erase a person."""
    jobs.run(job_id, erase.erase_person_job)


@shared_task
def apply_retention() -> None:
    """Delete old personal data; Celery's beat calls this every hour."""
    log.info("old personal data deleted: %s", retention.apply_retention())
