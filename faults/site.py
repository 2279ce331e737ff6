"""A whole site in a temporary folder, whose parts can be killed and started one by one.

PostgreSQL runs with its own durable settings, unlike the tests' servers. Nothing restarts a part here: each scenario
says how long it is gone.
"""

import contextlib
import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import psutil
import psycopg

from annotation.quickstart import postgres, valkey
from annotation.quickstart.processes import Children

from .clocks import Clock
from .disks import SmallDisk

ROOT = Path(__file__).resolve().parents[1]
ROLE = DATABASE = "factuary"
PARTS = ("postgres", "valkey", "worker", "beat", "web")
SECOND_WORKER = "second worker"
WORKER_PROCESSES = 4
# A small disk must not be filled by the log of a busy minute.
POSTGRES_SETTINGS = ("max_wal_size=96MB", "min_wal_size=32MB", "wal_recycle=off")


class Site:
    """The site's folder, addresses and processes. `disks` are the small disks of database and stored files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.broker_port = valkey.free_port(), valkey.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.disks = {"database": SmallDisk(folder / "database", 600), "media": SmallDisk(folder / "media", 48)}
        names = ("programs", "database")
        self.clocks = {name: Clock(folder / "clocks", name) for name in names}
        self.server = postgres.Postgres(folder / "database" / "data", folder / "database" / "data")
        self.broker = valkey.Valkey(folder / "valkey", self.broker_port, secrets.token_urlsafe(24))
        self.children = Children(folder / "processes.json", folder)
        self.secret = secrets.token_urlsafe(64)

    @classmethod
    def new(cls) -> "Site":
        # Not TMPDIR: its path can be too long for a socket.
        folder = Path(tempfile.mkdtemp(prefix="factuary-faults-", dir="/tmp"))
        folder.chmod(0o711)
        return cls(folder)

    def environment(self) -> dict[str, str]:
        """Return the variables for settings.py."""
        return {
            "DJANGO_SETTINGS_MODULE": "annotation.settings",
            "FACTUARY_RUN_AS": "server",
            "DATABASE_URL": self.server.url(ROLE, DATABASE),
            "BROKER_URL": self.broker.url(),
            "SECRET_KEY": self.secret,
            "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]",
            "CSRF_TRUSTED_ORIGINS": "",
            "SITE_URL": self.url,
            "LOOPBACK_ONLY": "1",
            "BEHIND_TLS_PROXY": "0",
            "DEBUG": "0",
            "EMAIL_HOST": "",
            "STATIC_ROOT": str(self.folder / "static"),
            "MEDIA_ROOT": str(self.folder / "media"),
            "BACKUP_DIR": "",
            "API_REQUESTS_PER_MINUTE": "0",
            "WEB_CONCURRENCY": "2",
            "LOG_LEVEL": "INFO",
            "PYTHONUNBUFFERED": "1",
            "NO_COLOR": "1",
        }

    def environment_at(self, address: str) -> dict[str, str]:
        """Return the variables of parts on another host, which reach database and broker at this address."""
        database = f"postgresql://{ROLE}@{address}:5432/{DATABASE}"
        broker = self.broker.url().replace("127.0.0.1", address)
        return os.environ | self.environment() | {"DATABASE_URL": database, "BROKER_URL": broker}

    # --- Start and stop

    def start_services(self) -> None:
        """Create the cluster; start PostgreSQL and Valkey."""
        for disk in self.disks.values():
            disk.mount()
        (self.folder / "static").mkdir()
        self.broker.write_configuration()
        self.server = postgres.prepare(self.server.data, POSTGRES_SETTINGS, report_progress=lambda line: None)
        self.start("postgres", "valkey")
        self.server.create_database(ROLE, DATABASE)

    def start(self, *names: str, clocks: bool = False) -> None:
        """Start parts and wait until they answer. With `clocks` their clocks can be changed."""
        for name in names:
            if not self.children.is_running(name):
                self._run(name, clocks)
        for name in names:
            self._wait(name)

    def remove(self, keep_logs: bool = False) -> None:
        self.children.stop_all()
        self.server.remove_socket_folder()
        for disk in self.disks.values():
            disk.unmount()
        if not keep_logs:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, name: str, clocks: bool) -> None:
        if name == "postgres":
            self.server.wait_for_old_processes()
            variables = os.environ | (self.clocks["database"].variables() if clocks else {})
            self.children.start(
                name, self.server.command(), environment=variables, folder=self.server.data,
                account=self.server.account, stop_signal=signal.SIGINT, patience=30,
            )  # fmt: skip
        elif name == "valkey":
            self.children.start(name, self.broker.command())
        else:
            variables = os.environ | self.environment() | (self.clocks["programs"].variables() if clocks else {})
            self.children.start(name, self._command(name), environment=variables, folder=ROOT, patience=15)

    def _command(self, name: str) -> list[str]:
        if name == "web":
            return [sys.executable, "-m", "gunicorn", f"--bind=127.0.0.1:{self.port}"]
        if name == "beat":
            return [sys.executable, "-m", "tasks", "beat"]
        options = ["--concurrency", str(WORKER_PROCESSES), "--hostname", f"{name.replace(' ', '-')}@faults"]
        return [sys.executable, "-m", "tasks", "worker", *options]

    def _wait(self, name: str) -> None:
        running = lambda: self.children.is_running(name)  # noqa: E731
        if name == "postgres":
            self.server.wait_until_it_answers(running)
        elif name == "valkey":
            self.broker.wait_until_it_answers(running)
        elif name == "web":
            wait_until(self.answers, "the web server answers", 60)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/health/live/", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    # --- Faults

    def kill(self, *names: str) -> None:
        """Send SIGKILL to parts at once, with their children. PostgreSQL's own end when their parent has."""
        processes = [process for name in names for process in self._family(name)]
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        for name in names:
            self.children.running[name][0].wait()

    def stop(self, *names: str) -> None:
        """Stop parts as an administrator does, and wait for their end."""
        for name in names:
            child, recorded = self.children.running[name]
            child.send_signal(recorded.stop_signal)
            child.wait(timeout=60)

    def end(self, name: str) -> None:
        """Stop an additional part for good."""
        self.stop(name)
        self.children.forget(name)

    def suspend(self, name: str) -> None:
        for process in self._family(name):
            process.suspend()

    def resume(self, name: str) -> None:
        for process in self._family(name):
            process.resume()

    def _family(self, name: str) -> list[psutil.Process]:
        process = psutil.Process(self.children.running[name][0].pid)
        return [process] if name == "postgres" else [process, *process.children(recursive=True)]

    def kill_web_process(self) -> None:
        """Kill one of the processes that answer requests; gunicorn starts another."""
        psutil.Process(self.children.running["web"][0].pid).children()[0].kill()

    def kill_backend(self) -> None:
        """Kill the PostgreSQL process that serves one of the site's connections."""
        query = """SELECT pid FROM pg_stat_activity
            WHERE datname = %s AND usename = %s AND backend_type = 'client backend'
            ORDER BY state = 'active' DESC, state_change DESC LIMIT 1"""
        with self.superuser() as connection:
            [[pid]] = connection.execute(query, [DATABASE, ROLE]).fetchall()
        psutil.Process(pid).kill()

    def superuser(self) -> psycopg.Connection:
        return self.server.connect(DATABASE)


def wait_until(condition: object, name: str, seconds: float) -> None:
    """Poll until the condition is true. Raises TimeoutError with its name."""
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds:g} s: {name}")
        time.sleep(0.1)
