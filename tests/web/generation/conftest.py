"""A data set without responses, an admin who is signed in, and the jobs that are sent to workers."""

import pytest

from annotation import jobs
from annotation.generation import run, token_counts
from annotation.importing import load_dataset
from annotation.model_calls import request_queue
from annotation.models import Dataset
from tests.importing.files import lines, prompt

HOSTILE = "<script>alert(1)</script>"
SAFE = "&lt;script&gt;alert(1)&lt;/script&gt;"
BIRDS = {"id": "birds", "title": "On terns", "sections": [{"heading": "Results", "paragraphs": ["Terns fly far."] * 9}]}


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch):
    monkeypatch.setattr(request_queue, "FIRST_PAUSE", 0.01)


@pytest.fixture
def birds(tmp_path):
    """Return a data set with three prompts about a document and one, q9, without."""
    rows = [prompt(f"q{n}", text=f"What about turbid days, question {n}?", document=BIRDS) for n in range(3)]
    load_dataset("jsonl", [lines(tmp_path / "birds.jsonl", [*rows, prompt("q9")])], "birds")
    return Dataset.objects.get()


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """Return the list of jobs that are sent to a worker."""
    found = []
    monkeypatch.setattr("tasks.generation.enqueue", found.append)
    return found


def work(job):
    """Do the job, as a worker does."""
    jobs.run(job.pk, run.generate_job if job.kind == run.GENERATE_RESPONSES else token_counts.count_tokens_job)
    job.refresh_from_db()
