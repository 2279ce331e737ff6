"""Starts, monitors and stops a whole site.

Signals only set a flag, which every wait checks: so no child can be lost between its start and its record. The order is
fixed: postgres, valkey, (prepare,) worker, beat, web; stopping is the reverse.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from annotation.quickstart import postgres, valkey
from annotation.quickstart.accounts import ADMIN_ONLY, SAMPLE_ACCOUNTS, starting_points
from annotation.quickstart.data_folder import (
    CannotStart,
    lock_folder,
    loopback_addresses,
    make_folder,
    refuse_taken_port,
    secret_key,
    stop_left_processes,
)
from annotation.quickstart.prepare import ACCOUNT, STEP
from annotation.quickstart.processes import CODE, Children, Parent, write_atomically
from annotation.quickstart.progress import Progress
from annotation.site.quickstart_site import SiteFolder

ROLE = DATABASE = "factuary"
WEB_SECONDS = 180
MAX_REPLACED = 5
REASONS = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM", signal.SIGHUP: "the terminal was closed"}


class AskedToStop(Exception):
    """The user pressed Ctrl-C, sent a signal, or closed the terminal."""


class ChildEnded(Exception):
    """A part of the site ended by itself; the text is its name."""


@dataclass
class Quickstart:
    folder: SiteFolder
    port: int
    with_demo: bool = True
    development: bool = False
    ready_file: Path | None = None
    restored: Path | None = None
    """A backup to restore first, into a folder without data."""
    progress: Progress = field(default_factory=Progress)
    children: Children = field(init=False)
    server: postgres.Postgres | None = None
    broker: valkey.Valkey | None = None
    stop_reason: str | None = None
    environment: dict[str, str] = field(default_factory=dict)
    replaced: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.folder = SiteFolder(self.folder.path.absolute())
        self.children = Children(self.folder.processes, self.folder.logs)
        self.parent = Parent()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def run(self) -> int:
        """Serve until asked to stop; return the exit status."""
        for number in REASONS:
            if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
                continue  # started with nohup: the site must survive the terminal
            signal.signal(number, self._asked_to_stop)
        try:
            make_folder(self.folder)
            with lock_folder(self.folder, self.port):
                return self.run_in_own_folder()
        except CannotStart as problem:
            self.progress.error(str(problem))
            return 1

    def run_in_own_folder(self) -> int:
        try:
            self.start_everything()
            self.announce()
            self.watch()
        except AskedToStop:
            return 0
        except ChildEnded as ended:
            name = str(ended)
            how = self.children.exit_reason(name)
            self.progress.error(f"{name} ended unexpectedly ({how}); {self._last_lines(name)}")
        except (CannotStart, postgres.PostgresProblem, valkey.ValkeyProblem) as problem:
            self.progress.error(str(problem))
        except OSError as problem:
            self.progress.error(f"{problem.strerror}: {problem.filename or self.folder.path}")
        finally:
            self.stop_everything()
        return 1

    # --- Starting ---------------------------------------------------------------------------------------------

    def start_everything(self) -> None:
        stopped = stop_left_processes(self.folder)
        if stopped:
            self.progress.print_line(f"stopped processes of an earlier run: {', '.join(stopped)}")
        refuse_taken_port(self.port)
        with self.progress.step("Database and broker"):
            self.server = postgres.prepare(self.folder.postgres, report_progress=self.progress.print_line)
            self.start_postgres(self.server)
            self.server.wait_until_it_answers(self.is_running)
            self.server.create_database(ROLE, DATABASE)
            self.broker = valkey.prepare(self.folder.valkey)
            self.start_valkey(self.broker)
            self.broker.wait_until_it_answers(self.is_running)
        database_url, broker_url = self.server.url(ROLE, DATABASE), self.broker.url()
        self.environment = self._environment(database_url, broker_url)
        if self.restored:
            with self.progress.step("Restoring the backup"):
                self.restore(self.restored)
        with self.progress.step("Site's data") as detail:
            self.run_once("prepare", detail, "annotation.quickstart.prepare", *(["--demo"] if self.with_demo else []))
        with self.progress.step("Web server, worker and beat"):
            self.start_worker()
            self.start_python("beat", "tasks", "beat")
            self.start_web()
            self.wait_for_web()
        ready = {"url": self.url, "database_url": database_url, "broker_url": broker_url}
        for path in self._ready_files():
            write_atomically(path, json.dumps(ready))

    def start_postgres(self, server: postgres.Postgres) -> None:
        self.children.start(
            "postgres",
            server.command(),
            folder=server.data,
            account=server.account,
            stop_signal=signal.SIGINT,  # "fast": open connections are closed, the data is written
            patience=30,
        )

    def start_valkey(self, broker: valkey.Valkey) -> None:
        self.children.start("valkey", broker.command(), patience=10)

    def _environment(self, database_url: str, broker_url: str) -> dict[str, str]:
        """Return the children's environment: the current one, with the site's settings instead of another site's."""
        return os.environ | {
            "DJANGO_SETTINGS_MODULE": "annotation.settings",
            "FACTUARY_RUN_AS": "server",
            "DATABASE_URL": database_url,
            "BROKER_URL": broker_url,
            "SECRET_KEY": secret_key(self.folder),
            "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]",
            "SITE_URL": self.url,
            "LOOPBACK_ONLY": "1",
            "BEHIND_TLS_PROXY": "0",
            "DEBUG": str(int(self.development)),
            "STATIC_ROOT": str(self.folder.static),
            "MEDIA_ROOT": str(self.folder.media),
            "BACKUP_DIR": str(self.folder.backups),
            "BACKUP_KEEP_DAILY": os.environ.get("BACKUP_KEEP_DAILY") or "3",  # beside the site's data, on one disk
            "BACKUP_KEEP_WEEKLY": os.environ.get("BACKUP_KEEP_WEEKLY") or "2",
            "PYTHONUNBUFFERED": "1",
            "NO_COLOR": "1",
        }

    def restore(self, backup: Path) -> None:
        if self.server is not None and self.server.has_rows(DATABASE, "annotation_user"):
            raise CannotStart(
                f"{self.folder.path} has a site, and nothing was changed: restore into a new folder with DATA_DIR=…, "
                "or start this site without RESTORE=…"
            )
        try:
            self.run_once("restore", lambda step: None, "django", "restore", str(backup.absolute()))
        except ChildEnded:
            reason = self.children.last_lines("restore", 1) or ["see restore.log"]
            raise CannotStart(f"the backup is not restored: {reason[0]}") from None

    def run_once(self, name: str, detail: Callable[[str], None], module: str, *arguments: str) -> None:
        """Run a child that does one thing until it ends, and show its steps."""
        (self.folder.logs / f"{name}.log").unlink(missing_ok=True)
        child = self.start_python(name, module, *arguments)
        while child.poll() is None:
            self._stop_if_asked()
            if steps := [line for line in self.children.last_lines(name) if line.startswith(STEP)]:
                detail(steps[-1].removeprefix(STEP))
            time.sleep(0.1)
        if child.returncode:
            raise ChildEnded(name)
        self.children.forget(name)

    def start_worker(self) -> None:
        module = "annotation.quickstart.reload_worker" if self.development else "tasks"
        self.start_python("worker", module, "worker", patience=15)

    def start_web(self) -> None:
        if self.development:
            self.start_python("web", "django", "runserver", f"127.0.0.1:{self.port}")
        else:
            hosts = [f"[{a}]" if ":" in a else a for _, a in loopback_addresses()]
            self.environment |= {"WEB_HOST": ",".join(hosts), "PORT": str(self.port)}
            self.start_python("web", "gunicorn")

    def wait_for_web(self) -> None:
        deadline = time.monotonic() + WEB_SECONDS
        address = f"http://127.0.0.1:{self.port}/health/ready/"
        while True:
            with (
                contextlib.suppress(OSError, urllib.error.HTTPError),
                urllib.request.urlopen(address, timeout=5) as answer,
            ):
                if answer.status == 200:
                    return
            self.is_running()
            if time.monotonic() > deadline:
                raise CannotStart(f"the web server did not answer in {WEB_SECONDS} s; {self._last_lines('web')}")
            time.sleep(0.1)

    def start_python(self, name: str, module: str, *arguments: str, patience: float = 10) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", module, *arguments]
        return self.children.start(name, command, environment=self.environment, folder=CODE, patience=patience)

    # --- Running ----------------------------------------------------------------------------------------------

    def announce(self) -> None:
        self.progress.print_line(f"\nFactuary is at {self.url}\n")
        lines = self.children.last_lines("prepare")
        names = {line.removeprefix(ACCOUNT) for line in lines if line.startswith(ACCOUNT)}
        accounts = SAMPLE_ACCOUNTS if self.with_demo else ADMIN_ONLY
        for line in starting_points(self.url, [account for account in accounts if account.username in names]):
            self.progress.print_line(f"  {line}")
        self.progress.print_line(f"\n  Data       {self.folder.path}")
        if self.development:
            self.progress.print_line(f"  Logs       {self.folder.logs}")
            self.progress.print_line("\nDEBUG is on. Web server and worker restart when a Python file changes.")
        self.progress.print_line("\nCtrl-C stops it; the data stays.")

    def watch(self) -> None:
        while True:
            while self.restart():
                pass
            self.is_running()
            time.sleep(0.2)

    def restart(self) -> bool:
        """Start a part again that ended by itself, if one has; what it was doing is resumed. Return whether one has.

        After MAX_REPLACED, the end of a part is left to `is_running`, which reports that the site has a problem.
        """
        ended = self.children.ended()
        if self.stop_reason or ended is None or len(self.replaced) == MAX_REPLACED:
            return False
        self.replaced.append(ended)
        self.progress.print_line(f"{ended} ended unexpectedly ({self.children.exit_reason(ended)}); starting it again")
        self.children.stop_descendants(ended)
        match ended:  # without waiting until it answers: others may have ended too
            case "postgres" if self.server is not None:
                self.server.wait_for_old_processes()
                self.start_postgres(self.server)
            case "valkey" if self.broker is not None:
                self.start_valkey(self.broker)
            case "worker":
                self.start_worker()
            case "beat":
                self.start_python("beat", "tasks", "beat")
            case "web":
                self.start_web()
        return True

    def is_running(self) -> bool:
        """Return True while the site runs; raise AskedToStop or ChildEnded otherwise."""
        self._stop_if_asked()
        if ended := self.children.ended():
            raise ChildEnded(ended)
        return True

    def _stop_if_asked(self) -> None:
        if self.parent.should_stop():
            self._ask_to_stop("make was stopped")
        if self.stop_reason:
            raise AskedToStop

    def _asked_to_stop(self, number: int, _frame: FrameType | None) -> None:
        self._ask_to_stop(REASONS[signal.Signals(number)])

    def _ask_to_stop(self, reason: str) -> None:
        self.stop_reason = self.stop_reason or reason

    # --- Stopping ---------------------------------------------------------------------------------------------

    def stop_everything(self) -> None:
        for path in self._ready_files():
            path.unlink(missing_ok=True)
        if self.children.running:
            self.progress.print_line(f"\nStopping ({self.stop_reason})" if self.stop_reason else "\nStopping")
        self.children.stop_all()
        if self.server is not None:
            self.server.remove_socket_folder()
        self.progress.print_line("Stopped.")

    def _ready_files(self) -> Iterator[Path]:
        yield self.folder.ready
        if self.ready_file is not None:
            yield self.ready_file

    def _last_lines(self, name: str) -> str:
        """Return the last lines of a part's log for the end of an error message."""
        lines = self.children.last_lines(name) or ["(nothing was logged)"]
        return "\n  ".join([f"the last lines of {self.folder.logs / name}.log:", *lines])
