"""A limit on computations of reports at the same time in one process, so that a web server has threads for raters."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

MOST = 1
"""The threads of a web process share one processor, and a worker process runs one job."""
MOST_WAITING = 1
LONGEST_WAIT = 2.0
"""Seconds. A lead who opens the report while the overview computes its parts seldom needs more."""
SECONDS_TO_WAIT = 3

_free = threading.BoundedSemaphore(MOST)
_waiting = threading.BoundedSemaphore(MOST_WAITING)


class TooManyComputationsError(Exception):
    """MOST computations run in this process: try again after SECONDS_TO_WAIT."""


@contextmanager
def computation() -> Iterator[None]:
    """Count the block as a computation. If MOST run already, wait for at most LONGEST_WAIT seconds.

    Raises TooManyComputationsError after that, or at once if MOST_WAITING wait already.
    """
    if not _free.acquire(blocking=False) and not _acquire_later():
        raise TooManyComputationsError
    try:
        yield
    finally:
        _free.release()


def _acquire_later() -> bool:
    if not _waiting.acquire(blocking=False):
        return False
    try:
        return _free.acquire(timeout=LONGEST_WAIT)
    finally:
        _waiting.release()
