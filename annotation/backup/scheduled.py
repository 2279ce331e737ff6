"""Backups by schedule into BACKUP_DIR: one a day, of which the newest of some days and weeks are kept."""

import os
import time
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from .. import jobs
from ..jobs import Progress, Refused
from ..models import Job
from ..site.database_clock import database_now
from ..site.file_storage import whole_file
from .archive import PASSPHRASE
from .create import write_backup

BACKUP = "backup"
"""The kind of the job."""
NAME = "factuary-%Y-%m-%dT%H%M%SZ.backup"
RETRY = timedelta(hours=1)  # after a failed attempt
UNFINISHED_SECONDS = 24 * 3600


def backup_folder() -> Path | None:
    """Return the folder of scheduled backups, or None if there is no schedule."""
    return Path(settings.BACKUP_DIR) if settings.BACKUP_DIR else None


def stored_backups(folder: Path) -> list[tuple[datetime, Path]]:
    """Return the time and path of each scheduled backup, newest first. Other files are left alone."""
    times = ((_time_of(path), path) for path in folder.glob("factuary-*"))
    return sorted(((written_at, path) for written_at, path in times if written_at), reverse=True)


def _time_of(path: Path) -> datetime | None:
    try:
        return datetime.strptime(path.name, NAME).replace(tzinfo=UTC)
    except ValueError:
        return None


def last_due(now: datetime) -> datetime:
    """Return the last time at which a backup was due: BACKUP_HOUR of today or of yesterday, in UTC."""
    due = now.astimezone(UTC).replace(hour=settings.BACKUP_HOUR, minute=0, second=0, microsecond=0)
    return due if due <= now else due - timedelta(days=1)


@transaction.atomic
def start_if_due(now: datetime) -> Job | None:
    """Return a new job if no backup was written since it was due, none is being written and none failed lately.

    A site that was off at that hour gets its backup when it is on again.
    """
    folder = backup_folder()
    if folder is None:
        return None
    stored = stored_backups(folder)
    tried = Job.objects.filter(kind=BACKUP)
    recent = tried.filter(state__in=Job.OPEN) | tried.filter(ended_at__gt=now - RETRY)
    if (stored and stored[0][0] >= last_due(now)) or recent.exists():
        return None
    return jobs.create(BACKUP)


def backup_job(job: Job, progress: Progress) -> dict[str, Any]:
    """Write a scheduled backup and delete old ones; run by the Celery task."""
    folder = backup_folder()
    if folder is None:
        raise Refused(["BACKUP_DIR is not set, so there is no folder for backups."])
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / database_now().astimezone(UTC).strftime(NAME)
    with whole_file(path, private=True) as file:
        manifest = write_backup(file, os.environ.get(PASSPHRASE, ""), progress)
    return {
        "name": path.name,
        "size": path.stat().st_size,
        "rows": sum(manifest.rows.values()),
        "files": len(manifest.files),
        "deleted": delete_old(folder),
    }


def delete_old(folder: Path) -> int:
    """Delete backups that are not retained, and parts that killed workers left. Return how many backups."""
    stored = dict(stored_backups(folder))
    retained = select_retained(stored, daily=settings.BACKUP_KEEP_DAILY, weekly=settings.BACKUP_KEEP_WEEKLY)
    old = [path for written_at, path in stored.items() if written_at not in retained]
    parts = [path for path in folder.glob(".factuary-*") if path.stat().st_mtime < time.time() - UNFINISHED_SECONDS]
    for path in (*old, *parts):
        path.unlink(missing_ok=True)
    return len(old)


def select_retained(times: Iterable[datetime], *, daily: int, weekly: int) -> set[datetime]:
    """Return the newest backup, and the newest of each of the last `daily` days and `weekly` weeks that have one."""
    newest_first = sorted(times, reverse=True)
    days: dict[object, datetime] = {}
    weeks: dict[object, datetime] = {}
    for written_at in newest_first:
        days.setdefault(written_at.date(), written_at)
        weeks.setdefault(written_at.isocalendar()[:2], written_at)
    return {*newest_first[:1], *list(days.values())[:daily], *list(weeks.values())[:weekly]}
