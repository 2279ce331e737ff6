"""A request that arrives slowly does not keep the web server's threads from others."""

import http.client
import os
import runpy
import select
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.db import connection

from annotation.site.web_worker import LONGEST, ArrivalWorker, ArrivingSocket

THREADS = 2
SETTINGS = Path(__file__).parents[2] / "gunicorn.conf.py"


class QuickWorker(ArrivalWorker):
    """A worker that waits three seconds for a request, and longer by 1,000 bytes a second."""

    patience = 3.0
    slowest = 1_000


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer with the number of bytes of the request's body, at `/long` with far more than a client's buffer takes."""
    if environ["PATH_INFO"] == "/long":
        start_response("200 OK", [("Content-Length", "50000000")])
        return [b"x" * 10_000] * 5_000
    body = str(len(environ["wsgi.input"].read())).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Return the port of a web server with one process of THREADS threads."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = [
            sys.executable, "-m", "gunicorn", f"--bind=fd://{listener.fileno()}", "--workers=1", f"--threads={THREADS}",
            f"--worker-class={__name__}.QuickWorker", "--no-control-socket", f"{__name__}:application",
        ]  # fmt: skip
        paths = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        server = subprocess.Popen(
            command, cwd=tmp_path_factory.mktemp("server"), env=paths, pass_fds=[listener.fileno()]
        )
        try:
            yield listener.getsockname()[1]
        finally:
            server.terminate()
            server.wait(20)


def post(port: int, body: bytes) -> bytes:
    """Return the answer to a request that arrives at once."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("POST", "/", body)
        return connection.getresponse().read()


HEAD = b"POST / HTTP/1.1\r\nHost: a\r\n"


def connections(port: int, begun: bytes, number: int) -> list[socket.socket]:
    """Return connections on which a request has begun."""
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(number)]
    for each in slow:
        each.settimeout(120)
        each.sendall(begun)
    return slow


def test_requests_that_have_not_arrived_hold_no_thread(port):
    slow = [
        each
        for begun in (
            b"",
            b"POST / HT",
            HEAD,
            HEAD + b"Content-Length: 9\r\n\r\nx",
            HEAD + b"Content-Length: 2000\r\n\r\n" + b"x" * 99,
        )
        for each in connections(port, begun, 50)
    ]
    assert post(port, b"hello") == b"5"
    assert select.select(slow, [], [], 0)[0] == []  # none of them has ended yet
    assert all(map(ended, slow))


@pytest.mark.parametrize("head", [f"Content-Length: {LONGEST}\r\n".encode(), b"Transfer-Encoding: chunked\r\n"])
def test_uploads_get_half_of_the_threads(port, head):
    uploads = connections(port, HEAD + head + b"\r\n", 2 * THREADS)
    assert post(port, b"hello") == b"5"
    assert select.select(uploads, [], [], 0)[0] == []  # none of them has ended yet
    assert post(port, b"x" * 2 * LONGEST) == str(2 * LONGEST).encode()
    assert all(map(ended, uploads))


def test_client_that_takes_no_answer_holds_a_thread_for_a_short_time_only(port):
    deaf = connections(port, b"GET /long HTTP/1.1\r\nHost: a\r\n\r\n", THREADS)
    assert post(port, b"hello") == b"5"
    for client in deaf:
        client.close()


def test_requests_of_one_connection_are_answered_in_their_order(port):
    """They arrive in parts of any size, the second with the first one, and after a promise to continue."""
    bodies = [b"a", b"", b"abc"]
    sent = b"".join(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies)
    for size in (1, 50, len(sent)):
        with closing(socket.create_connection(("127.0.0.1", port))) as connection:
            for start in range(0, len(sent), size):
                connection.sendall(sent[start : start + size])
            assert [answered(connection) for _ in bodies] == [b"1", b"0", b"3"]
            connection.sendall(HEAD + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 100")
            connection.sendall(b"xy")
            assert answered(connection) == b"2"


def answered(connection: socket.socket) -> bytes:
    """Return the body, of one byte, of the next answer."""
    received = b""
    while not received.partition(b"200 OK")[2].partition(b"\r\n\r\n")[2]:
        received += connection.recv(1)
    return received[-1:]


def ended(connection: socket.socket) -> bool:
    """Return whether the server ends the connection without a complete answer of the application."""
    with closing(connection), suppress(ConnectionResetError):
        return not connection.recv(1000).startswith(b"HTTP/1.1 200")
    return True


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """Return a list whose entry is the time that the worker reads."""
    now = [100.0]
    monkeypatch.setattr("annotation.site.web_worker.time.monotonic", lambda: now[0])
    return now


@contextmanager
def arriving() -> Iterator[tuple[ArrivingSocket, socket.socket]]:
    """Return the server's end of a connection, which waits for a second, and the client's."""
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        yield ArrivingSocket(ours, patience=1, slowest=1_000), theirs


def test_long_request_has_more_time(clock):
    head = HEAD + b"Content-Length: 3000\r\n\r\n"
    with arriving() as (request, theirs):
        theirs.sendall(head)
        request.receive()
        ends_at = request.ends_at
        theirs.sendall(b"x" * 1_500)
        request.receive()
        assert (request.ends_at, request.has_arrived) == (ends_at + 1.5, False)
        theirs.sendall(b"x" * 1_500 + b"POST")
        request.receive()
        assert request.has_arrived
        assert sum(len(request.recv(2_000)) for _ in range(3)) == len(head) + 3_000
        assert request.recv(8_000) == b""
        clock[0] += 7
        request.start_request()
        assert (request.ends_at, request.has_arrived, request.is_empty) == (108, False, False)


def test_upload_whose_time_is_over_ends(clock):
    with arriving() as (upload, theirs):
        theirs.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % LONGEST)
        upload.receive()
        assert upload.is_upload
        while upload.recv(8_000) and not upload.is_empty:
            pass
        theirs.sendall(b"x" * 1_500)
        assert len(upload.recv(8_000)) == 1_500
        clock[0] += 2.4  # of 1 + 1.5 seconds, and some for the head
        theirs.sendall(b"y")
        assert upload.recv(8_000) == b"y"
        clock[0] += 0.2
        with pytest.raises(ConnectionResetError, match="too slow"):
            upload.recv(8_000)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("options", "expected"), [(None, "10s"), ("-c statement_timeout=5s", "5s")])
def test_statements_of_requests_have_a_limit(options, expected):
    with mock.patch.dict(os.environ, {"PGOPTIONS": options} if options else {}):
        if options is None:
            os.environ.pop("PGOPTIONS", None)
        runpy.run_path(str(SETTINGS))
        connection.close()
        assert connection.cursor().execute("SHOW statement_timeout").fetchone() == (expected,)
    connection.close()


@pytest.mark.parametrize(
    ("hosts", "bound"), [("", ["0.0.0.0:8001"]), ("127.0.0.1,[::1]", ["127.0.0.1:8001", "[::1]:8001"])]
)
def test_the_hosts_of_the_web_server_leave_the_port_of_metrics(
    hosts: str, bound: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("WEB_HOST", hosts), ("PORT", "8001"), ("METRICS_PORT", "9464"), ("METRICS_HOST", "")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("annotation.site.metrics_server.make_folder", lambda: "")
    monkeypatch.setenv("PGOPTIONS", "")
    assert runpy.run_path(str(SETTINGS))["bind"] == [*bound, "127.0.0.1:9464"]
