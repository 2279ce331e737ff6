"""Free space of the folders that the site writes to, and errors of a full disk, also of the database server."""

import errno
import shutil
import tempfile
from pathlib import Path

from django.conf import settings
from psycopg.errors import DiskFull

from .outage_filter import causes_of

MEGABYTE = 1 << 20


def free_mb(folder: Path) -> int:
    """Return the free space of a folder's disk in MB; of its nearest parent if the folder does not exist yet."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free // MEGABYTE


def written_folders() -> dict[str, Path]:
    """Return the folders of stored files, unless they are in an object store, and of temporary files, by name."""
    stored = {} if settings.S3_BUCKET else {"uploads and exports": Path(settings.MEDIA_ROOT)}
    return {**stored, "temporary files": Path(tempfile.gettempdir())}


def has_space() -> bool:
    """Return whether one upload of the largest size still fits in each of these folders."""
    return all(free_mb(folder) >= settings.MAX_UPLOAD_MB for folder in written_folders().values())


def is_full_disk(error: BaseException) -> bool:
    """Return whether an error, or one that caused it, says that a folder's disk or quota is full."""
    return any(isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT) for cause in causes_of(error))


def is_full_database_disk(error: BaseException) -> bool:
    """Return whether an error, or one that caused it, says that the disk of the database server is full."""
    return any(isinstance(cause, DiskFull) for cause in causes_of(error))
