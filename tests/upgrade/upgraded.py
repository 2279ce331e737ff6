"""A site of 0.7.1, upgraded as an administrator does it: migrate the database, then start this version on it."""

import json
import lzma
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

import psycopg

from tests import conftest
from tests.upgrade.commands import run_commands
from tests.upgrade.studies import RECORDED

CODE = Path(__file__).resolve().parents[2]
# What has run out since the recording is as it was then; all else stays as 0.7.1 stored it.
AS_RECENT = """
    UPDATE annotation_place SET expires_at = now() + interval '3 hours'
        WHERE holder_id IS NOT NULL AND finished_at IS NULL;
    UPDATE django_session SET expire_date = now() + interval '14 days';
"""

QUERIES = {
    "ratings": """
        SELECT r.public_id::text, i.public_id::text, u.username, r.role, r.answers, r.comment, r.evidence, r.version
        FROM annotation_rating r JOIN annotation_item i ON i.id = r.item_id JOIN annotation_user u ON u.id = r.rater_id
        ORDER BY 1
    """,
    "history": "SELECT pgh_label, answers, idempotency_key::text FROM annotation_ratingevent ORDER BY pgh_id",
    "assignments": "SELECT public_id::text, finished_at, released_at FROM annotation_assignment ORDER BY 1",
    "events": "SELECT action, target, after FROM annotation_auditevent ORDER BY id",
    "reports": "SELECT public_id::text, document, figures, data_sha256, frozen_at FROM annotation_report ORDER BY 1",
    "links": "SELECT digest, with_names, note FROM annotation_reportlink ORDER BY 1",
    "questions": "SELECT public_id::text, text, answer FROM annotation_raterquestion ORDER BY 1",
    "members": "SELECT project_id, user_id, role FROM annotation_membership ORDER BY 1, 2",
    "guidelines": "SELECT project_id, number, text, note FROM annotation_guidelineversion ORDER BY 1, 2",
}

OLD_TABLES = {"annotation_raterquestion": "annotation_inquiry"}
"""Tables that had another name in 0.7.1."""


def recorded(name: str) -> Any:
    """Return what is stored under `fixtures/0.7.1`: text of SQL, or JSON."""
    text = lzma.decompress((RECORDED / f"{name}.xz").read_bytes()).decode()
    return text if name.endswith(".sql") else json.loads(text)


def with_old_tables(query: str) -> str:
    for new, old in OLD_TABLES.items():
        query = query.replace(new, old)
    return query


class UpgradedSite:
    """A database of its own on the suite's server, and a web server on it."""

    def __init__(self, folder: Path, database: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.database = database
        self.server: subprocess.Popen[bytes] | None = None
        self.before: dict[str, list[tuple[Any, ...]]] = {}
        """What QUERIES found in the database as 0.7.1 left it."""
        self.environment = os.environ | conftest.scratch.environment(conftest.worker_number) | {
            "DATABASE_URL": conftest.scratch.database_url(database),
            "SECRET_KEY": recorded("site.json")["secret_key"],
            "SITE_URL": self.url,
            "STATIC_ROOT": str(folder / "static"),
            "WEB_CONCURRENCY": "1",
            "LOG_LEVEL": "WARNING",
        }  # fmt: skip

    def start(self) -> None:
        with psycopg.connect(conftest.scratch.database_url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {self.database}")
        self.execute(recorded("site.sql"))
        self.execute(AS_RECENT)
        self.before = {name: self.rows(with_old_tables(query)) for name, query in QUERIES.items()}
        self.manage(["migrate", "--verbosity", "0"], ["collectstatic", "--verbosity", "0", "--no-input"])
        command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{self.port}"]
        self.server = subprocess.Popen(command, cwd=CODE, env=self.environment)
        while not self._answers():
            assert self.server.poll() is None, "the server has ended"
            time.sleep(0.1)

    def stop(self) -> None:
        if self.server:
            self.server.terminate()
            self.server.wait()
        with psycopg.connect(conftest.scratch.database_url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {self.database} WITH (FORCE)")

    def manage(self, *commands: list[str]) -> str:
        return run_commands(sys.executable, CODE, self.environment, commands)

    def execute(self, statements: str) -> None:
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            connection.execute(statements)  # type: ignore[call-overload]  # the text is ours

    def stored(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return what must be the same before and after an upgrade."""
        return {name: self.rows(query) for name, query in QUERIES.items()}

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            return connection.execute(query, values).fetchall()  # type: ignore[call-overload]

    def _answers(self) -> bool:
        try:
            return urlopen(f"{self.url}/health/live/", timeout=5).status == 200
        except OSError:
            return False

    def send(
        self, method: str, path: str, headers: dict[str, str], cookies: list[dict[str, Any]], body: str | None = None
    ) -> tuple[int, str, bytes]:
        """Send what a page of 0.7.1 sends, with the cookies it has; return status, content type and body."""
        values = {cookie["name"]: cookie["value"] for cookie in cookies}
        all_headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in values.items())}
        all_headers |= {"X-CSRFToken": values.get("factuary_csrf", ""), "Origin": self.url, **headers}
        if body is not None:
            all_headers["Content-Type"] = "application/json"
        request = Request(self.url + path, body.encode() if body is not None else None, all_headers, method=method)
        try:
            with build_opener(NoRedirect).open(request, timeout=60) as answer:
                return answer.status, answer.headers.get("Content-Type", ""), answer.read()
        except HTTPError as answer:
            return answer.code, answer.headers.get("Content-Type", ""), answer.read()


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *arguments: object) -> None:
        return None
