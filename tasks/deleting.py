"""Tasks that delete projects and data sets."""

from celery import shared_task

from annotation import jobs
from annotation.projects import deleting


@shared_task
def delete_project(job_id: int) -> None:
    """Delete a project with everything that belongs to it."""
    jobs.run(job_id, deleting.delete_project_job)


@shared_task
def delete_dataset(job_id: int) -> None:
    """Delete a data set that no project uses."""
    jobs.run(job_id, deleting.delete_dataset_job)
