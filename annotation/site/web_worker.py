"""The class of the web server's processes: gunicorn's threads, and a limit on the time in which a request arrives."""

import errno
import time
from socket import socket
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

PATIENCE = 15.0
"""Seconds in which a request must arrive, headers and body, whatever its size."""
SLOWEST = 10_000
"""Bytes a second for which a longer request is given more time: an upload over a slow line arrives."""


class TimedSocket:
    """A client's connection that ends when a request arrives too slowly; all but `recv` is the socket's own.

    Each thread of the web server reads one request at a time, so a few clients that send a byte now and then would
    keep all threads from the others.
    """

    def __init__(self, connection: socket, patience: float, slowest: float) -> None:
        self._socket = connection
        self._patience = patience
        self._slowest = slowest
        self.start_request()

    def start_request(self) -> None:
        """Give the next request its time."""
        self._ends_at = time.monotonic() + self._patience

    def recv(self, size: int) -> bytes:
        """Return up to `size` bytes; raise ConnectionResetError when the request's time is over."""
        try:
            self._socket.settimeout(max(self._ends_at - time.monotonic(), 0.001))
            received = self._socket.recv(size)
        except TimeoutError:
            raise ConnectionResetError(errno.ECONNRESET, "the request arrived too slowly") from None
        finally:
            self._socket.settimeout(None)
        self._ends_at += len(received) / self._slowest
        return received

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


class TimedWorker(ThreadWorker):
    """A process of the web server that ends requests which arrive too slowly."""

    patience = PATIENCE
    slowest = SLOWEST

    def handle(self, conn: TConn) -> Any:
        """Serve a request of a connection, within its time."""
        if isinstance(conn.sock, TimedSocket):
            conn.sock.start_request()
        else:
            conn.sock = TimedSocket(conn.sock, self.patience, self.slowest)
        return super().handle(conn)
