"""Jobs of the reporting room."""

from celery import shared_task

from annotation import jobs, reporting


@shared_task
def freeze_report(job_id: int) -> None:
    """Build and freeze a report."""
    jobs.run(job_id, reporting.freeze_job)
