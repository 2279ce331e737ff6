"""PostgreSQL from a wheel, run as an ordinary child process.

The wheel's own launcher starts a daemon that outlives its parent; only its programs are used here, so that the process
that starts the server can also stop it. The server listens on no network address, only on a socket in a folder that no
other user can enter, so local connections need no password.

PostgreSQL refuses to run as root. Started by root, it runs as the system user `pgserver`, which is created if it is
missing; folders above the data and the programs get the permission `o+x` where this user needs it, no more.
"""

import contextlib
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
from psycopg import sql

from annotation.quickstart.processes import RunAs, wait_until
from annotation.site.postgres_programs import MAJOR, PROGRAMS
from annotation.site.quickstart_site import CLUSTER_LINK

SUPERUSER = "postgres"
SYSTEM_USER = "pgserver"
MAX_SOCKET_PATH_LENGTH = 103
"""Bytes that macOS allows for the path of a socket; Linux allows 107."""


class PostgresProblem(Exception):
    """The server cannot be used. The message is one line with the reason and the remedy."""


@dataclass
class Postgres:
    """One cluster: its data folder, its socket folder and the arguments of the server."""

    data: Path
    sockets: Path
    settings: Sequence[str] = ()
    report_progress: Callable[[str], None] = print
    account: RunAs = field(default_factory=RunAs)
    """The system user; "" unless started by root."""

    def url(self, role: str, database: str) -> str:
        return f"postgresql://{role}@/{database}?host={quote(str(self.sockets), safe='')}"

    def command(self) -> list[str]:
        options = [
            "listen_addresses=",
            f"unix_socket_directories={self.sockets}",
            "unix_socket_permissions=0700",
            "timezone=UTC",
            "log_timezone=UTC",
            *self.settings,
        ]
        return [
            str(PROGRAMS / "postgres"),
            "-D",
            str(self.data),
            *(part for o in options for part in ("-c", o)),
        ]

    def create_cluster(self) -> None:
        """Create the data folder unless it contains a cluster. Raises PostgresProblem for another version."""
        if self.version() is not None:
            self.refuse_other_version()
            return
        arguments = ["--auth=trust", "--encoding=UTF8", "--locale=C", "--locale-provider=builtin"]
        arguments += ["--builtin-locale=C.UTF-8", "-U", SUPERUSER, "-D", str(self.data), "--no-instructions"]
        if "fsync=off" in self.settings:
            arguments.append("--no-sync")
        initdb = self.run("initdb", *arguments)
        if initdb.returncode:
            reason = (initdb.stderr.strip() or "no reason given").splitlines()[-1].strip()
            raise PostgresProblem(f"PostgreSQL's data could not be created in {self.data}: {reason}")

    def version(self) -> str | None:
        try:
            return (self.data / "PG_VERSION").read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None

    def refuse_other_version(self) -> None:
        if self.version() != str(MAJOR):
            raise PostgresProblem(
                f"{self.data} holds data of PostgreSQL {self.version()}, and this is PostgreSQL {MAJOR}: "
                f"use another folder (DATA_DIR=…), or move the data with pg_dump (docs/deploy.md)"
            )

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - a program of the embedded PostgreSQL
            [str(PROGRAMS / program), *arguments],
            cwd=self.data.parent,
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=False,
            **self.account,
        )

    def wait_until_it_answers(self, is_running: Callable[[], bool], seconds: float = 60) -> None:
        """Wait for the server. `is_running` returns whether its process lives."""
        if problem := wait_until(self._answers, is_running, seconds):
            raise PostgresProblem(f"PostgreSQL {problem}")

    def _answers(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError), self.connect():
            return True
        return False

    def wait_for_old_processes(self, seconds: float = 20) -> None:
        """Wait until the processes of a killed server have ended: a new one does not start beside them."""
        deadline = time.monotonic() + seconds
        own = {"name": "postgres", "cwd": str(self.data.resolve())}  # the working folder of PostgreSQL's processes
        while any(process.info == own for process in psutil.process_iter(["cwd", "name"])):
            if time.monotonic() > deadline:
                return
            time.sleep(0.1)

    def remove_socket_folder(self) -> None:
        """Remove the short socket folder after the server has stopped."""
        if self.sockets != self.data:
            shutil.rmtree(self.sockets, ignore_errors=True)

    def connect(self, database: str = SUPERUSER) -> psycopg.Connection:
        return psycopg.connect(self.url(SUPERUSER, database), autocommit=True, connect_timeout=5)

    def create_database(self, role: str, database: str, may_create_databases: bool = False) -> None:
        """Create a role without superuser rights and its database, unless they exist."""
        with self.connect() as connection:
            if not _exists(connection, "SELECT 1 FROM pg_roles WHERE rolname = %s", role):
                rights = sql.SQL("CREATEDB" if may_create_databases else "NOCREATEDB")
                statement = sql.SQL("CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEROLE {}")
                connection.execute(statement.format(sql.Identifier(role), rights))
            if not _exists(connection, "SELECT 1 FROM pg_database WHERE datname = %s", database):
                statement = sql.SQL("CREATE DATABASE {} OWNER {}")
                connection.execute(statement.format(sql.Identifier(database), sql.Identifier(role)))

    def has_rows(self, database: str, table: str) -> bool:
        with self.connect(database) as connection:
            if not _exists(connection, "SELECT 1 WHERE to_regclass(%s) IS NOT NULL", table):
                return False
            statement = sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(table))
            return connection.execute(statement).fetchone() is not None


