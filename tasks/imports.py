"""Loading what was uploaded, and tidying up after it."""

import logging

from celery import shared_task

from annotation import jobs
from annotation.importing import uploads

log = logging.getLogger(__name__)


@shared_task
def load_dataset(job_id: int) -> None:
    """Try or load a data set."""
    jobs.run(job_id, uploads.run_load)
    uploads.discard_loaded()
    log.info("job %s: the load of a data set has ended", job_id)


@shared_task
def load_responses(job_id: int) -> None:
    """Try or load responses."""
    jobs.run(job_id, uploads.run_load)
    uploads.discard_loaded()
    log.info("job %s: the load of responses has ended", job_id)


@shared_task
def tidy_uploads() -> int:
    """Delete uploaded files that nobody needs; Celery's beat calls this every hour. Returns how many."""
    gone = uploads.tidy()
    log.info("%s uploaded files deleted", gone)
    return gone
