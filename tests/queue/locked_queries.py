"""Connections that wait for each other."""

from collections.abc import Callable

from django.db import connection

LONG = 30  # seconds after which a test is given up


def closing(act: Callable[[], object]) -> object:
    try:
        return act()
    finally:
        connection.close()


def waiting() -> int:
    """Return how many connections wait for a lock of another one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else one transaction sees the same connections each time
        cursor.execute("SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
                       "WHERE NOT granted AND datname = current_database()")  # fmt: skip
        return cursor.fetchone()[0]
