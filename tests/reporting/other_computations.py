"""Computations of reports by other web servers: a connection of its own holds their locks."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import DatabaseError, InterfaceError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from annotation.reporting.computation_limit import LOCK, MAX_COMPUTATIONS


@contextmanager
def computations_of_other_servers(n: int = MAX_COMPUTATIONS) -> Iterator[BaseDatabaseWrapper]:
    """Run `n` computations, at most MAX_COMPUTATIONS, until the context ends or the connection is closed."""
    server = connection.copy()
    server.set_autocommit(False)
    try:
        with server.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s, n) FROM generate_series(1, %s) n", [LOCK, n])
            assert all(locked for (locked,) in cursor.fetchall())
        yield server
        with suppress(
            DatabaseError, InterfaceError
        ):  # closed already; closing alone does not wait until the locks are released
            server.rollback()
    finally:
        server.close()
