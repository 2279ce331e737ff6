"""The database's time: the clocks of web servers and workers differ, and can jump.

Whatever is stored and compared later is a time of this clock, so that several hosts behave as one; a test finds other
uses. The database is asked once a minute in each process. In between, the time since then is added, by a clock that no
change of the system's time affects.
"""

import time
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connection

REFRESH_SECONDS = 60.0
"""Seconds after which the database is asked again."""
MOST_SECONDS = 0.02
"""Longest time between question and answer for which an answer is kept."""
TRIES = 5
MONOTONIC_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class _Reading(NamedTuple):
    """The database's time, the steady clock's at its answer, and the seconds since the question.

    So `database_now` is late by these seconds at most, and never ahead: what is stored as due is due at once.
    """

    database: datetime
    steady: float
    seconds: float


_reading: _Reading | None = None


def database_now() -> datetime:
    """Return the time by the database's clock, with its time zone."""
    global _reading
    reading = _reading
    if reading is None or _steady_now() - reading.steady >= REFRESH_SECONDS:
        reading = _read()
        _reading = reading if reading.seconds <= MOST_SECONDS else None
    return reading.database + timedelta(seconds=_steady_now() - reading.steady)


def _read() -> _Reading:
    """Return the first reading that is exact enough, or the best of TRIES: on a busy machine a process waits between
    the database's answer and its own clock, and would be late by as much until the next reading.
    """
    best = _ask()
    for _ in range(TRIES - 1):
        if best.seconds <= MOST_SECONDS:
            break
        best = min(best, _ask(), key=lambda reading: reading.seconds)
    return best


def _ask() -> _Reading:
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.cursor() as cursor:
        before = _steady_now()
        (now,) = cursor.execute("SELECT clock_timestamp()").fetchone()
        after = _steady_now()
    return _Reading(now, after, after - before)


def _steady_now() -> float:
    return time.clock_gettime(MONOTONIC_CLOCK)
