"""Child processes that are always stopped in order, however their parent ends.

Each child is recorded with the time of its start since boot, so that a later run recognizes it and never ends another
process with the same number. A small guard process waits for its parent's end: `python -m
annotation.quickstart.processes RECORD`. A parent that stops normally removes the record first, so nothing is left to
do. After `kill -9` the guard stops the remaining children.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypedDict

import psutil

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FOLLOW = "FACTUARY_FOLLOW_PARENT"
CODE = Path(__file__).resolve().parents[2]


class RunAs(TypedDict, total=False):
    """Arguments for subprocess that start a program as another user; empty for the current user."""

    user: int
    group: int
    extra_groups: list[str | int]


@dataclass(frozen=True)
class RecordedProcess:
    """A recorded process: enough to recognize it. `started`: seconds since boot, as the clock may be set meanwhile."""

    name: str
    pid: int
    started: float
    stop_signal: int
    patience: float

    def process(self) -> psutil.Process | None:
        """Return the living process, or None if it has ended (or another process has its number)."""
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self.pid)
            # Two seconds are far less than the time after which a number is reused.
            if abs(started_after_boot(process) - self.started) < 2 and process.status() != psutil.STATUS_ZOMBIE:
                return process
        return None


def started_after_boot(process: psutil.Process) -> float:
    """Return the seconds from boot to the start of a process."""
    return float(process.create_time() - psutil.boot_time())


@dataclass
class Children:
    """The children of one site, recorded in `record` at every change, stopped in the reverse order of their start."""

    record: Path
    logs: Path
    running: dict[str, tuple[subprocess.Popen[bytes], RecordedProcess]] = field(default_factory=dict)
    guard: subprocess.Popen[bytes] | None = None

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        account: RunAs | None = None,
        stop_signal: int = signal.SIGTERM,
        patience: float = 10,
    ) -> subprocess.Popen[bytes]:
        """Start a child in its own session: Ctrl-C in the terminal reaches only this process, which stops children in
        order.
        """
        if self.guard is None:
            # In its own session, so that a signal that kills this process group does not reach it.
            self.guard = subprocess.Popen(  # noqa: S603 - a program of the quickstart, its arguments as a list
                [sys.executable, "-m", __name__, str(self.record.resolve())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=CODE,
                start_new_session=True,
            )
        with (self.logs / f"{name}.log").open("ab") as log:
            child = subprocess.Popen(  # noqa: S603 - a program of the quickstart, its arguments as a list
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=None if environment is None else dict(environment),
                start_new_session=True,
                **(account or {}),
            )
        started = started_after_boot(psutil.Process(child.pid))
        self.running[name] = (child, RecordedProcess(name, child.pid, started, stop_signal, patience))
        self._write_down()
        return child

    def ended(self) -> str | None:
        """Return the name of a child that ended by itself, or None."""
        return next((name for name, (child, _) in self.running.items() if child.poll() is not None), None)

    def exit_reason(self, name: str) -> str:
        status = self.running[name][0].returncode
        return f"exit status {status}" if status >= 0 else f"signal {signal.Signals(-status).name}"

    def is_running(self, name: str) -> bool:
        return name in self.running and self.running[name][0].poll() is None

    def stop_descendants(self, name: str) -> None:
        """Stop the remaining children of a child that ended by itself; they are in its session."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.running[name][0].pid, signal.SIGKILL)

    def forget(self, name: str) -> None:
        """Remove a child that has done its work from the record."""
        del self.running[name]
        self._write_down()

    def stop_all(self) -> None:
        for name in reversed(list(self.running)):
            child, recorded = self.running[name]
            stop(recorded)
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(timeout=5)
            del self.running[name]
            self._write_down()
        self.record.unlink(missing_ok=True)
        if self.guard is not None and self.guard.stdin is not None:
            self.guard.stdin.close()
            self.guard.wait(timeout=10)
            self.guard = None

    def last_lines(self, name: str, count: int = 15) -> list[str]:
        with contextlib.suppress(OSError):
            text = (self.logs / f"{name}.log").read_text(encoding="utf-8", errors="replace")
            return text.splitlines()[-count:]
        return []

    def _write_down(self) -> None:
        records = [asdict(recorded) for _, recorded in self.running.values()]
        write_atomically(self.record, json.dumps(records))


