"""Files to load, and the form that uploads them."""

from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

FIXTURES = Path(__file__).parents[3] / "fixtures"

QASPER = FIXTURES / "qasper" / "papers.json"

JSONL = FIXTURES / "jsonl" / "dataset.jsonl"

RESPONSES = FIXTURES / "responses" / "responses.jsonl"


def file(path: Path, name: str = "") -> SimpleUploadedFile:
    return SimpleUploadedFile(name or path.name, path.read_bytes())


def form(path: Path = QASPER, **changes) -> dict:
    posted = {
        "upload": [file(path)],
        "format": "qasper",
        "slug": "papers",
        "title": "Two papers",
        "subset": "all",
        "seed": "1",
    }
    return {**posted, **changes}


def uploaded_files() -> list[Path]:
    return [path for path in (Path(settings.MEDIA_ROOT) / "uploads").rglob("*") if path.is_file()]
