"""Large exports: a job writes the file, which is kept for a week and can be made again.

The parameters are one dictionary for forms, jobs and commands: `what` is ratings, bundle, dataset or published (the
data set in its own format); `format` of ratings; `report`, the public id of a bundle's report; `with_names`.
"""

import hashlib
import tempfile
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import IO, Protocol

from django.core.files import File
from django.db import transaction
from django.db.models import Q

from ..audit import record, record_download
from ..i18n.english import english_pieces
from ..jobs import Progress, Refused
from ..models import Export, Job, Project, Report, User
from ..rating.shown_verdicts import record_all_shown
from ..site.database_clock import database_now
from ..site.file_storage import delete_unnamed_files, deleted_on_error
from .bundle import Bundle, check_data_unchanged
from .datasets import DatasetExport
from .huggingface import HuggingFace
from .ratings import FORMATS, OnWritten, RatingsExport, exported_ratings

EXPORT = "export"
"""The kind of the job."""
RATINGS, BUNDLE, DATASET, PUBLISHED = KINDS = ("ratings", "bundle", "dataset", "published")
RETENTION = timedelta(days=7)
MAX_DIRECT_RATINGS = 20_000  # a longer export is written by a job
PASSES = {BUNDLE: 2}  # how often a kind of file writes every rating; once if absent


class Source(Protocol):
    """A file that is generated while it is read."""

    filename: str
    content_type: str

    def __iter__(self) -> Iterator[bytes]: ...


class EnglishSource:
    """A source whose pieces are generated in English, whatever the active language."""

    def __init__(self, source: Source):
        self.filename, self.content_type = source.filename, source.content_type
        self._source = source

    def __iter__(self) -> Iterator[bytes]:
        return english_pieces(self._source)


def build_source(project: Project, params: dict[str, object], on_written: OnWritten | None = None) -> Source:
    """Return the requested file; `on_written` is called with the number of ratings written so far. Raises Refused with
    the valid choices if it cannot be made.
    """
    kind, with_names = params.get("what", RATINGS), _has_names(params)
    if kind == RATINGS:
        if params.get("format") not in FORMATS:
            raise Refused([f"There is no format {params.get('format')!r}: choose one of {', '.join(FORMATS)}."])
        return RatingsExport(project, str(params["format"]), pseudonymous=not with_names, on_written=on_written)
    if kind == BUNDLE:
        try:
            public_id = uuid.UUID(str(params.get("report")))
        except ValueError:
            raise Refused(["Choose a frozen report for the bundle."]) from None
        report = Report.objects.select_related("project__protocol").filter(project=project, public_id=public_id).first()
        if report is None:
            raise Refused(["This project has no such frozen report."])
        return Bundle(report, with_names=with_names, on_written=on_written)
    if kind == DATASET:
        return HuggingFace(project, with_names=with_names, on_written=on_written)
    if kind == PUBLISHED:
        return DatasetExport(project, project.dataset.format, on_written)
    raise Refused([f"There is no export {kind!r}: choose one of {', '.join(KINDS)}."])


def _has_names(params: dict[str, object]) -> bool:
    return bool(params.get("with_names"))


def download_response(project: Project, params: dict[str, object], *, actor: User) -> Source:
    """Return the requested file for download. Record in the audit who downloads it, and whether with names; and that
    judges' verdicts are shown to them, which every file may have.
    """
    source, with_names = build_source(project, params), _has_names(params)
    record_all_shown(actor, project)
    record_download(actor, f"project:{project.slug}", project=project, name=source.filename, with_names=with_names)
    return EnglishSource(source)


def record_export_download(export: Export, *, actor: User) -> None:
    """Record in the audit who downloads a file of a job, as for `download_response`."""
    project, with_names = export.project, bool(export.job and _has_names(export.job.params))
    record_all_shown(actor, project)
    record_download(actor, f"export:{export.public_id}", project=project, name=export.name, with_names=with_names)


def may_have_names(export: Export) -> bool:
    return export.job is None or _has_names(export.job.params)


WITHOUT_NAMES = Q(job__isnull=False) & ~Q(job__params__contains={"with_names": True})
"""Condition on exports: the opposite of `may_have_names`."""


def check_export(project: Project, params: dict[str, object]) -> None:
    """Raise Refused for a file that cannot be made, before a job is created."""
    source = build_source(project, params)
    if isinstance(source, Bundle):
        check_data_unchanged(source.report)


def is_small(project: Project) -> bool:
    """Return whether the project has few enough ratings to be written within the request."""
    return exported_ratings(project).order_by()[: MAX_DIRECT_RATINGS + 1].count() <= MAX_DIRECT_RATINGS


def export_job(job: Job, progress: Progress) -> dict[str, object]:
    """Write the job's file and return its id. A repeated job whose file is stored keeps that file."""
    if job.project is None:
        raise ValueError(f"job {job.public_id} names no project to export")
    if export := Export.objects.filter(job=job).first():
        return {"export": str(export.public_id)}
    total = exported_ratings(job.project).count() * PASSES.get(job.params.get("what", RATINGS), 1)
    progress(0, total, "Writing ratings")
    source = build_source(job.project, job.params, lambda written: progress(written, total))
    digest = hashlib.sha256()
    with tempfile.TemporaryFile() as file:
        for piece in EnglishSource(source):
            digest.update(piece)
            file.write(piece)
        export = _store(job, source.filename, file, digest.hexdigest(), progress)
    progress(total, total, "Done")
    return {"export": str(export.public_id)}


@transaction.atomic
def _store(job: Job, name: str, file: IO[bytes], digest: str, progress: Progress) -> Export:
    """Store the file of a job: one even if two workers wrote it, and none if the job was canceled."""
    progress.lock_job()
    Job.objects.select_for_update().get(pk=job.pk)
    if export := Export.objects.filter(job=job).first():
        return export
    size = file.tell()
    file.seek(0)
    kind, project = job.params.get("what", RATINGS), job.project
    export = Export(project=project, job=job, kind=kind, name=name, size=size, sha256=digest, made_by=job.started_by)
    export.file.save(str(uuid.uuid4()), File(file), save=False)
    with deleted_on_error([export.file]):
        export.save()
        after = {"name": name, "with_names": _has_names(job.params), "size": size}
        record(job.started_by, "make export", f"export:{export.public_id}", project=job.project, after=after)
    return export


def delete_old_exports() -> int:
    """Delete files older than a week with their rows, and files without a row. Returns how many."""
    old = list(Export.objects.filter(made_at__lt=database_now() - RETENTION))
    for export in old:
        _discard(export)
    named = set(Export.objects.values_list("file", flat=True))
    return len(old) + delete_unnamed_files("exports", named, database_now() - RETENTION)


@transaction.atomic
def delete(export: Export, *, actor: User | None = None) -> None:
    record(actor, "delete export", f"export:{export.public_id}", project=export.project, before={"name": export.name})
    _discard(export)


def _discard(export: Export) -> None:
    """Delete the row, then the file: a file without a row is deleted later, a row without a file would mislead."""
    storage, name = export.file.storage, export.file.name
    export.delete()
    if name:
        transaction.on_commit(lambda: storage.delete(name))
