"""Long work that people can watch: one row a job, with state, progress and a heartbeat.

Surfaces create a job and enqueue its Celery task on commit; the task calls `run` with the one room that does the work.
A thread beats while the work goes on, so a job whose worker was killed is recognised by its still heart and taken up
again. A job may therefore run twice: each attempt has a number, and one that was overtaken may no longer write.
"""

import logging
import threading
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from .models import Job, Project, Report, Upload, User

HEARTBEAT = 1.0  # seconds between two beats
SILENT = timedelta(seconds=10)  # without a beat: whoever watches is told
STRANDED = timedelta(seconds=30)  # … and another worker takes it up
ATTEMPTS = 3
PROBLEMS_SHOWN = 20

log = logging.getLogger(__name__)


class Refused(Exception):
    """The work cannot be done as asked. `.problems` are lines for people that say where, why, and what to do."""

    def __init__(self, problems: Iterable[str]):
        self.problems = list(problems)
        super().__init__("; ".join(self.problems))


class Stopped(Exception):
    """The job was cancelled, or another worker has taken it over."""


class Progress:
    """How far the work is. The work says so as often as it likes; a thread writes it down once a second.

    Without a job (in a command) nothing is written, and `watch` is called instead.
    """

    def __init__(self, watch: Callable[["Progress"], None] | None = None, job: Job | None = None):
        self.done, self.message = 0, ""
        self.total: int | None = None
        self.stopped = threading.Event()
        self._watch, self._job = watch, job

    def __call__(self, done: int, total: int | None = None, message: str = "") -> None:
        """Say that `done` of `total` is done. Raises Stopped when the job was cancelled or taken over."""
        self.done, self.total, self.message = done, total, message or self.message
        if self.stopped.is_set():
            raise Stopped
        if self._watch:
            self._watch(self)

    def hold(self) -> None:
        """At the end of the transaction that stores the work: until it commits, nobody can cancel the job or take it
        over. Raises Stopped when somebody has."""
        if self._job and _mine(self._job).select_for_update().first() is None:
            raise Stopped


def language_params() -> dict[str, str]:
    """What goes into a job's params so that its words (problems, progress) come in the language of who asks for it;
    nothing for the site's own language."""
    language = get_language()
    return {} if language in (None, settings.LANGUAGE_CODE) else {"language": language}


def create(
    kind: str,
    *,
    project: Project | None = None,
    params: dict[str, Any] | None = None,
    uploads: Iterable[Upload] = (),
    actor: User | None = None,
) -> Job:
    """A queued job. The caller enqueues its task with `transaction.on_commit`."""
    job = Job.objects.create(kind=kind, project=project, params=params or {}, started_by=actor)
    job.uploads.set(uploads)
    return job


@transaction.atomic
def create_once(
    kind: str, *, project: Project, params: dict[str, Any], actor: User | None, like_it: Q | None = None
) -> tuple[Job, bool]:
    """A queued job, and True; or the one that is open already (of this kind, and `like_it` if given), and False.

    Two who ask at the same moment get the same job: the project is locked until the transaction ends.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    still_open = Job.objects.filter(project=project, kind=kind, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    found = still_open.filter(like_it or Q()).first()
    return (found, False) if found else (create(kind, project=project, params=params, actor=actor), True)


def run(job_id: int, work: Callable[[Job, Progress], Any]) -> None:
    """Claim the job, do `work(job, progress)`, and store its result, or the problems it was refused for.

    `work` returns JSON-ready data, or a Report. A job that has ended or is being worked on is left alone.
    """
    job = _claim(job_id)
    if job is None:
        return
    progress = Progress(job=job)
    with _Heart(job, progress), translation.override(job.params.get("language", settings.LANGUAGE_CODE)):
        try:
            result = work(job, progress)
        except Stopped:
            return
        except Refused as refused:
            _end(job, Job.State.FAILED, problems=refused.problems[:PROBLEMS_SHOWN])
            return
        except Exception:
            log.exception("job %s (%s) broke down", job.public_id, job.kind)
            _end(job, Job.State.FAILED, problems=[_("The program broke down. The log of the worker says where.")])
            return
        found = {"report": result} if isinstance(result, Report) else {"result": result}
        _end(job, Job.State.DONE, **_written(progress), **found)


def is_silent(job: Job) -> bool:
    """Whether the job's worker has missed many beats, so that it may have been killed."""
    return job.state == Job.State.RUNNING and bool(job.heartbeat_at and job.heartbeat_at < timezone.now() - SILENT)


def cancel(job: Job) -> None:
    """Stop the job at its next step. What it has not committed is undone."""
    Job.objects.filter(pk=job.pk, state__in=["queued", "running"]).update(
        state=Job.State.CANCELLED, ended_at=timezone.now()
    )


def requeue_stranded() -> list[Job]:
    """Put jobs without a heartbeat back in the queue, give up those that failed too often; returns the former."""
    silent = Q(heartbeat_at__lt=timezone.now() - STRANDED)
    lost = Q(heartbeat_at=None, created_at__lt=timezone.now() - STRANDED)
    with transaction.atomic():
        found = list(
            Job.objects.select_for_update(skip_locked=True).filter(silent | lost, state__in=["queued", "running"])
        )
        for job in found:
            _requeue(job) if job.attempts < ATTEMPTS else _give_up(job)
    return [job for job in found if job.state == Job.State.QUEUED]


def _requeue(job: Job) -> None:
    job.state, job.heartbeat_at = Job.State.QUEUED, timezone.now()
    job.save(update_fields=["state", "heartbeat_at"])


def _give_up(job: Job) -> None:
    job.state, job.ended_at = Job.State.FAILED, timezone.now()
    with translation.override(job.params.get("language", settings.LANGUAGE_CODE)):
        said = _("The worker died %(attempts)s times over this job. The log of the worker says why.")
    job.problems = [said % {"attempts": job.attempts}]
    job.save(update_fields=["state", "ended_at", "problems"])


def _claim(job_id: int) -> Job | None:
    now = timezone.now()
    claimed = Job.objects.filter(pk=job_id, state=Job.State.QUEUED).update(
        state=Job.State.RUNNING, attempts=F("attempts") + 1, heartbeat_at=now, done=0, total=None, message=""
    )
    return Job.objects.select_related("project__protocol", "started_by").get(pk=job_id) if claimed else None


def _end(job: Job, state: Job.State, **values: Any) -> None:
    _mine(job).update(state=state, ended_at=timezone.now(), **values)


def _written(progress: Progress) -> dict[str, Any]:
    return {"done": progress.done, "total": progress.total, "message": progress.message[:300]}


def _mine(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempts=job.attempts)


class _Heart:
    """Beats in a thread with a connection of its own, so that those who watch see progress while the work's own
    transaction is still open."""

    def __init__(self, job: Job, progress: Progress):
        self._job, self._progress, self._stop = job, progress, threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *exc: object) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._stop.wait(HEARTBEAT) and not self._progress.stopped.is_set():
                self._write()
        finally:
            connection.close()

    def _write(self) -> None:
        """A beat that fails is followed by another, on a new connection: the work itself may well go on."""
        try:
            if not _mine(self._job).update(heartbeat_at=timezone.now(), **_written(self._progress)):
                self._progress.stopped.set()
        except DatabaseError:
            log.exception("the heart of job %s missed a beat", self._job.public_id)
            connection.close()
