"""A receiver of webhooks on a local socket, which verifies signatures by code of its own."""

import base64
import hashlib
import hmac
import json
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from annotation.models import Project, Webhook
from annotation.webhooks.webhooks import create_webhook
from tests.cast import person


class Receiver:
    """What a local server has received. `answers` are the statuses of the next answers, 204 after them; a number below
    0 is a pause of so many seconds before 204. A redirect leads to `location`.
    """

    def __init__(self, port: int, scheme: str = "http") -> None:
        self.port, self.url = port, f"{scheme}://127.0.0.1:{port}/hook?from=factuary"
        self.secret = ""
        self.answers: list[float] = []
        self.location = ""
        self.paths: list[str] = []
        self.received: list[tuple[dict[str, str], bytes]] = []

    @property
    def ids(self) -> list[str]:
        """The ids of what was received."""
        return [headers["webhook-id"] for headers, _body in self.received]

    def messages(self) -> list[dict[str, Any]]:
        """Return what was received, after verifying each signature as the specification describes."""
        for headers, body in self.received:
            assert is_genuine(headers, body, self.secret)
            assert headers["content-type"] == "application/json"
        return [json.loads(body) for _headers, body in self.received]


def is_genuine(headers: dict[str, str], body: bytes, secret: str) -> bool:
    """Return whether a header has the HMAC-SHA256 of id, time and body, and the time is now."""
    signed = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
    key = base64.b64decode(secret.split("_", 1)[1], validate=True)
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{expected}" in headers["webhook-signature"].split() and (
        abs(time.time() - int(headers["webhook-timestamp"])) < 300
    )


@contextmanager
def receiver(context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Start a receiver, with TLS if there is a context."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            own.paths.append(self.path)
            own.received.append(({name.lower(): value for name, value in self.headers.items()}, body))
            status = own.answers.pop(0) if own.answers else 204
            if status < 0:
                time.sleep(-status)
            self.send_response(204 if status < 0 else int(status))
            if 300 <= status < 400:
                self.send_header("Location", own.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_values: object) -> None:
            """Log nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_values: object) -> None:
            """A client that has gone is part of the tests."""

    server = Server(("127.0.0.1", 0), Handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    own = Receiver(server.server_port, "https" if context else "http")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield own
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def subscribe(project: Project, receiver: Receiver, *events: str) -> Webhook:
    """Create a webhook of Lena's for these events, or all, that the receiver gets."""
    webhook, receiver.secret = create_webhook(
        project, receiver.url, events or Webhook.Event.values, actor=person("lena")
    )
    return webhook
