"""Uploaded files: stored for their job, loaded by it, and then deleted.

Loading takes two jobs. The first is a dry run, whose counts an admin reviews; a confirmation creates the second, with
the same files and options. Before them another job reads which labels and annotators an annotation tool's export has,
so that these can be mapped. Files are deleted after the load, or after a week.
"""

import hashlib
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.fields.files import FieldFile

from .. import jobs
from ..jobs import Progress, Refused
from ..models import Dataset, Job, Upload, User
from ..site.database_clock import database_now
from ..site.file_storage import delete_unnamed_files, deleted_on_error, local_file
from .annotator_mapping import annotators_from
from .column_guesses import RowSample, sample_rows
from .column_mapping import columns_from
from .dataset import files_of, load_dataset
from .formats import FORMATS
from .input_files import SourceFile
from .label_mapping import labels_from
from .project_imports import ProjectSource, find_labels, import_project, protocol_named
from .responses import load_responses

LOAD_DATASET = "load_dataset"
LOAD_RESPONSES = "load_responses"
FIND_LABELS = "find_labels"
LOAD_PROJECT = "load_project"
KINDS = (LOAD_DATASET, LOAD_RESPONSES, FIND_LABELS, LOAD_PROJECT)
RETENTION = timedelta(days=7)


@contextmanager
def copied_upload(file: UploadedFile) -> Iterator[SourceFile]:
    """Yield a copy of a file that is read in its request. It has the ending of the sender's name, which is shown."""
    name = file.name or "file"
    with NamedTemporaryFile(suffix="".join(Path(name).suffixes)) as copy:
        for chunk in file.chunks():
            copy.write(chunk)
        copy.flush()
        yield SourceFile(Path(copy.name), name)


def store_upload(file: UploadedFile, actor: User) -> Upload:
    """Store `file` under a generated name; the sender's name is only shown."""
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    name = file.name or "file"
    upload = Upload(name=name[:255], size=file.size or 0, sha256=digest.hexdigest(), uploaded_by=actor)
    upload.file.save(f"{uuid.uuid4()}{'.gz' if name.endswith('.gz') else ''}", file, save=False)
    with deleted_on_error([upload.file]):
        upload.save()
    return upload


@transaction.atomic
def start_import(
    kind: str, files: list[UploadedFile], params: dict[str, Any], actor: User, *, dry_run: bool = True
) -> Job:
    """Return a job that tries the load and rolls it back, or without `dry_run` loads. The caller enqueues it."""
    uploads = store_files(files, actor)
    with deleted_on_error([upload.file for upload in uploads]):
        return import_stored_files(kind, uploads, params, actor, dry_run=dry_run)


@transaction.atomic
def store_files(files: list[UploadedFile], actor: User) -> list[Upload]:
    """Store the files for a later job and return them: all of them, or none if the disk is full."""
    uploads: list[Upload] = []
    stored: list[FieldFile] = []
    with deleted_on_error(stored):
        for file in files:
            uploads.append(store_upload(file, actor))
            stored.append(uploads[-1].file)
    return uploads


@transaction.atomic
def import_stored_files(
    kind: str, uploads: list[Upload], params: dict[str, Any], actor: User, *, dry_run: bool = True
) -> Job:
    """Return the same as `start_import` for stored files."""
    params = {**params, "dry_run": dry_run}
    return jobs.create(kind, params=params, uploads=uploads, actor=actor)


def sample_uploads(uploads: list[Upload], format: str) -> RowSample:
    """Return the first rows of stored files. Raise Refused."""
    with _local_files(uploads) as files:
        return sample_rows(files_of(FORMATS[format], files)[0], FORMATS[format].rows)


