"""Background jobs: one row for each, with state, progress and a heartbeat.

A view or command creates a job and enqueues its Celery task on commit; the task calls `run` with the function that does
the work. A thread stores a heartbeat while it runs, so a job whose worker was killed is recognized and queued again. A
job may therefore run twice: each attempt has a number, and an attempt that was superseded may no longer write.
Heartbeats are times of the database, because the clocks of several workers differ.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from .audit import record
from .models import Job, Notification, Project, Report, Upload, User, Webhook
from .notifications import notify
from .site.database_clock import database_now
from .site.disk_space import is_full_database_disk, is_full_disk
from .site.metrics_server import is_measured
from .webhooks import queue_event

HEARTBEAT = 1.0  # seconds between two heartbeats
HEARTBEAT_WARNING = timedelta(seconds=10)  # without a heartbeat: pages say that the worker may have died
HEARTBEAT_TIMEOUT = timedelta(seconds=30)  # without a heartbeat: another worker runs the job
KILLS = 3
"""Attempts that end with their worker and come no further than earlier ones, after which a job has failed."""
QUIET = ("work_out_report",)  # kinds that nobody is notified of: a page starts them, and waits
PROBLEMS_SHOWN = 20
MAX_REQUEST_ID = 36  # characters, those of a UUID
BEAT_LAST_SEEN = "beat-last-seen"
"""Key in the cache: when a worker last ran the task that beat sends every 20 s, in seconds since 1970."""

log = logging.getLogger(__name__)


class Refused(Exception):
    """The job cannot be done. `.problems` are messages for people: where, why, and what to do."""

    def __init__(self, problems: Iterable[str]):
        self.problems = list(problems)
        super().__init__("; ".join(self.problems))


class Stopped(Exception):
    """The job was canceled, or another worker has taken it over."""


class Progress:
    """Progress of a job. The work may report it at any rate; a thread stores it once a second.

    Without a job (in a command) nothing is stored, and `on_written` is called instead.
    """

    def __init__(self, on_written: Callable[["Progress"], None] | None = None, job: Job | None = None):
        self.done, self.message = 0, ""
        self.total: int | None = None
        self.stopped = threading.Event()
        self._on_written, self._job = on_written, job

    def __call__(self, done: int, total: int | None = None, message: str = "") -> None:
        """Report that `done` of `total` is done. Raises Stopped if the job was canceled or taken over."""
        self.done, self.total, self.message = done, total, message or self.message
        if self.stopped.is_set():
            raise Stopped
        if self._on_written:
            self._on_written(self)

    def lock_job(self) -> None:
        """Prevent canceling and taking over until the transaction that stores the result commits.

        Raises Stopped if the job was canceled or taken over before.
        """
        if self._job and _current_attempt(self._job).select_for_update().first() is None:
            raise Stopped


_current: ContextVar[Progress | None] = ContextVar("progress of the job", default=None)


def raise_if_stopped() -> None:
    """Raise Stopped if the job that this thread runs, if any, was canceled or taken over: for work that waits."""
    progress = _current.get()
    if progress and progress.stopped.is_set():
        raise Stopped


def create(
    kind: str,
    *,
    project: Project | None = None,
    params: dict[str, Any] | None = None,
    uploads: Iterable[Upload] = (),
    actor: User | None = None,
) -> Job:
    """Create a queued job. The caller enqueues its task with `transaction.on_commit`."""
    from structlog.contextvars import get_contextvars  # commands do not load it (site/log_settings.py)

    request_id = get_contextvars().get("request_id", "")[:MAX_REQUEST_ID]
    job = Job.objects.create(kind=kind, project=project, params=params or {}, started_by=actor, request_id=request_id)
    job.uploads.set(uploads)
    return job


@transaction.atomic
def create_once(
    kind: str, *, project: Project, params: dict[str, Any], actor: User | None, same_as: Q | None = None
) -> tuple[Job, bool]:
    """Return a new queued job and True, or an open job of this kind (matching `same_as`) and False.

    The project is locked until the transaction ends, so two requests at once get the same job.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    open_jobs = Job.objects.filter(project=project, kind=kind, state__in=Job.OPEN)
    job = open_jobs.filter(same_as or Q()).first()
    return (job, False) if job else (create(kind, project=project, params=params, actor=actor), True)


def run(job_id: int, work: Callable[[Job, Progress], Any]) -> None:
    """Claim the job, call `work(job, progress)`, and store its result, or the problems of a Refused error.

    `work` returns data for JSON, or a Report. A job that has ended or is running is ignored.
    """
    claimed = Job.objects.filter(pk=job_id, state=Job.State.QUEUED).update(
        state=Job.State.RUNNING, attempts=F("attempts") + 1, heartbeat_at=Now(), done=0, total=None, message=""
    )
    if not claimed:
        return
    job = Job.objects.select_related("project__protocol", "started_by").get(pk=job_id)
    progress = Progress(job=job)
    started, outcome = time.monotonic(), "stopped"
    token = _current.set(progress)
    with _Heartbeat(job, progress):
        try:
            result = work(job, progress)
        except Stopped:
            pass
        except Refused as refused:
            outcome = "refused"
            _end(job, Job.State.FAILED, problems=refused.problems[:PROBLEMS_SHOWN])
        except Exception as error:
            outcome = "failed"
            log.exception("job %s (%s) failed", job.public_id, job.kind)
            _end(job, Job.State.FAILED, problems=[_problem_of(error)])
        else:
            outcome = "done"
            values = {"report": result} if isinstance(result, Report) else {"result": result}
            _end(job, Job.State.DONE, **_progress_fields(progress), **values)
        finally:
            _current.reset(token)
    seconds = time.monotonic() - started
    log.info("job %s (%s) %s after %.1f s", job.public_id, job.kind, outcome, seconds)
    if is_measured():
        from .site.metrics import JOBS

        JOBS.labels(job.kind, outcome).observe(seconds)


