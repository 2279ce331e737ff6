"""A request that arrives slowly does not keep the web server's threads from others."""

import http.client
import os
import runpy
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.db import connection

from annotation.site.web_worker import TimedSocket, TimedWorker

THREADS = 2
SETTINGS = Path(__file__).parents[2] / "gunicorn.conf.py"


class QuickWorker(TimedWorker):
    """A worker that waits one second for a request, and 1,000 bytes a second longer."""

    patience = 1.0
    slowest = 1_000


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer with the number of bytes of the request's body."""
    body = str(len(environ["wsgi.input"].read())).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Return the port of a web server with one process of THREADS threads."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = [
            sys.executable, "-m", "gunicorn", f"--bind=fd://{listener.fileno()}", "--workers=1", f"--threads={THREADS}",
            f"--worker-class={__name__}.QuickWorker", "--no-control-socket", f"{__name__}:application",
        ]  # fmt: skip
        paths = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        server = subprocess.Popen(command, cwd=tmp_path, env=paths, pass_fds=[listener.fileno()])
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


@pytest.mark.parametrize("begun", [b"POST / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx"])
def test_requests_that_never_end_do_not_hold_the_threads(port, begun):
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(2 * THREADS)]
    for slow_connection in slow:
        slow_connection.sendall(begun)
    assert post(port, b"hello") == b"5"
    for slow_connection in slow:
        slow_connection.settimeout(60)
        assert ended(slow_connection)
        slow_connection.close()


def ended(connection: socket.socket) -> bool:
    """Return whether the server ends the connection without a complete answer of the application."""
    try:
        return not connection.recv(1000).startswith(b"HTTP/1.1 200")
    except ConnectionResetError:
        return True


def test_long_request_has_more_time(monkeypatch):
    now = 100.0
    monkeypatch.setattr("annotation.site.web_worker.time.monotonic", lambda: now)
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        timed = TimedSocket(ours, patience=1, slowest=1_000)
        theirs.sendall(b"x" * 1_500)
        assert len(timed.recv(8_000)) == 1_500
        now += 2.4  # of 1 + 1.5 seconds
        theirs.sendall(b"y")
        assert timed.recv(8_000) == b"y"
        now += 0.2
        with pytest.raises(ConnectionResetError, match="too slowly"):
            timed.recv(8_000)
        timed.start_request()
        theirs.sendall(b"z")
        assert timed.recv(8_000) == b"z"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("options", "expected"), [(None, "10s"), ("-c statement_timeout=5s", "5s")])
def test_statements_of_requests_have_a_limit(options, expected):
    with mock.patch.dict(os.environ, {"PGOPTIONS": options} if options else {}):
        if options is None:
            os.environ.pop("PGOPTIONS", None)
        runpy.run_path(str(SETTINGS))
        connection.close()
        with connection.cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            assert cursor.fetchone() == (expected,)
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
