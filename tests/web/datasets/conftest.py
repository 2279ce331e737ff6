"""Ada signed in, a loaded data set, and jobs that wait to be run."""

import pytest

from annotation import importing
from annotation.models import Dataset
from tests.cast import person
from tests.web.datasets.files import JSONL


@pytest.fixture(autouse=True)
def _uploads_of_this_test(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def sent_jobs(monkeypatch):
    """Return the ids of the jobs that were sent to a worker."""
    ids = []
    monkeypatch.setattr("annotation.jobs.HEARTBEAT", 60)  # its thread sees nothing of a test's transaction
    for module in ("imports", "columns", "labels"):
        monkeypatch.setattr(f"annotation.web.datasets.{module}.enqueue", lambda job: ids.append(job.pk))
    return ids


@pytest.fixture
def terns():
    importing.load_dataset("jsonl", [JSONL], "terns", title="Terns and bees", actor=person("ada", admin=True))
    return Dataset.objects.get(slug="terns")
