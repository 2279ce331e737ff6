"""The task that lets a judge rate."""

from celery import shared_task

from annotation import jobs
from annotation.judging import run


@shared_task
def run_judge(job_id: int) -> None:
    """Let a judge rate what is missing in a project."""
    jobs.run(job_id, run.run_judge_job)
