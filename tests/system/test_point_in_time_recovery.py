"""Point-in-time recovery as docs/backup.md describes it: archived log, base backup, and a moment between two saves."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from annotation.quickstart import postgres
from annotation.quickstart.processes import Children
from annotation.site.postgres_programs import PROGRAMS
from tests import conftest
from tests.documented_commands import code_blocks, inline_command, replaced
from tests.upgrade.commands import run_commands

SETTINGS, RECOVERY = code_blocks("backup.md", "Point-in-time recovery")
ROLE = DATABASE = "factuary"
RESPONSE = {"system": "tern", "text": "Far."}
PROMPTS = [
    {"id": f"q{n}", "text": "How far?", "document": None, "responses": [{"id": f"r{n}", **RESPONSE}]} for n in range(2)
]


class Cluster:
    """A server of this test's own, in a folder that can be put aside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.children = Children(folder / "processes.json", folder)
        self.server = postgres.prepare(folder / "data", report_progress=lambda line: None)
        for name in ("archive", "base"):
            self.own(folder / name)

    def own(self, path: Path) -> None:
        path.mkdir(mode=0o700, exist_ok=True)
        if self.server.account:
            os.chown(path, int(self.server.account["user"]), int(self.server.account["group"]))

    def start(self) -> None:
        self.children.start(
            "postgres", self.server.command(), folder=self.server.data, account=self.server.account,
            stop_signal=signal.SIGINT, patience=60,
        )  # fmt: skip
        self.server.wait_until_it_answers(lambda: self.children.is_running("postgres"))

    def shell(self, command: str, folder: Path) -> None:
        """Run a documented command as PostgreSQL's user."""
        environment = {"PATH": f"{PROGRAMS}:{os.environ['PATH']}", "PGHOST": str(self.server.sockets)}
        environment |= {"PGUSER": "postgres", "LC_ALL": "C"}
        done = subprocess.run(
            ["sh", "-eu", "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
            **self.server.account,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def rows(self, query: str) -> list[tuple]:
        with psycopg.connect(self.server.url(ROLE, DATABASE)) as connection:
            return connection.execute(query).fetchall()

    def manage(self, *commands: list[str]) -> None:
        environment = os.environ | conftest.scratch.environment(conftest.worker_number)
        environment["DATABASE_URL"] = self.server.url(ROLE, DATABASE)
        run_commands(sys.executable, conftest.CODE, environment, commands)

    def rating_of(self, response: str) -> list[str]:
        """Return the command that stores a rating of a response."""
        path = self.folder / f"{response}.jsonl"
        row = {"response": response, "item": 0, "rater": "ravi", "answers": {"accuracy": "accurate"}}
        path.write_text(json.dumps(row) + "\n")
        return ["import_ratings", str(path), "--project", "june"]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    # Not tmp_path: each run of pytest closes the folder above it to other users, such as PostgreSQL's.
    cluster = Cluster(Path(tempfile.mkdtemp(prefix="factuary-recovery-", dir="/tmp")))
    yield cluster
    cluster.children.stop_all()
    cluster.server.remove_socket_folder()
    shutil.rmtree(cluster.folder)


@pytest.mark.usefixtures("django_db_setup")
def test_a_moment_between_two_saves_is_recovered_by_the_documented_steps(cluster: Cluster) -> None:
    folder = cluster.folder
    archive, base = str(folder / "archive"), str(folder / "base")
    with (cluster.server.data / "postgresql.conf").open("a") as file:
        file.write(replaced(SETTINGS, {"/archive": archive}))
    cluster.start()
    cluster.server.create_database(ROLE, DATABASE)
    (folder / "study.jsonl").write_text("".join(f"{json.dumps(prompt)}\n" for prompt in PROMPTS))
    migrated = conftest.scratch.database_url(conftest.TEMPLATE)  # a copy takes less time than the migrations
    cluster.shell(f"pg_dump --no-owner --no-privileges '{migrated}' | psql -q -U {ROLE} {DATABASE}", folder)
    cluster.manage(
        ["import_dataset", "jsonl", str(folder / "study.jsonl"), "--dataset", "june"],
        ["create_project", "june", "--dataset", "june", "--protocol", "article-accuracy"],
    )
    command = inline_command("backup.md", "pg_basebackup --pgdata")
    cluster.shell(replaced(command, {"/base/": f"{base}/", "$(date +%F)": "2026-01-25"}), folder)

    cluster.manage(cluster.rating_of("r0"))
    time.sleep(0.1)
    [[moment]] = cluster.rows("SELECT now()::text")
    time.sleep(0.1)
    cluster.manage(cluster.rating_of("r1"))
    assert cluster.rows("SELECT count(*) FROM annotation_rating") == [(2,)]
    cluster.children.stop_all()

    cluster.server.data.rename(folder / "data put aside")
    steps = replaced(RECOVERY, {"/base/": f"{base}/", "/archive": archive, "2026-01-31 09:41:00+00": moment})
    cluster.own(cluster.server.data)
    cluster.shell(steps.replace("mkdir -m 700 data && ", ""), folder)
    log_before = len((folder / "postgres.log").read_text())
    cluster.start()
    deadline = time.monotonic() + 60
    while cluster.rows("SELECT pg_is_in_recovery()") != [(False,)]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    log = (folder / "postgres.log").read_text()[log_before:]
    assert "starting point-in-time recovery" in log
    assert "recovery stopping before commit of transaction" in log
    assert cluster.rows("SELECT key FROM annotation_rating JOIN annotation_item i ON i.id = item_id "
                        "JOIN annotation_response r ON r.id = i.response_id") == [("r0",)]  # fmt: skip
    cluster.manage(["check_tallies"], cluster.rating_of("r1"), ["check_tallies"])
