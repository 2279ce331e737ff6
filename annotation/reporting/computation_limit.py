"""A limit on computations of reports that requests start, so that web servers have threads for raters.

A computation holds an advisory lock of the database until its transaction ends, so that the limit is one for the site,
whatever the number of hosts, and a process that dies holds none. Jobs and commands have no limit.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import connection

from ..site.database_transactions import lengthen_statement_limit, one_snapshot

MAX_COMPUTATIONS = 2
"""Computations of the site: below 100,000 ratings each takes up to about two seconds of a core."""
MAX_THREADS = 2
"""Threads of a process that compute or wait; the others stay free for raters."""
MAX_WAIT = 2.0
"""Seconds. A lead who opens the report while the overview computes its parts seldom needs more."""
SECONDS_TO_WAIT = 3

LOCK = 0x66616374
"""The first number of the advisory locks; the second is 1 to MAX_COMPUTATIONS."""
_LOCK_ONE = "SELECT slot FROM generate_series(1, %s) slot WHERE pg_try_advisory_xact_lock(%s, slot) LIMIT 1"
_PAUSE = 0.1

_threads = threading.BoundedSemaphore(MAX_THREADS)
_is_limited: ContextVar[bool] = ContextVar("computations_are_limited", default=False)


class TooManyComputationsError(Exception):
    """MAX_COMPUTATIONS computations of requests run: try again after SECONDS_TO_WAIT."""


@contextmanager
def limited_computations() -> Iterator[None]:
    token = _is_limited.set(True)
    try:
        yield
    finally:
        _is_limited.reset(token)


@contextmanager
def computation() -> Iterator[None]:
    """Run the block on one snapshot. In a request, count it as a computation: if MAX_COMPUTATIONS run, wait.

    Its statements then have the longer limit of leads. Raises TooManyComputationsError after the wait, or at once if
    MAX_THREADS of this process compute or wait already.
    """
    if not _is_limited.get():
        with one_snapshot():
            yield
        return
    if not _threads.acquire(blocking=False):
        raise TooManyComputationsError
    end = time.monotonic() + MAX_WAIT
    try:
        while True:
            with one_snapshot():  # a new one for each attempt: a snapshot from before the wait would be outdated
                with connection.cursor() as cursor:
                    cursor.execute(_LOCK_ONE, [MAX_COMPUTATIONS, LOCK])
                    has_lock = cursor.fetchone() is not None
                if has_lock:
                    lengthen_statement_limit()
                    yield
                    return
            if time.monotonic() >= end:
                raise TooManyComputationsError
            time.sleep(_PAUSE)
    finally:
        _threads.release()
