"""What nobody confirmed is deleted, and what a killed worker left can run again."""

import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from annotation import jobs
from annotation.importing import uploads
from annotation.models import Job, Prompt, Upload
from tasks.app import app
from tasks.schedule import tidy_uploads
from tests.web.datasets.files import form, uploaded_files
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def test_files_are_deleted_after_a_week_and_then_cannot_be_loaded(ada, sent_jobs):
    ada.post("/datasets/import/", form())
    app.tasks["tasks.imports.load_dataset"](sent_jobs[0])
    assert tidy_uploads() == 0
    assert len(uploaded_files()) == 1
    Upload.objects.update(uploaded_at=timezone.now() - timedelta(days=8))
    assert tidy_uploads() == 1
    assert uploaded_files() == []
    upload = Upload.objects.get()
    assert (upload.name, bool(upload.file)) == ("papers.json", False)
    page = ada.post(reverse("import_confirm", args=[Job.objects.get().public_id]), follow=True)
    assert "have been deleted" in text_of(page)
    assert len(sent_jobs) == 1


def test_a_file_without_a_row_is_deleted_after_a_week():
    stray = Path(settings.MEDIA_ROOT) / "uploads" / "2026" / "01" / "stray"
    fresh = stray.with_name("fresh")
    stray.parent.mkdir(parents=True)
    for path in (stray, fresh):
        path.write_text("x")
    week = time.time() - 8 * 24 * 3600
    os.utime(stray, (week, week))
    assert tidy_uploads() == 1
    assert uploaded_files() == [fresh]


def test_a_load_that_ran_when_its_worker_died_may_run_again(ada, sent_jobs):
    ada.post("/datasets/import/", form())
    app.tasks["tasks.imports.load_dataset"](sent_jobs[0])
    ada.post(reverse("import_confirm", args=[Job.objects.get().public_id]))
    job = Job.objects.get(pk=sent_jobs[1])
    uploads.run_import(job, jobs.Progress())  # the first worker stored everything and died before it said so
    app.tasks["tasks.imports.load_dataset"](sent_jobs[1])
    job.refresh_from_db()
    assert (job.state, job.result["counts"]["new"]) == ("done", 0)
    assert Prompt.objects.count() == 5
