"""CPU time of a rater's requests by part: save, finish and next work, in this process, by a person with a session.

Functions of each part are measured by the clock of the thread, which does not run while the database works. A part that
is called within another one is counted once, for itself: composing SQL belongs to the part that runs the query.
"""

import json
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ._figure import Figure
from .serving import load_study

RESPONSES, WARM_UP = 40, 3
OUTSIDE, MIDDLEWARE = "outside of the request", "middleware"
PARTS = (MIDDLEWARE, "session", "authentication", "permissions", "view", "serializers", "database")


class Stopwatch:
    """Seconds by part, by a clock that returns seconds."""

    def __init__(self, clock: Callable[[], float] = time.thread_time):
        self.seconds: dict[str, float] = defaultdict(float)
        self._clock, self._parts, self._since = clock, [OUTSIDE], clock()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count the time of the block for this part; the part around it does not have it."""
        self._add()
        self._parts.append(name)
        try:
            yield
        finally:
            self._add()
            self._parts.pop()

    def measured(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time counted for this part."""

        @wraps(function)
        def measured(*args: Any, **options: Any) -> Any:
            with self.part(name):
                return function(*args, **options)

        return measured

    def _add(self) -> None:
        now = self._clock()
        self.seconds[self._parts[-1]] += now - self._since
        self._since = now


def run() -> Iterator[Figure]:
    """Yield one result a line: seconds of a request; the baseline of each part is the whole request."""
    with tempfile.TemporaryDirectory(prefix="factuary-bench-") as folder:
        load_study({"database_url": os.environ["DATABASE_URL"]}, Path(folder))
    watch = Stopwatch()
    with measured_parts(watch):
        profile = Profile(watch)
        profile.rate(WARM_UP)
        profile.seconds.clear()
        profile.rate(RESPONSES)
    for request, rows in profile.seconds.items():
        whole = sum(row[part] for row in rows for part in PARTS) / len(rows)
        for part in PARTS:
            value = sum(row[part] for row in rows) / len(rows)
            yield Figure(f"cpu of a request, {request}: {part}", value, whole, "s", len(rows))


class Profile:
    """A rater who is signed in, and the seconds of each request by part."""

    def __init__(self, watch: Stopwatch):
        from django.test import Client

        from annotation.models import User

        self.seconds: dict[str, list[dict[str, float]]] = defaultdict(list)
        self._watch = watch
        self._client = Client(enforce_csrf_checks=True, SERVER_NAME="localhost")
        self._client.get("/accounts/login/")
        self._client.force_login(User.objects.get(username="rater0"))

    def rate(self, responses: int) -> None:
        """Take, answer and finish responses."""
        for _ in range(responses):
            work = self._send("next work", "POST", "/api/v1/projects/bench/assignments/")
            for item in work["items"]:
                body = {"answers": {"accuracy": "accurate"}, "base_version": 0, "seconds": 4.0}
                self._send("save", "PUT", f"/api/v1/assignments/{work['id']}/items/{item['id']}/", body)
            self._send("finish", "POST", f"/api/v1/assignments/{work['id']}/finish/")

    def _send(self, request: str, method: str, path: str, body: dict | None = None) -> dict:
        headers = {"X-CSRFToken": self._client.cookies["factuary_csrf"].value, "Idempotency-Key": os.urandom(12).hex()}
        self._watch.seconds.clear()
        content = json.dumps(body) if body else ""
        answer = self._client.generic(method, path, content, "application/json", headers=headers)
        self.seconds[request].append(self._watch.seconds.copy())
        if answer.status_code != 200:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.content[:200]!r}")
        return answer.json()


@contextmanager
def measured_parts(watch: Stopwatch) -> Iterator[None]:
    """Measure the functions of each part until the end of the block."""
    with ExitStack() as stack:
        for part, functions in functions_by_part().items():
            for owner, name in functions:
                stack.enter_context(patch.object(owner, name, watch.measured(part, getattr(owner, name))))
        yield


def functions_by_part() -> dict[str, list[tuple[Any, str]]]:
    """Return the functions that a part begins with, each as owner and name."""
    import psycopg
    from django.contrib.auth import middleware as user_middleware
    from django.contrib.sessions.middleware import SessionMiddleware
    from django.core.handlers.base import BaseHandler
    from django.db.backends.base.base import BaseDatabaseWrapper
    from rest_framework.renderers import JSONRenderer
    from rest_framework.request import Request
    from rest_framework.serializers import ListSerializer, Serializer
    from rest_framework.views import APIView

    from annotation.accounts.session_store import SessionStore
    from annotation.api import assignments
    from annotation.api.parsers import BoundedJSONParser

    return {
        MIDDLEWARE: [(BaseHandler, "get_response")],
        "session": [
            (SessionMiddleware, "process_request"),
            (SessionMiddleware, "process_response"),
            (SessionStore, "load"),
        ],
        "authentication": [(user_middleware, "get_user"), (Request, "_authenticate")],
        "permissions": [
            (APIView, "check_permissions"),
            (APIView, "check_throttles"),
            (assignments, "project_for"),
            (assignments, "assignment_for"),
        ],
        "view": [(APIView, "dispatch")],
        "serializers": [
            (BoundedJSONParser, "parse"),
            (Serializer, "run_validation"),
            (ListSerializer, "to_representation"),
            (assignments, "work_of"),
            (JSONRenderer, "render"),
        ],
        "database": [
            *((psycopg.Cursor, name) for name in ("execute", "fetchone", "fetchmany", "fetchall")),
            *((BaseDatabaseWrapper, name) for name in ("set_autocommit", "commit")),
        ],
    }