def prepare(data: Path, settings: Sequence[str] = (), report_progress: Callable[[str], None] = print) -> Postgres:
    """Return the cluster of a data folder, ready to start; create folders, cluster and (as root) the system user."""
    data = data.resolve()
    account = _account_for_postgres(report_progress)
    server = Postgres(data, _socket_folder(data), settings, report_progress, account)
    if server.version() is not None:
        server.refuse_other_version()
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if account:
        _give_to_system_user(data, server.sockets, report_progress)
    server.create_cluster()
    return server


def _socket_folder(data: Path) -> Path:
    """Return the data folder itself, or a new short one if its path is too long for a socket."""
    if len(os.fsencode(data / ".s.PGSQL.5432")) <= MAX_SOCKET_PATH_LENGTH:
        return data
    # /tmp itself and not TMPDIR: on macOS that is long too. Only this user can enter the new folder (mode 0700).
    short = Path(tempfile.mkdtemp(prefix="factuary-", dir="/tmp"))
    (short / CLUSTER_LINK).symlink_to(data)
    return short


def _account_for_postgres(report_progress: Callable[[str], None]) -> RunAs:
    if os.geteuid() != 0:
        return {}
    try:
        user = pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        report_progress(
            f"started as root: creating the system user {SYSTEM_USER}, as PostgreSQL refuses to run as root"
        )
        command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_USER]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - a program of the embedded PostgreSQL
        except (OSError, subprocess.CalledProcessError) as problem:
            raise PostgresProblem(
                f"PostgreSQL refuses to run as root and the system user {SYSTEM_USER} could not be created "
                f"({problem}): create it, or start as an ordinary user"
            ) from None
        user = pwd.getpwnam(SYSTEM_USER)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _give_to_system_user(data: Path, sockets: Path, report_progress: Callable[[str], None]) -> None:
    user = pwd.getpwnam(SYSTEM_USER)
    for folder in {data, sockets}:
        os.chown(folder, user.pw_uid, user.pw_gid)
    for path in (*data.parents, *PROGRAMS.parents):
        mode = path.stat().st_mode
        owned = path.stat().st_uid == user.pw_uid
        if not owned and not mode & stat.S_IXOTH:
            path.chmod(mode | stat.S_IXOTH)
            report_progress(f"started as root: PostgreSQL's user may now pass through {path} (chmod o+x)")
    if not (PROGRAMS / "postgres").stat().st_mode & stat.S_IROTH:
        # A strict umask at installation may have restricted the programs to root.
        for path in (PROGRAMS.parent, *PROGRAMS.parent.rglob("*")):
            mode = path.stat().st_mode
            path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))


def _exists(connection: psycopg.Connection, query: str, name: str) -> bool:
    return connection.execute(query, [name]).fetchone() is not None