def _problem_of(error: Exception) -> str:
    """Return what people are told about an error that the work does not handle."""
    if is_full_disk(error):
        return "The disk is full: nothing of this was stored. Free space for uploads and exports, then try again."
    if is_full_database_disk(error):
        return "The disk of the database is full: nothing of this was stored. Free space there, then try again."
    return "The program failed. The worker's log says where."


def has_missed_heartbeats(job: Job) -> bool:
    """Return whether the worker of a running job may have been killed: no heartbeat for HEARTBEAT_WARNING."""
    deadline = database_now() - HEARTBEAT_WARNING
    return job.state == Job.State.RUNNING and bool(job.heartbeat_at and job.heartbeat_at < deadline)


@transaction.atomic
def cancel(job: Job, *, actor: User | None = None) -> bool:
    """Stop the job at its next progress report. Uncommitted work is rolled back. Return whether it was open."""
    is_open = Job.objects.filter(pk=job.pk, state__in=Job.OPEN)
    if not is_open.update(state=Job.State.CANCELLED, ended_at=database_now()):
        return False
    record(actor, "cancel job", f"job:{job.public_id}", project=job.project, before=job.state, after=job.kind)
    return True


@transaction.atomic
def retry(job: Job, *, actor: User) -> bool:
    """Queue a failed job again, with the same params; the caller enqueues it. Return whether it had failed.

    Attempts are counted on, because a worker that was given up may still have the number of an earlier one.
    """
    values: dict[str, Any] = {"ended_at": None, "problems": [], "done": 0, "total": None, "message": "", "kills": 0}
    failed = Job.objects.filter(pk=job.pk, state=Job.State.FAILED)
    if not failed.update(state=Job.State.QUEUED, heartbeat_at=Now(), **values):
        return False
    record(actor, "retry job", f"job:{job.public_id}", project=job.project, before=job.problems, after=job.kind)
    return True


def silent_condition(timeout: timedelta = HEARTBEAT_TIMEOUT) -> Q:
    """Return the condition that an open job had no heartbeat for some time, or was never started."""
    deadline = Now() - timeout
    return Q(heartbeat_at__lt=deadline) | Q(heartbeat_at=None, created_at__lt=deadline)


def requeue_stale_jobs() -> list[Job]:
    """Queue jobs without a heartbeat again, or fail them after KILLS without progress. Return the queued ones."""
    with transaction.atomic():
        stale = list(Job.objects.select_for_update(skip_locked=True).filter(silent_condition(), state__in=Job.OPEN))
        for job in stale:
            _count_kill(job)
            if job.kills < KILLS:
                job.state = Job.State.QUEUED
                values = {"kills": job.kills, "least_left": job.least_left}
                Job.objects.filter(pk=job.pk).update(state=job.state, heartbeat_at=Now(), **values)
                continue
            job.state, job.ended_at = Job.State.FAILED, database_now()
            job.problems = [f"The worker stopped {job.kills} times during this job. The worker's log says why."]
            job.save(update_fields=["state", "ended_at", "problems", "kills"])
            _notify_starter(job)
            _report_failure(job)
    return [job for job in stale if job.state == Job.State.QUEUED]


def _count_kill(job: Job) -> None:
    """Count that the job's worker was killed, unless less was left than whenever one was before: some work is kept
    from attempt to attempt, as verdicts are, and a job of many hours may lose several workers.
    """
    if job.state != Job.State.RUNNING:
        return  # it waits for a worker
    left = None if job.total is None else max(job.total - job.done, 0)
    if left is not None and job.done and (job.least_left is None or left < job.least_left):
        job.least_left = left
    else:
        job.kills += 1


@transaction.atomic
def _end(job: Job, state: Job.State, **values: Any) -> None:
    if _current_attempt(job).update(state=state, ended_at=database_now(), **values):
        _notify_starter(job)
        if state == Job.State.FAILED:
            _report_failure(job)


def _notify_starter(job: Job) -> None:
    if job.started_by_id and job.kind not in QUIET:
        project = Project.objects.filter(pk=job.project_id).first() if job.project_id else None
        notify([job.started_by_id], Notification.Kind.JOB, project=project, job=job)


def _report_failure(job: Job) -> None:
    project = Project.objects.filter(pk=job.project_id).first() if job.project_id else None
    if project and job.kind not in QUIET:
        queue_event(project, Webhook.Event.JOB_FAILED, {"job": str(job.public_id), "kind": job.kind})


def _progress_fields(progress: Progress) -> dict[str, Any]:
    return {"done": progress.done, "total": progress.total, "message": progress.message[:300]}


def _current_attempt(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts)


class _Heartbeat:
    """Store heartbeat and progress from a thread with its own connection, outside the work's transaction."""

    def __init__(self, job: Job, progress: Progress):
        self._job, self._progress, self._stop = job, progress, threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stop.wait(HEARTBEAT) and not self._progress.stopped.is_set():
                self._write()
        finally:
            connection.close()

    def _write(self) -> None:
        """Store one heartbeat. After a failure the next one uses a new connection; the job continues."""
        try:
            if not _current_attempt(self._job).update(heartbeat_at=Now(), **_progress_fields(self._progress)):
                self._progress.stopped.set()
        except DatabaseError:
            log.exception("job %s missed a heartbeat", self._job.public_id)
            connection.close()
