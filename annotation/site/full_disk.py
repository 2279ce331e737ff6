"""Recognize a full disk among errors: of a folder of this machine, or of the database server."""

import errno
from collections.abc import Iterator

from psycopg.errors import DiskFull

FULL = (errno.ENOSPC, errno.EDQUOT)


def is_full_disk(error: BaseException) -> bool:
    """Return whether an error, or one that caused it, says that a folder's disk or quota is full."""
    return any(isinstance(cause, OSError) and cause.errno in FULL for cause in _causes(error))


def is_full_database_disk(error: BaseException) -> bool:
    """Return whether an error, or one that caused it, says that the disk of the database server is full."""
    return any(isinstance(cause, DiskFull) for cause in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    visited: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in visited:
        visited.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__
