"""The database connection; Django loads this module by the setting ENGINE."""

import select
from typing import Any, Self

import psycopg
from django.db.backends.postgresql import base

MAX_PARAMETERS = 2**16 - 1
"""The protocol of PostgreSQL sends no more apart from a statement."""


class MergingMixin:
    """Merge parameters into the statement where they are too many to be sent apart, such as the ids of a large IN."""

    connection: psycopg.Connection[Any]

    def execute(self, query: Any, params: Any = None, **options: Any) -> Self:
        if params is not None and len(params) > MAX_PARAMETERS:
            query, params = psycopg.ClientCursor(self.connection).mogrify(query, params), None
        super().execute(query, params, **options)  # type: ignore[misc]
        return self


class Cursor(MergingMixin, base.ServerBindingCursor):
    """The cursor of most queries."""


class NamedCursor(MergingMixin, psycopg.ServerCursor[Any]):
    """The cursor of `QuerySet.iterator()`, which reads the rows in parts."""


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection. It checks at each request, without a statement, whether the server has closed it."""

    def get_connection_params(self) -> dict[str, Any]:
        return super().get_connection_params() | {"cursor_factory": Cursor}

    def get_new_connection(self, conn_params: dict[str, Any]) -> psycopg.Connection[Any]:
        connection: psycopg.Connection[Any] = super().get_new_connection(conn_params)
        connection.server_cursor_factory = NamedCursor
        return connection

    def is_usable(self) -> bool:
        """Return whether the connection works; ask the server only after an error, or if it has sent something.

        Between requests the server sends nothing but messages about the connection, such as the one before it closes.
        """
        connection = self.connection
        if connection is None or connection.closed:
            return False
        if not self.errors_occurred and not _has_data(connection.fileno()):
            return True
        usable: bool = super().is_usable()
        return usable


def _has_data(socket: int) -> bool:
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return bool(poll.poll(0))
