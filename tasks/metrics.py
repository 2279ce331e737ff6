"""The task that computes the metrics of a data set."""

from celery import shared_task

from annotation import jobs
from annotation.metrics.compute import compute_metrics_job


@shared_task
def compute_metrics(job_id: int) -> None:
    """Compute the metrics of the data set of a project."""
    jobs.run(job_id, compute_metrics_job)
