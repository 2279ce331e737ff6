"""Jobs in the middle of their work: an import, a report freeze and an export, stopped where they are about to store."""

import contextlib
from datetime import timedelta
from pathlib import Path

import psycopg
from django.core.files import File
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import F

from annotation import jobs
from annotation.exporting import export_jobs
from annotation.importing import uploads
from annotation.models import Job, Project, User
from annotation.reporting import FREEZE
from tasks.jobs import enqueue

from .site import Site, wait_until
from .study import LEAD, SYSTEMS, write_rows

IMPORTED_PROMPTS = 300
RESPONSES = IMPORTED_PROMPTS * SYSTEMS
KINDS = (uploads.LOAD_DATASET, FREEZE, export_jobs.EXPORT)
STORED_IN = ("annotation_datasetimport", "annotation_report", "annotation_export")
"""The tables that the kinds write last, in their order."""
WAITING = "SELECT count(DISTINCT relation) FROM pg_locks WHERE NOT granted AND relation = ANY(%s::regclass[])"


def create_jobs(project: Project, folder: Path, kinds: tuple[str, ...] = KINDS) -> list[Job]:
    """Create a job of each kind and send it to the workers."""
    with transaction.atomic():
        created = [_create(kind, project, folder) for kind in kinds]
        for job in created:
            enqueue(job)
    return created


def _create(kind: str, project: Project, folder: Path) -> Job:
    actor = User.objects.get(username=LEAD)
    if kind == FREEZE:
        return jobs.create(FREEZE, project=project, params={"resamples": 1000}, actor=actor)
    if kind == export_jobs.EXPORT:
        return jobs.create(kind, project=project, params={"what": "ratings", "format": "csv"}, actor=actor)
    path = folder / "import.jsonl"
    write_rows(path, IMPORTED_PROMPTS)
    slug = f"{project.slug}-{Job.objects.count()}"
    params = {"format": "jsonl", "slug": slug, "title": "", "subset": "all", "sample": None, "seed": 1}
    with path.open("rb") as file:
        upload = UploadedFile(File(file), path.name, size=path.stat().st_size)
        return uploads.start_import(kind, [upload], params, actor, dry_run=False)


class Hold:
    """Locks that stop jobs where they store their result, until `release` or the end of the database server."""

    def __init__(self, site: Site) -> None:
        self._connection: psycopg.Connection = site.superuser()
        self._connection.execute("BEGIN")
        self._connection.execute(f"LOCK TABLE {', '.join(STORED_IN)} IN SHARE ROW EXCLUSIVE MODE")

    def wait_for_jobs(self, count: int = len(STORED_IN), seconds: float = 120) -> None:
        """Wait until `count` jobs of different kinds are about to store."""
        wait_until(lambda: self._waiting() >= count, f"{count} jobs are about to store", seconds)

    def _waiting(self) -> int:
        row = self._connection.execute(WAITING, [list(STORED_IN)]).fetchone()
        return int(row[0]) if row else 0

    def release(self) -> None:
        with contextlib.suppress(psycopg.Error):
            self._connection.close()


@transaction.atomic
def age_heartbeats() -> None:
    """Let open jobs look as if their worker had been silent for two minutes: a short run does not wait for that. A job
    that stores its result at this moment has locked its row, and is left alone.
    """
    open_jobs = Job.objects.select_for_update(skip_locked=True).filter(state__in=Job.OPEN)
    pks = [job.pk for job in open_jobs]
    two_minutes = timedelta(minutes=2)
    Job.objects.filter(pk__in=pks).update(
        heartbeat_at=F("heartbeat_at") - two_minutes, created_at=F("created_at") - two_minutes
    )
