"""One run of the same kind at a time, or one creation of a version: locks of the database, which end with the process
that holds them.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.models import BooleanField, Func

from .errors import RunBusy

WAIT_FOR_LOCK = 60.0  # seconds that a job waits until the worker it was taken from has ended


def lock_until_commit(name: str) -> None:
    """Let others that call this with the same name wait until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


class LockHeld(Func):
    """Whether a process holds the lock whose name these expressions give together: texts, and keys of a query."""

    template = """EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND objsubid = 1
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (classid::bigint << 32) | objid::bigint = hashtextextended(%(expressions)s, 0)
    )"""
    arg_joiner = " || "
    output_field = BooleanField()


@contextmanager
def hold_lock(name: str, busy: RunBusy, *, wait: float = 0.0) -> Iterator[None]:
    """Hold the lock `name`. Raises `busy` if another process still holds it after `wait` seconds."""
    deadline = time.monotonic() + wait
    while not _call("pg_try_advisory_lock", name):
        if time.monotonic() >= deadline:
            raise busy
        time.sleep(0.25)
    try:
        yield
    finally:
        if not connection.needs_rollback and connection.is_usable():
            _call("pg_advisory_unlock", name)


def _call(function: str, name: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [name])
        return bool(cursor.fetchone()[0])
