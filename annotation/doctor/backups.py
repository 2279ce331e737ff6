"""Check of scheduled backups: the age of the newest, and room for the next."""

from datetime import timedelta

from django.utils import timezone

from ..backup.scheduled import backup_folder, stored_backups
from ..site.disk_space import MEGABYTE, free_mb
from .finding import Finding, failed, ok, warning

OLD = timedelta(hours=50)  # two missed backups


def backup_finding() -> Finding:
    """Look at the newest scheduled backup."""
    folder = backup_folder()
    if folder is None:
        remedy = "set BACKUP_DIR, best on another disk, and copy backups to another machine (docs/backup.md)"
        return warning("backups", "none are scheduled", remedy)
    stored = stored_backups(folder)
    if not stored:
        return warning(
            "backups", f"none in {folder} yet", "the first is written within minutes if beat and a worker run"
        )
    written_at, newest = stored[0]
    size, hours = newest.stat().st_size // MEGABYTE, (timezone.now() - written_at) / timedelta(hours=1)
    message = f"the newest of {len(stored)} is {hours:,.0f} hours old and has {size:,} MB ({folder})"
    if hours > OLD / timedelta(hours=1):
        return failed("backups", message, "see the worker's log, and run `manage.py backup` now")
    if (free := free_mb(folder)) < 2 * size:
        return warning("backups", f"{message}; {free:,} MB are free", "free space, or keep fewer (BACKUP_KEEP_DAILY)")
    return ok("backups", message)
