"""A PostgreSQL and a Valkey for one run of the tests or benchmarks: fast, empty, in a temporary folder.

To verify a backup, PostgreSQL alone.
"""

import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.quickstart import postgres, valkey
from annotation.quickstart.processes import Children

ROLE, DATABASE = "factuary_scratch", "factuary"
UNSAFE_BUT_FAST = ("fsync=off", "jit=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300")


class TemporaryServices:
    """Addresses known from the start, so that settings can be read before the servers run."""

    def __init__(self, folder: Path, broker_port: int) -> None:
        self.folder = folder
        self.server = postgres.Postgres(folder / "postgres", folder / "postgres")
        # The folder's random name is the password, so that a program that took the port meanwhile is not mistaken for
        # the broker.
        self.broker = valkey.Valkey(folder / "valkey", broker_port, password=folder.name)
        self.children = Children(folder / "processes.json", folder)

    @classmethod
    def new(cls) -> "TemporaryServices":
        # Not TMPDIR: its path can be too long for a socket.
        return cls(Path(tempfile.mkdtemp(prefix="factuary-", dir="/tmp")), valkey.free_port())

    def database_url(self, database: str = DATABASE) -> str:
        return self.server.url(ROLE, database)

    def environment(self, broker_database: int = 0) -> dict[str, str]:
        """Return the variables for settings.py; they override the caller's for another site."""
        return {
            "DJANGO_SETTINGS_MODULE": "annotation.settings",
            "FACTUARY_RUN_AS": "server",
            "DATABASE_URL": self.database_url(),
            "BROKER_URL": self.broker.url(broker_database),
            "SECRET_KEY": "known-to-everybody-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
            "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]",
            "CSRF_TRUSTED_ORIGINS": "",
            "SITE_URL": "http://localhost",
            "LOOPBACK_ONLY": "1",
            "BEHIND_TLS_PROXY": "0",
            "DEBUG": "0",
            "EMAIL_HOST": "",
            "STATIC_ROOT": str(self.folder / "static"),
            "MEDIA_ROOT": str(self.folder / "media"),
        }

    def start(self) -> None:
        (self.folder / "static").mkdir(exist_ok=True)
        self.broker.write_configuration()
        self.children.start("valkey", self.broker.command())
        server = postgres.prepare(self.server.data, UNSAFE_BUT_FAST, report_progress=lambda line: None)
        start_postgres(self.children, server, may_create_databases=True)
        self.broker.wait_until_it_answers(lambda: self.children.is_running("valkey"))

    def remove(self) -> None:
        self.children.stop_all()
        shutil.rmtree(self.folder, ignore_errors=True)


def start_postgres(children: Children, server: postgres.Postgres, *, may_create_databases: bool = False) -> None:
    """Start PostgreSQL, and create the empty database and its role. Raises PostgresProblem."""
    children.start(
        "postgres",
        server.command(),
        folder=server.data,
        account=server.account,
        stop_signal=signal.SIGQUIT,  # kill at once: the data is not needed
    )
    server.wait_until_it_answers(lambda: children.is_running("postgres"))
    server.create_database(ROLE, DATABASE, may_create_databases)


@contextmanager
def temporary_database() -> Iterator[str]:
    """Start PostgreSQL in a new temporary folder (TMPDIR) and return the URL of an empty database. Raises
    PostgresProblem.
    """
    folder = Path(tempfile.mkdtemp(prefix="factuary-"))
    children = Children(folder / "processes.json", folder)
    server: postgres.Postgres | None = None
    try:
        server = postgres.prepare(folder / "postgres", UNSAFE_BUT_FAST, report_progress=lambda line: None)
        start_postgres(children, server)
        yield server.url(ROLE, DATABASE)
    finally:
        children.stop_all()
        if server is not None:
            server.remove_socket_folder()
        shutil.rmtree(folder, ignore_errors=True)
