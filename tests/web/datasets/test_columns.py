"""Own rows in the browser: the columns with samples, a preview, the dry run, the load, and the mapping kept with it."""

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Dataset, DatasetImport, Job, Prompt, Upload
from tasks.app import app
from tests.web.datasets.files import file
from tests.web.pages import html_of, text_of

pytestmark = pytest.mark.django_db

ROWS = Path(__file__).parents[3] / "fixtures" / "rows"
ANSWERS = ROWS / "answers.csv"
ARTICLES = [ROWS / "articles" / "terns.pdf", ROWS / "articles" / "bees.txt"]


def upload(client, *paths: Path | SimpleUploadedFile, slug: str = "own"):
    """Send the form. Return the address of the column page."""
    files = [path if isinstance(path, SimpleUploadedFile) else file(path) for path in paths]
    options = {"format": "rows", "slug": slug, "title": "My own", "subset": "all", "seed": "1"}
    return client.post("/datasets/import/", {"upload": files, **options})


def choices(page: str) -> dict[str, str]:
    """Return the selected field of each column, as the page shows it."""
    choices_by_name = {}
    for row in page.replace("<wbr>", "").split('id="name-')[1:]:
        name = row.split(">", 1)[1].split("<", 1)[0].strip()
        choices_by_name[name] = row.split(" selected")[0].rsplit('value="', 1)[1].split('"')[0]
    return choices_by_name


def post(client, address: str, fields: dict[str, str], names: list[str], do: str = "preview"):
    """Send the form of the page at `address` with these fields for the columns."""
    query = dict(pair.split("=") for pair in address.split("?")[1].split("&"))
    columns = {f"column-{n}": fields[name] for n, name in enumerate(names) if name in fields}
    ids = [str(public_id) for public_id in Upload.objects.order_by("pk").values_list("public_id", flat=True)]
    return client.post("/datasets/import/columns/", {**query, "upload": ids, **columns, "do": do})


NAMES = ["question", "article", "kind", "wren_answer", "finch_answer", "note"]
CHOSEN = {
    "question": "prompt", "article": "document_id", "kind": "metadata", "wren_answer": "response",
    "finch_answer": "response", "note": "leave_out",
}  # fmt: skip


def test_the_columns_are_shown_with_samples_a_guess_a_preview_and_what_makes_no_sense(ada, sent_jobs):
    response = upload(ada, ANSWERS, *ARTICLES)
    page = ada.get(response.url)
    assert choices(html_of(page)) == {**CHOSEN, "note": "metadata"}
    text = text_of(page)
    assert "How many fish did terns bring on turbid days?" in text and "Article files: terns.pdf, bees.txt" in text
    assert (Job.objects.count(), Dataset.objects.count(), sent_jobs) == (0, 0, [])
    text = text_of(post(ada, response.url, CHOSEN, NAMES))
    assert "Prompts 3 Responses 5 Systems 2 Documents 2" in text and "Row without a prompt 1" in text
    assert "Response without text 1" in text
    assert "wren_answer 2 sentences to rate" in text.replace("</b>", "")
    assert "kind: number" in text
    page = post(ada, response.url, {**CHOSEN, "question": "metadata"}, NAMES, do="check")
    assert "No column is mapped to the prompt&#x27;s text" in text_of(page)
    assert 'id="check-rows" disabled' in html_of(page)
    assert (Job.objects.count(), sent_jobs) == (0, [])


def test_the_preview_counts_an_article_once_however_rows_name_it(ada, sent_jobs):
    rows = SimpleUploadedFile(
        "own.csv", b"question,answer,about\nWho?,A tern.,terns\nWhere?,There.,articles/terns.pdf\n"
    )
    address = upload(ada, rows, ARTICLES[0]).url
    columns = {"question": "prompt", "answer": "response", "about": "document_id"}
    assert "Prompts 2 Responses 2 Systems 1 Documents 1" in text_of(post(ada, address, columns, list(columns)))


def test_the_mapping_goes_through_the_dry_run_to_the_load_and_is_there_the_next_time(ada, sent_jobs):
    address = upload(ada, ANSWERS, *ARTICLES).url
    response = post(ada, address, CHOSEN, NAMES, do="check")
    app.tasks["tasks.imports.load_dataset"](sent_jobs[0])
    assert Job.objects.get().problems == []
    page = ada.get(response.url)
    assert "Prompts 3" in text_of(page) and "Mapped columns" in text_of(page)
    assert "/datasets/import/columns/?upload=" in html_of(page)
    response = ada.post(reverse("import_confirm", args=[Job.objects.get().public_id]))
    app.tasks["tasks.imports.load_dataset"](sent_jobs[1])
    assert DatasetImport.objects.get().options["columns"]["leave_out"] == ["note"]
    assert Prompt.objects.get(text="How does a swarm decide?").metadata == {"kind": "explanation"}
    assert "Mapped columns" in text_of(ada.get("/datasets/own/"))

    again = upload(ada, ANSWERS, *ARTICLES)
    assert choices(html_of(ada.get(again.url))) == CHOSEN


def test_columns_with_any_name_and_text_are_shown_harmless(ada, sent_jobs):
    name = '<script>alert(1)</script>"&='
    row = {"question": "<img src=x onerror=alert(2)>", name: "So."}
    sent_file = SimpleUploadedFile("d.jsonl", json.dumps(row).encode())
    html = html_of(post(ada, upload(ada, sent_file).url, {"question": "prompt", name: "response"}, ["question", name]))
    assert "<script>alert" not in html and "<img" not in html


def test_a_file_that_cannot_be_read_is_said_at_once_with_its_location(ada, sent_jobs):
    for content, says in [
        (b'{"question": ', "this ends in the middle of a value; it is truncated"),
        (b'{"question" "Why?"}', "is not valid JSON"),
        (b"question,answer\n\xff,b", "is not UTF-8"),
        (b"\xff\xfeq", "is not valid UTF-16"),
        (b"PK\x03\x04", "the workbook is damaged"),
        (b"PAR1", "the Parquet file cannot be read"),
        (b"question,answer\na\n", "the row and the header differ in length (1 and 2 cells)"),
    ]:
        page = text_of(ada.get(upload(ada, SimpleUploadedFile("d.csv", content)).url))
        assert "These files cannot be read" in page and "d.csv:" in page and says in page


def test_articles_alone_are_loaded_without_columns_and_files_that_are_gone_are_said(ada, sent_jobs):
    address = upload(ada, *ARTICLES).url
    assert "The files contain only articles" in text_of(ada.get(address))
    Upload.objects.all().delete()
    assert "The uploaded files have been deleted" in text_of(ada.get(address, follow=True))
