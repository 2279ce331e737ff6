"""A worker that is killed in the middle of an import leaves nothing half stored, and the next one loads everything."""

import json
import os
import signal
from collections.abc import Callable
from datetime import timedelta

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from annotation.importing import uploads
from annotation.models import AuditEvent, Dataset, DatasetImport, Item, Job, Response
from tasks.app import app
from tasks.jobs import JOBS, requeue_stale
from tests.cast import person, signed_in

PROMPTS = 200
ASKED = {"format": "jsonl", "slug": "many", "title": "", "subset": "all", "sample": None, "seed": 1}


def many_prompts() -> SimpleUploadedFile:
    """Create two responses a prompt, two sentences a response."""
    texts = {"tern": "Terns fly far. They nest on sand.", "gull": "Terns stay at home. They nest in trees."}
    responses = [{"system": system, "text": text} for system, text in texts.items()]
    rows = [
        {"id": f"q{n}", "text": f"What of tern {n}?", "document": None, "responses": responses} for n in range(PROMPTS)
    ]
    return SimpleUploadedFile("many.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows).encode())


def load_of(file: SimpleUploadedFile) -> Job:
    """Return the job that loads the file for good."""
    job = uploads.start_import(uploads.LOAD_DATASET, [file], ASKED, person("ada", admin=True))
    Job.objects.filter(pk=job.pk).update(params={**job.params, "dry_run": False})
    return job


def stored() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Dataset, Response, Item, DatasetImport, AuditEvent))


def state_of(job: Job) -> str:
    return Job.objects.get(pk=job.pk).state


def message_of(job: Job) -> str:
    """Return the message that the job's page shows at this moment."""
    page = signed_in("ada").get(reverse("job", args=[job.public_id]), {"format": "json"})
    return page.json()["message"]


def test_the_import_of_a_killed_worker_stores_nothing_and_is_taken_up_as_a_whole(
    start_celery_worker: Callable, wait_until: Callable
):
    job, worker = load_of(many_prompts()), start_celery_worker()
    before = stored()
    with transaction.atomic(), connection.cursor() as cursor:
        # The work waits with all rows in and not committed.
        cursor.execute("LOCK TABLE annotation_datasetimport IN EXCLUSIVE MODE")
        app.send_task(JOBS[job.kind][0], args=[job.pk])
        wait_until(lambda: Job.objects.get(pk=job.pk).done == PROMPTS)
        assert message_of(job) == "storing prompts"
        os.killpg(worker.pid, signal.SIGKILL)
    assert (state_of(job), stored()) == ("running", before)
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    assert "another one starts again within a minute" in message_of(job)
    assert requeue_stale() == 1
    assert message_of(job) == ""  # the page says that it waits for a worker
    app.tasks[JOBS[job.kind][0]](job.pk)
    assert state_of(job) == "done"
    assert stored()[:4] == (1, 2 * PROMPTS, 4 * PROMPTS, 1)
    again = load_of(many_prompts())
    app.tasks[JOBS[job.kind][0]](again.pk)
    assert Job.objects.get(pk=again.pk).result["counts"]["new"] == 0
    assert DatasetImport.objects.count() == 1
