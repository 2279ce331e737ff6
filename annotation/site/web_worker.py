"""The class of the web server's processes: gunicorn's threads, which get a request only when it has arrived.

Until then the main loop of the process reads the connection in parts, so that clients that send slowly or nothing take
no thread from the others. A long body (an upload) is read by a thread; uploads get half of the threads.
"""

import errno
import re
import selectors
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from socket import socket
from typing import IO, Any

from gunicorn.workers.gthread import TConn, ThreadWorker

PATIENCE = 15.0
"""Seconds in which a request must arrive, headers and body, whatever its size; an answer must be taken in as many."""
SLOWEST = 10_000
"""Bytes a second for which what is longer is given more time: an upload over a slow line arrives."""
LONGEST = 256 * 1024
"""Bytes of the longest request that is not an upload: as many are kept in memory for each connection."""
_HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"^content-length:[ \t]*([0-9]{1,18})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_CHUNKED = re.compile(rb"^transfer-encoding:", re.IGNORECASE | re.MULTILINE)
_EXPECTS_CONTINUE = re.compile(rb"^expect:[ \t]*100-continue", re.IGNORECASE | re.MULTILINE)


class ArrivingSocket:
    """A client's connection: the main loop calls `receive` until `has_arrived`, then a thread reads by `recv`.

    All else is the socket's own.
    """

    def __init__(self, connection: socket, patience: float, slowest: float) -> None:
        self._socket = connection
        self._patience = patience
        self._slowest = slowest
        self._arrived = bytearray()
        self.has_ended = False
        self.start_request()

    def start_request(self) -> None:
        """Begin the next request, of which bytes may have arrived together with the one before."""
        self._length: int | None = None  # bytes of the request, once its head has arrived
        self.is_upload = False
        self.start_time()
        self._read_head(0)

    def start_time(self) -> None:
        """Give what is still to arrive its time."""
        self.ends_at = time.monotonic() + self._patience

    @property
    def has_arrived(self) -> bool:
        """Whether a thread may read: the request is there or is an upload, or the client sends nothing more."""
        is_whole = self._length is not None and len(self._arrived) >= self._length
        return is_whole or self.is_upload or self.has_ended

    @property
    def is_empty(self) -> bool:
        return not self._arrived

    def receive(self) -> None:
        """Read what is there, without waiting. Raises OSError."""
        received = self._socket.recv(65_536)
        known, self.has_ended = len(self._arrived), not received
        self._arrived += received
        self.ends_at += len(received) / self._slowest
        if self._length is None:
            self._read_head(known)

    def _read_head(self, known: int) -> None:
        """Find how long the request is, if its head ends after the `known` bytes."""
        end = self._arrived.find(_HEAD_END, max(0, known - len(_HEAD_END)))
        if end < 0:
            self.is_upload = len(self._arrived) > LONGEST  # the parser refuses it
            return
        head = bytes(self._arrived[: end + 2])
        length = _LENGTH.search(head)
        self._length = end + len(_HEAD_END) + (int(length[1]) if length else 0)
        self.is_upload = self._length > LONGEST or bool(_CHUNKED.search(head))
        if not self.has_arrived and _EXPECTS_CONTINUE.search(head):
            self._socket.send(b"HTTP/1.1 100 Continue\r\n\r\n")

    def recv(self, size: int) -> bytes:
        """Return up to `size` bytes of the request, none after its end. Raises ConnectionResetError when the time of
        an upload is over.
        """
        if self._length is not None and not self.is_upload:
            size = min(size, self._length)
            self._length -= min(size, len(self._arrived))
        if self._arrived:
            taken = bytes(self._arrived[:size])
            del self._arrived[:size]
            return taken
        if self.has_ended or not self.is_upload:
            return b""
        received: bytes = self._within(self.ends_at - time.monotonic(), self._socket.recv, size)
        self.ends_at += len(received) / self._slowest
        return received

    def sendall(self, data: bytes) -> None:
        """Send all. Raises ConnectionResetError if the client takes it too slowly."""
        self._within(self._patience + len(data) / self._slowest, self._socket.sendall, data)

    def sendfile(self, file: IO[bytes], offset: int = 0, count: int | None = None) -> Any:
        """Send a file. Raises ConnectionResetError if the client takes nothing for some time."""
        return self._within(self._patience, self._socket.sendfile, file, offset, count)

    def _within(self, seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
        try:
            self._socket.settimeout(max(seconds, 0.001))
            return work(*arguments)
        except TimeoutError:
            raise ConnectionResetError(errno.ECONNRESET, "the client is too slow") from None
        finally:
            self._socket.settimeout(None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


class ArrivalWorker(ThreadWorker):
    """A process of the web server whose threads get requests that have arrived."""

    patience = PATIENCE
    slowest = SLOWEST

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.arriving: set[TConn] = set()
        self.uploads = 0  # that have a thread
        self.waiting_uploads: deque[TConn] = deque()

    def accept(self, listener: socket) -> None:
        """Accept a connection, and wait for its first request."""
        try:
            client, address = listener.accept()
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                raise
            return
        self.nr_conns += 1
        connection = TConn(
            self.cfg, ArrivingSocket(client, self.patience, self.slowest), address, listener.getsockname()
        )
        connection.data_ready = True  # when a thread gets it
        self.await_request(connection)

    def on_client_socket_readable(self, conn: TConn, client: socket) -> None:
        """Wait for the next request of a connection that was kept alive."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        conn.sock.start_request()
        self.await_request(conn)

    def await_request(self, conn: TConn) -> None:
        """Pass the connection to a thread when its request has arrived."""
        if conn.sock.has_arrived:
            self.enqueue_req(conn)
            return
        self.arriving.add(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_arrival, conn))

    def on_arrival(self, conn: TConn, _socket: ArrivingSocket) -> None:
        try:
            conn.sock.receive()
        except BlockingIOError:
            return
        except OSError:
            self.end_arriving(conn)
            return
        if conn.sock.has_ended and conn.sock.is_empty:
            self.end_arriving(conn)
        elif conn.sock.has_arrived:
            self.arriving.remove(conn)
            self.poller.unregister(conn.sock)
            self.enqueue_req(conn)

    def end_arriving(self, conn: TConn) -> None:
        """Close a connection whose request does not arrive."""
        self.arriving.remove(conn)
        self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    def murder_pending(self) -> None:
        """Close connections whose requests arrive too slowly."""
        now = time.monotonic()
        for conn in [conn for conn in self.arriving if conn.sock.ends_at < now]:
            self.end_arriving(conn)

    def enqueue_req(self, conn: TConn) -> None:
        """Give the connection a thread; an upload waits while half of the threads have one."""
        if conn.sock.is_upload:
            if self.uploads >= max(1, self.cfg.threads // 2):
                self.waiting_uploads.append(conn)
                return
            self.uploads += 1
            conn.sock.start_time()
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> Any:
        """Serve a request. The end of an upload was read by a thread, perhaps with more, so its connection ends."""
        return super().handle(conn) and not conn.sock.is_upload

    def finish_request(self, conn: TConn, fs: Future[Any]) -> None:
        """Keep the connection or close it; the next upload gets its thread."""
        was_upload = conn.sock.is_upload
        super().finish_request(conn, fs)
        if was_upload:
            self.uploads -= 1
            if self.waiting_uploads:
                self.enqueue_req(self.waiting_uploads.popleft())
        elif conn in self.keepalived_conns and not conn.sock.is_empty:
            self.on_client_socket_readable(conn, conn.sock)  # the next request came with this one