def stop(recorded: RecordedProcess) -> bool:
    """Stop one process and its children: terminate, wait, then kill. Return whether it was running."""
    process = recorded.process()
    if process is None:
        return False
    tree = [process]
    with contextlib.suppress(psutil.Error):
        tree += process.children(recursive=True)
    with contextlib.suppress(psutil.Error):
        process.send_signal(recorded.stop_signal)
    _wait_for_end(tree[:1], recorded.patience)
    for remaining in _wait_for_end(tree, 1):
        with contextlib.suppress(psutil.Error):
            remaining.kill()
    _wait_for_end(tree, 5)
    return True


def stop_recorded(record: Path) -> list[str]:
    """Stop the recorded processes of an earlier run, newest first; return the names of those that still ran."""
    stopped = [recorded.name for recorded in reversed(read_record(record)) if stop(recorded)]
    record.unlink(missing_ok=True)
    return stopped


def read_record(record: Path) -> list[RecordedProcess]:
    """Return the record; an incomplete file (full disk) counts as empty."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        return [RecordedProcess(**entry) for entry in json.loads(record.read_text(encoding="utf-8"))]
    return []


def write_atomically(path: Path, text: str, mode: int = 0o600) -> None:
    """Write so that readers see the old file or the new one, never half of one."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8") as file:
        file.write(text)
    new.replace(path)


def _wait_for_end(processes: Sequence[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Wait for their end and return those that still live.

    A zombie has ended: in a container without an init it stays in the process list.
    """
    deadline = time.monotonic() + seconds
    while (living := [process for process in processes if _is_alive(process)]) and time.monotonic() < deadline:
        time.sleep(0.03)
    return living


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Parent:
    """The `make` process that started the site: the site stops when `make` ends or receives a signal to end.

    Ctrl-C and a closed terminal reach the whole process group. But a signal sent to `make` alone does not: GNU make
    passes on SIGTERM only, and after SIGINT or SIGHUP waits until its children end. On Linux its signal mask shows
    that; elsewhere only its end is noticed.
    """

    def __init__(self) -> None:
        self.pid = os.getppid() if os.environ.get(FOLLOW) else None
        self.listened_to = self._listens_to()

    def should_stop(self) -> bool:
        """Return whether the parent has ended, or has received a signal to end that it caught at the start."""
        if self.pid is None:
            return False
        return os.getppid() != self.pid or bool(self.listened_to - self._listens_to())

    def _listens_to(self) -> set[signal.Signals]:
        """Return the signals that the process catches now; one being handled is blocked or reset to its default."""
        try:
            lines = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
        except OSError:
            return set()  # no /proc on this system: nothing is known at the start, so nothing is missed later
        masks = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
        caught, blocked = int(masks["SigCgt"], 16), int(masks["SigBlk"], 16)
        return {number for number in STOP_SIGNALS if (caught & ~blocked) >> (number - 1) & 1}


def wait_until(answers: Callable[[], bool], is_running: Callable[[], bool], seconds: float) -> str | None:
    """Wait for a server; return None when it answers, or why it does not. An ended one never answers."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and is_running():
        if answers():
            return None
        time.sleep(0.05)
    return "did not answer in time" if is_running() else "ended while starting"


def guard(record: Path) -> None:
    """Wait until the parent has ended, which closes standard input, then stop the processes in its record."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    while os.read(sys.stdin.fileno(), 1024):
        pass
    stop_recorded(record)


if __name__ == "__main__":
    guard(Path(sys.argv[1]))
