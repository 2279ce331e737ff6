"""Jobs of the reporting room."""

from celery import shared_task

from annotation import jobs, reporting
from annotation.reporting import working_out


@shared_task
def freeze_report(job_id: int) -> None:
    """Build and freeze a report."""
    jobs.run(job_id, reporting.freeze_job)


@shared_task
def work_out_report(job_id: int) -> None:
    """Work out the live numbers of a large project."""
    jobs.run(job_id, working_out.work_out_job)
