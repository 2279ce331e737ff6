"""One line a minute in the log of each process while the database or the broker does not answer, without a traceback.

Every request and task fails then, for one reason: hundreds of tracebacks would hide what else happens.
"""

import logging
import threading
import time
from collections.abc import Iterator

SECONDS = 60.0
DATABASE, BROKER = "database", "broker"
_ERRORS = {
    "django.db.utils.InterfaceError": DATABASE,
    "django.db.utils.OperationalError": DATABASE,
    "psycopg.OperationalError": DATABASE,
    "psycopg.errors.OperationalError": DATABASE,
    "kombu.exceptions.OperationalError": BROKER,
    "redis.exceptions.ConnectionError": BROKER,
    "redis.exceptions.TimeoutError": BROKER,
}
"""By name, so that commands do not load the clients."""
_UNREACHABLE = ("08", "57P0")
"""Classes of SQLSTATE: no connection; shut down or starting. Without any, the server did not answer."""
_CELERY = ("Cannot connect to", "Connection to broker lost", "beat: Connection error")
"""Celery's own lines, which have no exception."""


def outage_of(record: logging.LogRecord) -> str:
    """Return which part does not answer: DATABASE, BROKER, or "" if the record is about something else."""
    if record.levelno < logging.WARNING:
        return ""
    if record.name.startswith("celery") and any(words in record.getMessage() for words in _CELERY):
        return BROKER
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    return next((part for each in causes_of(error) if (part := _part(each))), "")


def causes_of(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and what it was raised from, each once."""
    visited: set[int] = set()
    while error is not None and id(error) not in visited:
        visited.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _part(error: BaseException) -> str:
    names = (f"{cls.__module__}.{cls.__qualname__}" for cls in type(error).__mro__)
    part = next((_ERRORS[name] for name in names if name in _ERRORS), "")
    if part != DATABASE:
        return part
    state = getattr(error, "sqlstate", None) or getattr(error.__cause__, "sqlstate", None)
    return part if state is None or state.startswith(_UNREACHABLE) else ""


class OutageFilter(logging.Filter):
    """Passes the first record of an outage in each minute, in one line, and counts the others."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._logged_at: dict[str, float] = {}
        self._left_out: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is logged; make one line of it."""
        part = outage_of(record)
        if not part:
            return True
        with self._lock:
            now, last = time.monotonic(), self._logged_at.get(part)
            if last is not None and now - last < SECONDS:
                self._left_out[part] = self._left_out.get(part, 0) + 1
                return False
            self._logged_at[part] = now
            left_out = self._left_out.pop(part, 0)
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        reason = " ".join(str(error or record.getMessage()).split())[:200]
        record.msg = "the %s does not answer (%s)%s"
        record.args = (part, reason, f"; {left_out:,} more errors since the last such line" if left_out else "")
        record.exc_info = record.exc_text = record.stack_info = None
        return True
