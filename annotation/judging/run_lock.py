"""One run of a judge in a project at a time: a lock of the database, which ends with the process that holds it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.models import BooleanField, Func
from django.utils.translation import gettext as _

from ..model_calls.errors import RunBusy
from ..models import Judge, Project


class LockHeld(Func):
    """Whether a process holds the lock of a judge in a project, by their primary keys in a query."""

    template = """EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND objsubid = 1
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (classid::bigint << 32) | objid::bigint = hashtextextended('factuary.judging:' || %(expressions)s, 0)
    )"""
    arg_joiner = " || ':' || "
    output_field = BooleanField()


def busy_error(judge: Judge) -> RunBusy:
    """Return the error of a second run at the same time."""
    return RunBusy(_("judge %(name)s is rating this project now; wait until it ends") % {"name": judge.label})


def lock_name(judge: Judge, project: Project) -> str:
    """Return the name of the lock, whose hash is its key."""
    return f"factuary.judging:{judge.pk}:{project.pk}"


@contextmanager
def run_lock(judge: Judge, project: Project, *, wait: float = 0.0) -> Iterator[None]:
    """Hold the lock. Raises RunBusy if another process still holds it after `wait` seconds."""
    key = lock_name(judge, project)
    deadline = time.monotonic() + wait
    while not _call("pg_try_advisory_lock", key):
        if time.monotonic() >= deadline:
            raise busy_error(judge)
        time.sleep(0.25)
    try:
        yield
    finally:
        if not connection.needs_rollback and connection.is_usable():
            _call("pg_advisory_unlock", key)


def _call(function: str, key: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [key])
        return bool(cursor.fetchone()[0])
