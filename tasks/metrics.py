"""The task that computes the metrics of a data set, and the function that starts it for a person."""

from celery import shared_task

from annotation import jobs
from annotation.metrics.compute import COMPUTE_METRICS, compute_metrics_job
from annotation.models import Job, Project, User
from tasks.jobs import enqueue_once


@shared_task
def compute_metrics(job_id: int) -> None:
    """Compute the metrics of the data set of a project."""
    jobs.run(job_id, compute_metrics_job)


def start_metrics(project: Project, *, actor: User) -> tuple[Job, bool]:
    """Return the open or new job that computes the metrics of the project's data set, and whether it is new."""
    return enqueue_once(COMPUTE_METRICS, project, {}, actor=actor)
