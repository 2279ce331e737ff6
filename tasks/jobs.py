"""Run jobs in the workers: which task does the work of which kind of job, and jobs whose worker was killed."""

import logging
from collections.abc import Callable
from typing import Any

from celery import shared_task
from django.core.cache import cache
from django.db import transaction
from django.db.models import Q
from kombu.exceptions import OperationalError
from structlog.contextvars import bound_contextvars, get_contextvars

from annotation import jobs, reporting
from annotation.backup import scheduled
from annotation.exporting import export_jobs
from annotation.generation import run as generation_run
from annotation.generation import token_counts
from annotation.importing import sample_project, uploads
from annotation.judging import estimate, run
from annotation.metrics import compute
from annotation.models import Job, Project, User
from annotation.privacy import erase
from annotation.projects import deleting
from annotation.reporting import live, report_comparison
from annotation.site.database_clock import database_now
from tasks.app import app

log = logging.getLogger(__name__)

Work = Callable[[Job, jobs.Progress], Any]
JOBS: dict[str, tuple[str, Work]] = {
    scheduled.BACKUP: ("tasks.backups.write_backup", scheduled.backup_job),
    compute.COMPUTE_METRICS: ("tasks.metrics.compute_metrics", compute.compute_metrics_job),
    deleting.DELETE_DATASET: ("tasks.deleting.delete_dataset", deleting.delete_dataset_job),
    deleting.DELETE_PROJECT: ("tasks.deleting.delete_project", deleting.delete_project_job),
    erase.ERASE_JOB: ("tasks.privacy.erase_person", erase.erase_person_job),
    reporting.FREEZE: ("tasks.reports.freeze_report", reporting.freeze_job),
    live.REPORT_JOB: ("tasks.reports.compute_live_report", live.run_report_job),
    report_comparison.REBUILD: ("tasks.exports.rebuild_report", report_comparison.rebuild_job),
    token_counts.COUNT_TOKENS: ("tasks.generation.count_tokens", token_counts.count_tokens_job),
    generation_run.GENERATE_RESPONSES: ("tasks.generation.generate_responses", generation_run.generate_job),
    estimate.ESTIMATE_JUDGE_RUN: ("tasks.judging.estimate_judge_run", estimate.estimate_run_job),
    run.RUN_JUDGE: ("tasks.judging.run_judge", run.run_judge_job),
    export_jobs.EXPORT: ("tasks.exports.make_export", export_jobs.export_job),
    sample_project.IMPORT_SAMPLE: ("tasks.imports.import_sample", sample_project.import_sample_job),
    uploads.LOAD_DATASET: ("tasks.imports.load_dataset", uploads.run_import),
    uploads.LOAD_RESPONSES: ("tasks.imports.load_responses", uploads.run_import),
    uploads.FIND_LABELS: ("tasks.imports.find_labels", uploads.run_import),
    uploads.LOAD_PROJECT: ("tasks.imports.load_project", uploads.run_import),
}
"""Kind of a job -> name of its task, and the function that does the work. Add a line for a new kind.

The settings route tasks by these names; traces have them, and so do messages that wait while a site is upgraded.
"""


def add_task(name: str, work: Work) -> None:
    """Add the task that takes the id of a job and does its work."""

    def run_job(job_id: int) -> None:
        jobs.run(job_id, work)
        if work is uploads.run_import:
            uploads.delete_loaded()  # only now the job is done

    app.task(run_job, name=name)


for task_name, work_of_job in JOBS.values():
    add_task(task_name, work_of_job)


def enqueue(job: Job) -> None:
    """Send the job to a worker once the transaction has committed."""
    transaction.on_commit(lambda: _send(job))


@transaction.atomic
def enqueue_once(
    kind: str, project: Project, params: dict[str, Any], *, actor: User, same_as: Q | None = None
) -> tuple[Job, bool]:
    """Create and send a job and return it with True, or an open job like it with False: see `jobs.create_once`."""
    job, is_new = jobs.create_once(kind, project=project, params=params, actor=actor, same_as=same_as)
    if is_new:
        enqueue(job)
    return job, is_new


@shared_task
def requeue_stale() -> int:
    """Send jobs again whose worker was killed; Celery's beat calls this every 20 s. Return how many."""
    cache.set(jobs.BEAT_LAST_SEEN, database_now().timestamp(), timeout=None)
    stale = jobs.requeue_stale_jobs()
    for job in stale:
        log.warning("job %s (%s) lost its worker and is taken up again", job.public_id, job.kind)
        _send(job)
    return len(stale)


def _send(job: Job) -> None:
    """Send a job. If the broker does not answer, beat sends the stored job again, with the id of the first request."""
    request_id = get_contextvars().get("request_id") or job.request_id
    try:
        with bound_contextvars(**({"request_id": request_id} if request_id else {})):
            app.send_task(JOBS[job.kind][0], args=[job.pk])
    except OperationalError:
        log.exception("job %s (%s) waits: the broker does not answer", job.public_id, job.kind)
