"""Choosing another file keeps what else was chosen."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.importing import load_dataset
from annotation.models import Job
from tasks.app import app
from tests.web.datasets.files import FIXTURES, QASPER, file, form
from tests.web.pages import html_of, text_of

pytestmark = pytest.mark.django_db

[LM_EVAL] = (FIXTURES / "lm-eval").glob("*/*.jsonl")
CHOSEN = {"format": "jsonl", "slug": "two-papers", "title": "Two & more", "sample": "3", "seed": "7"}


def test_after_a_failed_check_only_the_files_are_chosen_anew(ada, sent_jobs):
    ada.post(reverse("import_dataset"), form(QASPER, **CHOSEN))
    app.tasks["tasks.imports.load_dataset"](sent_jobs[0])
    page = ada.get(reverse("import_job", args=[Job.objects.get().public_id]))
    assert "These files cannot be imported" in text_of(page)
    assert "Read as Factuary JSON Lines. If it is something else, choose another format." in text_of(page)
    assert "such as CSV or Excel, choose Rows with mapped columns" in text_of(page)
    again = ada.get(page.context["again"])
    assert {name: str(again.context["form"][name].value()) for name in CHOSEN} == CHOSEN
    assert 'name="format" value="jsonl" required' in html_of(again)


def test_another_file_of_own_rows_is_chosen_for_the_same_data_set(ada):
    rows = SimpleUploadedFile("rows.csv", b"question,answer\nWhat is a tern?,A bird.\n")
    columns = ada.get(ada.post(reverse("import_dataset"), form(**CHOSEN | {"upload": [rows], "format": "rows"})).url)
    again = ada.get(columns.context["again"])
    assert {name: str(again.context["form"][name].value()) for name in CHOSEN} == CHOSEN | {"format": "rows"}


def test_logs_are_imported_with_a_name_for_their_system(ada, sent_jobs):
    page = html_of(ada.get(reverse("import_dataset")))
    assert "Logs of evaluation programs" in page and 'value="lm-eval" required' in page
    chosen = {"format": "lm-eval", "slug": "birds", "system": "lapwing"}
    ada.post(reverse("import_dataset"), form(LM_EVAL, **chosen))
    app.tasks["tasks.imports.load_dataset"](sent_jobs[0])
    job = Job.objects.get()
    assert (job.params["system"], job.result["counts"]["responses"]) == ("lapwing", 4)
    again = ada.get(ada.get(reverse("import_job", args=[job.public_id])).context["again"])
    assert again.context["form"]["system"].value() == "lapwing"


def test_a_system_is_dropped_where_the_files_name_it(ada, sent_jobs):
    ada.post(reverse("import_dataset"), form(QASPER, **CHOSEN | {"format": "qasper", "system": "left over"}))
    app.tasks["tasks.imports.load_dataset"](sent_jobs[0])
    assert Job.objects.get().params["system"] == "" and Job.objects.get().state == Job.State.DONE


def test_responses_come_from_logs_too(ada, sent_jobs):
    load_dataset("chat", [FIXTURES / "chat" / "batch_input.jsonl"], "batch")
    posted = {"upload": file(FIXTURES / "chat" / "batch_output.jsonl"), "format": "chat", "system": ""}
    ada.post(reverse("import_responses", args=["batch"]), posted)
    app.tasks["tasks.imports.load_responses"](sent_jobs[0])
    job = Job.objects.get()
    assert job.result["counts"]["responses"] == 1
    assert "Storks nest on roofs." in text_of(ada.get(reverse("import_job", args=[job.public_id])))
