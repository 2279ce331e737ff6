"""Files to load, the form that uploads them, and a job that has read some."""

from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from annotation import jobs
from annotation.importing import uploads
from annotation.models import Job, User

FIXTURES = Path(__file__).parents[3] / "fixtures"

QASPER = FIXTURES / "qasper" / "papers.json"

JSONL = FIXTURES / "jsonl" / "dataset.jsonl"

RESPONSES = FIXTURES / "responses" / "responses.jsonl"


def file(path: Path, name: str = "") -> SimpleUploadedFile:
    return SimpleUploadedFile(name or path.name, path.read_bytes())


def form(path: Path = QASPER, **changes) -> dict:
    posted = {
        "upload": [file(path)], "format": "qasper", "slug": "papers", "title": "Two papers", "subset": "all",
        "seed": "1",
    }  # fmt: skip
    return {**posted, **changes}


def uploaded_files() -> list[Path]:
    return [path for path in (Path(settings.MEDIA_ROOT) / "uploads").rglob("*") if path.is_file()]


def labels_job(actor: User) -> Job:
    """Return a job that has read the labels of an annotation tool's export."""
    params = {"format": "label-studio", "slug": "more", "title": "", "system": "", "columns": {}, "dry_run": True}
    job = jobs.create(uploads.FIND_LABELS, params=params, actor=actor)
    job.state, job.ended_at = Job.State.DONE, timezone.now()
    job.result = {
        "labels": [["verdict", "Supported", 3], ["note", "", 1]],
        "texts": ["note"],
        "spans": [],
        "annotators": [["maria@example.org", 2]],
        "models": [["model-grader", 1]],
    }
    job.save(update_fields=["state", "ended_at", "result"])
    return job
