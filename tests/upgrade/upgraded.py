"""A site of 0.7.1, upgraded as an administrator does it: migrate the database, then start this version on it."""

import json
import lzma
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from annotation.quickstart.valkey import free_port
from tests import conftest
from tests.upgrade.commands import run_commands
from tests.upgrade.requests import Answer, send
from tests.upgrade.studies import RECORDED
from tests.web_server import web_server

# What has run out since the recording is as it was then; all else stays as 0.7.1 stored it.
AS_RECENT = """
    UPDATE annotation_place SET expires_at = now() + interval '3 hours'
        WHERE holder_id IS NOT NULL AND finished_at IS NULL;
    UPDATE django_session SET expire_date = now() + interval '14 days';
"""

RENAMED = {
    "annotation_inquiry": "annotation_raterquestion",
    "annotation_mark": "annotation_bookmark",
    "annotation_place": "annotation_slot",
    "why": "reason",
}
"""Tables and columns of 0.7.1 that have another name in this version, as whole words: old name, new name."""

QUERIES = {
    "ratings": """
        SELECT item.public_id::text, person.username, role, answers, comment, evidence, version, counted
        FROM annotation_rating rating JOIN annotation_item item ON item.id = item_id
        JOIN annotation_user person ON person.id = rater_id
        ORDER BY 1, 2, 3
    """,
    "history": "SELECT pgh_label, answers, idempotency_key::text FROM annotation_ratingevent ORDER BY pgh_id",
    "assignments": "SELECT public_id::text, finished_at, released_at FROM annotation_assignment ORDER BY 1",
    "events": "SELECT action, target, after FROM annotation_auditevent ORDER BY id",
    "reports": "SELECT public_id::text, document, figures, data_sha256, frozen_at FROM annotation_report ORDER BY 1",
    "links": "SELECT digest, with_names, note FROM annotation_reportlink ORDER BY 1",
    "questions": "SELECT public_id::text, text, answer FROM annotation_inquiry ORDER BY 1",
    "members": "SELECT project_id, user_id, role FROM annotation_membership ORDER BY 1, 2",
    "guidelines": "SELECT project_id, number, text, note FROM annotation_guidelineversion ORDER BY 1, 2",
    "slots": """
        SELECT slot.project_id, k, holder.public_id::text, slot.finished_at FROM annotation_place slot
        JOIN annotation_assignment holder ON holder.id = slot.holder_id ORDER BY 1, 2, 3
    """,
    "marks": """
        SELECT item.public_id::text, why FROM annotation_mark mark JOIN annotation_item item ON item.id = item_id
        ORDER BY 1
    """,
}


def recorded(name: str) -> Any:
    """Return a recorded file of `fixtures/0.7.1`: the text of SQL, or the parsed JSON."""
    text = lzma.decompress((RECORDED / f"{name}.xz").read_bytes()).decode()
    return text if name.endswith(".sql") else json.loads(text)


def renamed(query: str) -> str:
    """Return a query about 0.7.1's tables as a query about this version's."""
    return re.sub(r"\w+", lambda word: RENAMED.get(word[0], word[0]), query)


OLD, UPGRADED = "site_of_0_7_1", "upgraded_site"
"""Databases that the run makes once: the one that 0.7.1 left, and its migrated copy, of which each site is a copy."""
STATIC = Path(conftest.scratch.folder) / "static files of the upgraded site"


class UpgradedSite:
    """A database of its own on the suite's server, and a web server on it."""

    def __init__(self, database: str) -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.database = database
        self.before: dict[str, list[tuple[Any, ...]]] = {}
        """What QUERIES found in the database as 0.7.1 left it."""
        self.environment = os.environ | conftest.scratch.environment(conftest.worker_number) | {
            "DATABASE_URL": conftest.scratch.database_url(database),
            "SECRET_KEY": recorded("site.json")["secret_key"],
            "SITE_URL": self.url,
            "STATIC_ROOT": str(STATIC),
            "PORT": str(self.port),
            "LOG_LEVEL": "WARNING",
        }  # fmt: skip

    @contextmanager
    def running(self) -> Iterator["UpgradedSite"]:
        self.become_copy_of_upgraded()
        old = UpgradedSite(OLD)
        self.before = {name: old.rows(query) for name, query in QUERIES.items()}
        log = conftest.scratch.folder / f"{self.database}.log"
        with self.removed_afterwards(), web_server(log, **self.environment):
            yield self

    @contextmanager
    def removed_afterwards(self) -> Iterator["UpgradedSite"]:
        try:
            yield self
        finally:
            self.execute_on_server(f"DROP DATABASE {self.database} WITH (FORCE)")

    def become_copy_of_upgraded(self) -> None:
        conftest.make_once(OLD, UpgradedSite(OLD).fill)
        conftest.make_once(UPGRADED, UpgradedSite(UPGRADED).upgrade, source=OLD)
        self.create_database(UPGRADED)

    def create_database(self, source: str = "template1") -> None:
        self.execute_on_server(
            f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)",
            f"CREATE DATABASE {self.database} TEMPLATE {source}",
        )

    def execute_on_server(self, *statements: str) -> None:
        with psycopg.connect(conftest.scratch.database_url(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def fill(self) -> None:
        self.execute(recorded("site.sql"))

    def upgrade(self) -> None:
        self.execute(AS_RECENT)
        self.manage(["migrate", "--verbosity", "0"], ["collectstatic", "--verbosity", "0", "--no-input"])

    def manage(self, *commands: list[str]) -> str:
        return run_commands(sys.executable, conftest.CODE, self.environment, commands)

    def execute(self, statements: str) -> None:
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            connection.execute(statements)  # type: ignore[call-overload]  # the text is ours

    def stored(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return what QUERIES find in the database as this version has it."""
        return {name: self.rows(renamed(query)) for name, query in QUERIES.items()}

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            return connection.execute(query, values).fetchall()  # type: ignore[call-overload]

    def send(self, *request: Any) -> Answer:
        return send(self.url, *request)
