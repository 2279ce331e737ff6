"""A quickstart as a person starts it: a process of its own, in a folder of its own, on a free port."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from annotation.quickstart.valkey import free_port

CODE = Path(__file__).resolve().parents[2]


class Started:
    """One running `manage.py quickstart --no-demo`; what it prints goes to `output`."""

    def __init__(self, folder: Path, port: int, output: Path, *options: str) -> None:
        self.folder, self.port, self.output = folder, port, output
        self.ready_file = output.with_suffix(".ready.json")
        # What the suite set for itself must not reach a process that is started as a person would.
        clean = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        command = [sys.executable, "manage.py", "quickstart", "--no-demo", *options, "--port", str(port)]
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                [*command, "--data-dir", str(folder), "--ready-file", str(self.ready_file)],
                cwd=CODE,
                env=clean,
                stdout=file,
                stderr=subprocess.STDOUT,
                preexec_fn=heed_signals,
            )
        self.family: dict[str, psutil.Process] = {}

    @property
    def text(self) -> str:
        return self.output.read_text()

    @property
    def ready(self) -> dict[str, str]:
        return json.loads(self.ready_file.read_text())

    def until_ready(self) -> "Started":
        self.until_it_exists(self.ready_file)
        self.family = {p["name"]: psutil.Process(p["pid"]) for p in self.recorded()}
        return self

    def until_it_exists(self, file: Path) -> None:
        """Wait for a file of the site as long as the site runs: how long it takes depends on the machine."""
        while not file.exists():
            assert self.process.poll() is None, self.text
            time.sleep(0.1)

    def recorded(self) -> list[dict]:
        return json.loads((self.folder / "processes.json").read_text())

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait()

    def running_processes(self) -> list[str]:
        """Return the names of its processes that still run; a zombie has ended."""
        return [name for name, process in self.family.items() if lives(process)]


def heed_signals() -> None:
    """Undo what the suite may have inherited: nohup ignores SIGHUP, a shell's background job ignores SIGINT."""
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)


def lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def site_home() -> Iterator[Path]:
    """Return a folder for sites. Tests share its site called "a site": a new one takes half a minute.

    Not tmp_path: pytest closes the folder above that to other users whenever a run begins, and then a PostgreSQL
    that root's quickstart runs as another user could not reach its data any more.
    """
    home = Path(tempfile.mkdtemp(prefix="factuary-", dir="/tmp")).resolve()
    yield home
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def quickstart(site_home: Path, port: int) -> Iterator[Callable[..., Started]]:
    """Return a function that starts a quickstart; one that still runs at the end of the test is stopped."""
    started: list[Started] = []

    def start(*options: str, folder: Path = site_home / "a site", port: int = port) -> Started:
        started.append(Started(folder, port, site_home / f"output-{secrets.token_hex(4)}", *options))
        return started[-1]

    yield start
    for site in started:
        if site.process.poll() is None:
            site.end()
