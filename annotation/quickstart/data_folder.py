"""The site's folder before the start: checked for access and space, locked, and cleaned after an earlier run."""

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import psutil

from annotation.quickstart.processes import (
    RecordedProcess,
    started_after_boot,
    stop,
    stop_recorded,
    write_atomically,
)
from annotation.site.quickstart_site import SiteFolder

SPACE_NEEDED_MB = 300


class CannotStart(Exception):
    """Why the site cannot start, in one line with the remedy."""


def make_folder(folder: SiteFolder) -> None:
    try:
        for path in (folder.path, folder.logs, folder.media, folder.static):
            path.mkdir(parents=True, exist_ok=True)
        folder.path.chmod(0o711 if os.geteuid() == 0 else 0o700)
        folder.logs.chmod(0o700)
        folder.media.chmod(0o700)
        write_atomically(folder.path / "README", README)
    except OSError as problem:
        raise CannotStart(
            f"{folder.path} cannot be used ({problem.strerror}): choose a folder you may write to with DATA_DIR=…"
        ) from None
    free = shutil.disk_usage(folder.path).free // 1_000_000
    if free < SPACE_NEEDED_MB:
        raise CannotStart(
            f"{folder.path} has only {free} MB free, and {SPACE_NEEDED_MB} MB are needed: free some space, "
            "or choose another folder with DATA_DIR=…"
        )


README = """A quickstart site of Factuary: its database (postgres/), uploads (media/), logs and secret key.
Deleting this folder deletes the site and every rating in it. Copy it only while the site is stopped.
"""


@contextlib.contextmanager
def lock_folder(folder: SiteFolder, port: int) -> Iterator[None]:
    """Hold the folder's lock, which the kernel releases when this process ends."""
    handle = os.open(folder.lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        owner = ""
        with contextlib.suppress(OSError, ValueError, KeyError):
            holder = json.loads(folder.lock.read_text(encoding="utf-8"))
            owner = f" (process {holder['pid']}, port {holder['port']})"
        raise CannotStart(
            f"a quickstart site is already running in {folder.path}{owner}: stop it, or choose another DATA_DIR=…"
        ) from None
    try:
        os.ftruncate(handle, 0)
        os.write(handle, json.dumps({"pid": os.getpid(), "port": port}).encode())
        yield
    finally:
        os.close(handle)


def refuse_taken_port(port: int) -> None:
    """Raise CannotStart if the port is in use on one of the addresses of `localhost`."""
    for family, address in loopback_addresses():
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except PermissionError:
                raise CannotStart(f"port {port} needs root: choose another with PORT=…, such as 8001") from None
            except OSError:
                raise CannotStart(
                    f"port {port} is taken by another program: choose another with PORT=… "
                    f"(`make demo PORT={port + 1}`), or stop that program"
                ) from None


def loopback_addresses() -> list[tuple[socket.AddressFamily, str]]:
    """Return IPv4's loopback and, if the machine has it, IPv6's."""
    addresses = [(socket.AF_INET, "127.0.0.1")]
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        probe.bind(("::1", 0))
        addresses.append((socket.AF_INET6, "::1"))
    return addresses


def stop_left_processes(folder: SiteFolder) -> list[str]:
    """Stop processes of an earlier run that was killed; return their names. Only call it under the lock."""
    folder.ready.unlink(missing_ok=True)
    stopped = stop_recorded(folder.processes)
    orphan = _postgres_of(folder.postgres)
    if orphan is not None and stop(orphan):
        stopped.append("postgres")
    if _postgres_of(folder.postgres) is None:
        # Another process may have the number in these files by now: PostgreSQL would take it for another server.
        for pattern in ("postmaster.pid", ".s.PGSQL.*"):
            for stale in folder.postgres.glob(pattern):
                stale.unlink()
    return stopped


def _postgres_of(data: Path) -> RecordedProcess | None:
    """Return the PostgreSQL server that runs on this data folder, identified by number, name and arguments."""
    with contextlib.suppress(OSError, ValueError, IndexError, psutil.Error):
        pid = int((data / "postmaster.pid").read_text().splitlines()[0])
        process = psutil.Process(pid)
        if "postgres" in process.name() and str(data.resolve()) in process.cmdline():
            return RecordedProcess("postgres", pid, started_after_boot(process), signal.SIGINT, 20)
    return None


def secret_key(folder: SiteFolder) -> str:
    """Return the secret key, created once: sessions and password links survive a restart."""
    if not folder.secret.exists():
        write_atomically(folder.secret, secrets.token_urlsafe(64))
    return folder.secret.read_text(encoding="utf-8").strip()
