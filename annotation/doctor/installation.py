"""Checks of settings, folders, backups and the content of the database."""

import os
import time
from datetime import timedelta

from django.conf import settings
from django.core.checks import WARNING, run_checks
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from ..accounts.names import names_to_change
from ..backup.scheduled import backup_folder, stored_backups
from ..jobs import silent_condition
from ..models import Job
from ..site.disk_space import MEGABYTE, free_mb, written_folders
from ..site.environment import SettingsProblem, server_problems
from .finding import Finding, failed, ok, warning

CLOCK_SECONDS = 2.0
SHOWN_NAMES = 10
JOB_WAIT = timedelta(minutes=2)
OLD_BACKUP = timedelta(hours=50)  # two missed ones


def settings_finding() -> Finding:
    """Check what a server reads from the environment, and Django's checks for deployment."""
    try:
        problems = server_problems(os.environ)
    except SettingsProblem as problem:
        problems = [str(problem)]
    if problems:
        return failed("settings", "; ".join(problems), "set them as docs/deploy.md says, for this command too")
    deployment = not settings.LOOPBACK_ONLY
    checks = [check for check in run_checks(include_deployment_checks=deployment) if check.level >= WARNING]
    if checks:
        return warning("settings", "; ".join(f"{check.msg} ({check.id})" for check in checks), "see docs/deploy.md")
    return ok("settings", "complete" if deployment else "complete, for this machine only")


def migrations_finding() -> Finding:
    """Compare the migrations of the database with those of the program."""
    executor = MigrationExecutor(connection)
    applied, migrations = set(executor.loader.applied_migrations), set(executor.loader.graph.nodes)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    missing = [f"{migration.app_label}.{migration.name}" for migration, _backwards in plan]
    apps = {app for app, _name in migrations}
    # Migrations that squashed ones replace may be applied, and are not in the graph.
    replaced = {key for migration in executor.loader.disk_migrations.values() for key in migration.replaces}
    unknown = sorted(f"{app}.{name}" for app, name in applied - migrations - replaced if app in apps)
    if unknown:
        message = f"the database is of a newer version: {', '.join(unknown)}"
        return failed("migrations", message, "start that version, or restore a backup of this one")
    if missing:
        return failed("migrations", f"not applied: {', '.join(missing)}", "run `manage.py migrate`")
    return ok("migrations", f"{len(applied):,} applied")


def clock_finding() -> Finding:
    """Compare the clocks of this machine and of the database server."""
    before = time.time()
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        database = float(cursor.fetchone()[0])
    difference = database - (before + time.time()) / 2
    message = f"the database's clock differs by {difference:+.1f} s"
    if abs(difference) > CLOCK_SECONDS:
        return warning("clocks", message, "synchronize both machines by NTP (timedatectl set-ntp true)")
    return ok("clocks", message)


def jobs_finding() -> Finding:
    waiting = Job.objects.filter(silent_condition(JOB_WAIT), state__in=Job.OPEN).count()
    if waiting:
        return failed(
            "jobs", f"{waiting:,} wait for more than two minutes", "start a worker and beat, and see their logs"
        )
    return ok("jobs", "none waits")


def names_finding() -> Finding:
    """Look for accounts whose names are older than the rules for names."""
    if people := names_to_change():
        shown = ", ".join(repr(person.username) for person in people[:SHOWN_NAMES])
        message = f"{len(people):,} are other accounts' names spelled otherwise, or not possible in an address: {shown}"
        return warning("names", message, "`manage.py rename_user USER NEW_NAME`, or rename them on *People*")
    return ok("names", "each is of one account")


def storage_finding() -> Finding:
    """Store a small file, read it and delete it."""
    content = b"written by manage.py doctor"
    place = f"bucket {settings.S3_BUCKET}" if settings.S3_BUCKET else str(settings.MEDIA_ROOT)
    try:
        name = default_storage.save("doctor/test", ContentFile(content))
        with default_storage.open(name) as file:
            same = file.read() == content
        default_storage.delete(name)
    except OSError as error:
        remedy = (
            "check S3_BUCKET, S3_ENDPOINT_URL and the credentials"
            if settings.S3_BUCKET
            else f"make {settings.MEDIA_ROOT} writable for the user that runs the site (MEDIA_ROOT)"
        )
        return failed("storage", f"no file can be stored: {error.strerror or error}", remedy)
    if not same:
        return failed("storage", "a file reads back differently", f"check {place}")
    return ok("storage", f"{place} is writable")


def disk_finding() -> Finding:
    """Compare free space with the largest upload: an upload needs room as a temporary file and as a stored one."""
    free = {name: (path, free_mb(path)) for name, path in written_folders().items()}
    message = ", ".join(f"{mb:,} MB free for {name} ({path})" for name, (path, mb) in free.items())
    least = min(mb for _path, mb in free.values())
    if least < settings.MAX_UPLOAD_MB:
        return failed("disk", message, f"free space: an upload may have {settings.MAX_UPLOAD_MB:,} MB (MAX_UPLOAD_MB)")
    if least < 4 * settings.MAX_UPLOAD_MB:
        return warning("disk", message, "free space, or enlarge the disk")
    return ok("disk", message)


def backup_finding() -> Finding:
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
    if hours > OLD_BACKUP / timedelta(hours=1):
        return failed("backups", message, "see the worker's log, and run `manage.py backup` now")
    if (free := free_mb(folder)) < 2 * size:
        return warning("backups", f"{message}; {free:,} MB are free", "free space, or keep fewer (BACKUP_KEEP_DAILY)")
    return ok("backups", message)
