"""Choosing another file keeps what else was chosen."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Job
from tasks import imports as tasks
from tests.web.datasets.files import QASPER, form
from tests.web.pages import html_of, text_of

pytestmark = pytest.mark.django_db

CHOSEN = {"format": "jsonl", "slug": "two-papers", "title": "Two & more", "sample": "3", "seed": "7"}


def test_after_a_failed_check_only_the_files_are_chosen_anew(ada, sent_jobs):
    ada.post(reverse("import_dataset"), form(QASPER, **CHOSEN))
    tasks.load_dataset(sent_jobs[0])
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
