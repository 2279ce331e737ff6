"""Paths of a quickstart site, and the search for a running one by other commands.

Django is not imported here: settings are read through this module.
"""

import fcntl
import json
import os
from dataclasses import dataclass
from pathlib import Path

CLUSTER_LINK = "cluster"
"""Name of the link from a short socket folder to the cluster whose own path is too long for a socket."""


class SiteFolder:
    """The folder of one quickstart site (`DATA_DIR`, .factuary by default)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.postgres = path / "postgres"
        self.valkey = path / "valkey"
        self.static = path / "static"
        self.logs = path / "logs"
        self.media = path / "media"
        self.backups = path / "backups"
        self.secret = path / "secret_key"
        self.ready = path / "ready.json"
        self.processes = path / "processes.json"
        self.lock = path / "lock"


@dataclass(frozen=True)
class RunningSite:
    url: str
    database_url: str
    broker_url: str
    secret_key: str
    media: Path
    backups: Path


def running_site(path: Path) -> RunningSite | None:
    """Return the quickstart site that runs in this folder and answers, or None.

    The ready file alone proves nothing (a killed site leaves it behind); the lock is held only by a living one.
    """
    folder = SiteFolder(path)
    try:
        if not is_locked(folder.lock):
            return None
        ready = json.loads(folder.ready.read_text(encoding="utf-8"))
        return RunningSite(
            ready["url"],
            ready["database_url"],
            ready["broker_url"],
            folder.secret.read_text(encoding="utf-8").strip(),
            folder.media.resolve(),
            folder.backups.resolve(),
        )
    except (OSError, ValueError, KeyError):
        return None


def folders_of_socket(sockets: Path) -> list[Path]:
    """Return possible folders of the site whose database has its socket in this folder: usually the cluster's own,
    within the site's; else a link that replaces a cluster with a long path, and points to it.
    """
    return [sockets.parent, (sockets / CLUSTER_LINK).resolve().parent] if sockets.is_absolute() else []


def is_locked(lock: Path) -> bool:
    """Return whether a living quickstart holds the lock file; the kernel releases it when the process ends."""
    try:
        handle = os.open(lock, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
