"""One run of a judge in a project at a time: a lock of the database, which ends with the process that holds it."""

from contextlib import AbstractContextManager

from ..model_calls.errors import RunBusy
from ..model_calls.run_lock import hold_lock
from ..models import Judge, Project

LOCK_PREFIX = "factuary.judging:"


def busy_error(judge: Judge) -> RunBusy:
    """Return the error of a second run at the same time."""
    return RunBusy(f"judge {judge.label} is rating this project now; wait until it ends")


def lock_name(judge: Judge, project: Project) -> str:
    """Return the name of the lock, whose hash is its key."""
    return f"{LOCK_PREFIX}{judge.pk}:{project.pk}"


def run_lock(judge: Judge, project: Project, *, wait: float = 0.0) -> AbstractContextManager[None]:
    """Hold the lock. Raises RunBusy if another process still holds it after `wait` seconds."""
    return hold_lock(lock_name(judge, project), busy_error(judge), wait=wait)
