"""The database connection; Django loads this module by the setting ENGINE."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection. It checks at each request, without a statement, whether the server has closed it."""

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
