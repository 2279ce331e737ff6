"""The database's time, for leases: the clocks of web servers differ, and can jump.

It is asked for once a minute in each process. In between, the time since then is added, by a clock that no change of
the system's time affects.
"""

import time
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connection

REFRESH_SECONDS = 60.0
"""Seconds after which the database is asked again."""
MONOTONIC_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class _Reading(NamedTuple):
    database: datetime
    steady: float


_reading: _Reading | None = None


def database_now() -> datetime:
    """Return the time by the database's clock, with its time zone."""
    global _reading
    reading = _reading
    if reading is None or time.clock_gettime(MONOTONIC_CLOCK) - reading.steady >= REFRESH_SECONDS:
        reading = _reading = _ask()
    return reading.database + timedelta(seconds=time.clock_gettime(MONOTONIC_CLOCK) - reading.steady)


def _ask() -> _Reading:
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.cursor() as cursor:
        (now,) = cursor.execute("SELECT clock_timestamp()").fetchone()
    return _Reading(now, time.clock_gettime(MONOTONIC_CLOCK))