@transaction.atomic
def start_load(dry_run_job: Job, actor: User) -> tuple[Job, bool]:
    """Return the job that stores the files of the dry run `dry_run_job`, and whether it is new: a second click gets the
    same one. Raises Refused if the files are deleted.
    """
    Job.objects.select_for_update().get(pk=dry_run_job.pk)
    ended_badly = [Job.State.FAILED, Job.State.CANCELLED]
    begun = Job.objects.filter(params__check=str(dry_run_job.public_id)).exclude(state__in=ended_badly).first()
    if begun:
        return begun, False
    uploads = _complete_uploads(dry_run_job)
    params = {**dry_run_job.params, "dry_run": False, "check": str(dry_run_job.public_id)}
    return jobs.create(dry_run_job.kind, params=params, uploads=uploads, actor=actor), True


def run_import(job: Job, progress: Progress) -> dict[str, Any]:
    """Load the job's files and return the counts. Safe to run twice: stored records are counted and left alone."""
    params = job.params
    columns = columns_from(params["columns"]) if params.get("columns") else None
    common: Any = {"dry_run": params.get("dry_run"), "actor": job.started_by, "progress": progress}
    with _local_files(_complete_uploads(job)) as files:
        if job.kind == FIND_LABELS:
            return find_labels(params["format"], files, columns, params["system"], progress).as_json()
        if job.kind == LOAD_RESPONSES:
            dataset = Dataset.objects.filter(slug=params["slug"]).first()
            if dataset is None:
                raise Refused([f"Data set {params['slug']!r} no longer exists."])
            [source] = files
            format, system = params.get("format", "rows"), params["system"]
            return load_responses(source, dataset, format=format, system=system, **common).details()
        if job.kind == LOAD_PROJECT:
            project = ProjectSource(
                params["format"],
                files,
                columns=columns,
                labels=labels_from(params["labels"]) if params.get("labels") else None,
                annotators=annotators_from(params["annotators"]) if params.get("annotators") is not None else None,
                protocol=protocol_named(params["protocol"]),
                system=params["system"],
            )
            return import_project(project, params["project"], params["slug"], title=params["title"], **common).details()
        choices = {name: params[name] for name in ("title", "subset", "sample", "seed")}
        choices |= {"columns": columns, "system": params.get("system", "")}
        return load_dataset(params["format"], files, params["slug"], **choices, **common).details()


def _complete_uploads(job: Job) -> list[Upload]:
    uploads = list(job.uploads.order_by("pk"))
    if not uploads or not all(upload.file for upload in uploads):
        raise Refused(["The uploaded files have been deleted: upload them again."])
    return uploads


def is_checked(job: Job) -> bool:
    """Return whether the job is a dry run that has ended well, so that its files can be imported."""
    is_dry_run = job.kind in KINDS and job.kind != FIND_LABELS and job.params["dry_run"]
    return is_dry_run and job.state == Job.State.DONE


@contextmanager
def _local_files(uploads: list[Upload]) -> Iterator[list[SourceFile]]:
    with ExitStack() as files:
        yield [SourceFile(files.enter_context(local_file(upload.file)), upload.name) for upload in uploads]


def delete_loaded() -> int:
    """Delete the files of finished loads; the rows stay with name, size and hash."""
    return _delete_files(Upload.objects.filter(jobs__state=Job.State.DONE, jobs__params__dry_run=False))


def delete_old_uploads() -> int:
    """Delete files that were loaded or are a week old, and files without a row. Returns how many."""
    old = Upload.objects.filter(uploaded_at__lt=database_now() - RETENTION)
    named = set(Upload.objects.values_list("file", flat=True))
    unnamed = delete_unnamed_files("uploads", named, database_now() - RETENTION)
    return delete_loaded() + _delete_files(old) + unnamed


def _delete_files(uploads: QuerySet[Upload]) -> int:
    """Delete the files; their rows stay with name, size and hash."""
    discarded = list(uploads.filter(~Q(file="")).distinct())
    for upload in discarded:
        upload.file.delete(save=False)
        upload.file = ""
        upload.save(update_fields=["file"])
    return len(discarded)
