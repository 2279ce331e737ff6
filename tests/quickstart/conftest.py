"""Quickstarts as a person starts them: each a process of its own, in a folder of its own, on a free port."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from annotation.quickstart.valkey import free_port
from tests.conftest import CODE


class Started:
    """One running `manage.py quickstart --no-demo`; what it prints goes to `output`."""

    def __init__(self, folder: Path, port: int, output: Path, *options: str) -> None:
        self.folder, self.port, self.output = folder, port, output
        self.ready_file = output.with_suffix(".ready.json")
        # What the suite set for itself must not reach a process that is started as a person would.
        clean = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        command = [sys.executable, "manage.py", "quickstart", "--no-demo", *options, "--port", str(port)]
        command += ["--data-dir", str(folder), "--ready-file", str(self.ready_file)]
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                command, cwd=CODE, env=clean, stdout=file, stderr=subprocess.STDOUT, preexec_fn=heed_signals
            )
        self.family: dict[str, psutil.Process] = {}

    @property
    def text(self) -> str:
        return self.output.read_text()

    @property
    def ready(self) -> dict[str, str]:
        return json.loads(self.ready_file.read_text())

    def until(self, file: Path) -> "Started":
        """Wait for a file of the site as long as the site runs, then note which processes are its parts."""
        while not file.exists():
            assert self.process.poll() is None, self.text
            time.sleep(0.1)
        return self.with_present_family()

    def until_ready(self) -> "Started":
        return self.until(self.ready_file)

    def with_present_family(self) -> "Started":
        self.family = {part["name"]: psutil.Process(part["pid"]) for part in self.recorded()}
        return self

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


class Sites:
    """The sites of a module: tests share the one in the folder "a site", since a new one takes half a minute."""

    def __init__(self, home: Path) -> None:
        self.home, self.started = home, list[Started]()

    def start(self, *options: str, folder: str = "a site", port: int = 0) -> Started:
        output = self.home / f"output-{secrets.token_hex(4)}"
        self.started.append(Started(self.home / folder, port or free_port(), output, *options))
        return self.started[-1]

    def running(self) -> list[Started]:
        return [site for site in self.started if site.process.poll() is None]


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    """Not in tmp_path: pytest closes the folder above that to other users whenever a run begins, and then a PostgreSQL
    that root's quickstart runs as another user could not reach its data any more.
    """
    sites = Sites(Path(tempfile.mkdtemp(prefix="factuary-", dir="/tmp")).resolve())
    yield sites
    for site in sites.running():
        site.end()
    shutil.rmtree(sites.home, ignore_errors=True)


@pytest.fixture
def site(sites: Sites) -> Started:
    """Return the running site of the module; it is started again after a test that ended it."""
    return (sites.running() or [sites.start()])[0].until_ready()
