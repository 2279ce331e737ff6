"""Tasks that import uploaded files, and delete them afterwards."""

import logging

from celery import shared_task

from annotation import jobs
from annotation.importing import sample_project, uploads

log = logging.getLogger(__name__)


@shared_task
def load_dataset(job_id: int) -> None:
    """Import a data set, or check what an import would do."""
    jobs.run(job_id, uploads.run_import)
    uploads.delete_loaded()
    log.info("job %s: the load of a data set has ended", job_id)


@shared_task
def load_responses(job_id: int) -> None:
    """Import responses, or check what an import would do."""
    jobs.run(job_id, uploads.run_import)
    uploads.delete_loaded()
    log.info("job %s: the load of responses has ended", job_id)


@shared_task
def find_labels(job_id: int) -> None:
    """Read which labels and annotators the export of an annotation tool has."""
    jobs.run(job_id, uploads.run_import)
    log.info("job %s: the labels were read", job_id)


@shared_task
def load_project(job_id: int) -> None:
    """Import the project of an annotation tool, or check what an import would do."""
    jobs.run(job_id, uploads.run_import)
    uploads.delete_loaded()
    log.info("job %s: the load of a project has ended", job_id)


@shared_task
def import_sample(job_id: int) -> None:
    """Import the sample project."""
    jobs.run(job_id, sample_project.import_sample_job)


@shared_task
def tidy_uploads() -> int:
    """Delete uploaded files that no import needs; Celery's beat calls this every hour. Return how many."""
    deleted = uploads.delete_old_uploads()
    log.info("%s uploaded files deleted", deleted)
    return deleted
