"""Tasks about personal data."""

from celery import shared_task

from annotation import jobs
from annotation.privacy import erase


@shared_task
def erase_person(job_id: int) -> None:
    """Erase a person."""
    jobs.run(job_id, erase.erase_person_job)
