"""A limit on computations of reports at the same time in one process, so that a web server has threads for raters."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

MOST = 1
"""The threads of a web process share one processor, and a worker process runs one job."""
SECONDS_TO_WAIT = 3

_free = threading.BoundedSemaphore(MOST)


class TooManyComputationsError(Exception):
    """MOST computations run in this process: try again after SECONDS_TO_WAIT."""


@contextmanager
def computation() -> Iterator[None]:
    """Count the block as a computation. Raises TooManyComputationsError, without waiting, if MOST run already."""
    if not _free.acquire(blocking=False):
        raise TooManyComputationsError
    try:
        yield
    finally:
        _free.release()
