"""Loading in the browser, from the upload to the stored rows."""

import gzip
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation import importing
from annotation.jobs import Refused
from annotation.models import AuditEvent, Dataset, DatasetImport, Job, Prompt, Upload
from tasks.app import app
from tests.cast import person
from tests.web.datasets.files import FIXTURES, QASPER, RESPONSES, file, form, uploaded_files
from tests.web.pages import html_of, text_of

pytestmark = pytest.mark.django_db


IMPORT = "/datasets/import/"
PROMPT = b'{"id": "q%d", "text": "What of it?", "document": null}\n'


def checked(ada: Client, sent_jobs: list[int], **changes) -> str:
    """Send the form and let a worker check the files. Return the address of the job."""
    address = ada.post(IMPORT, form(**changes)).url
    app.tasks["tasks.imports.load_dataset"](sent_jobs[0])
    return address


def test_upload_dry_run_confirm_load(ada, sent_jobs):
    address = ada.post(IMPORT, form()).url
    job = Job.objects.get()
    assert address == reverse("import_job", args=[job.public_id])
    assert "Waiting for a worker" in text_of(ada.get(address))
    confirm = reverse("import_confirm", args=[job.public_id])
    page = ada.post(confirm, follow=True)
    assert "Only files that were checked completely can be imported." in text_of(page)
    assert len(sent_jobs) == 1
    app.tasks["tasks.imports.load_dataset"](sent_jobs[0])
    assert Dataset.objects.count() == 0
    page = text_of(ada.get(address))
    assert "Dry run: nothing is stored yet" in page and "Prompts 5" in page and "New records 7" in page

    response = ada.post(confirm)
    assert ada.post(confirm).url == response.url
    assert len(sent_jobs) == 2
    app.tasks["tasks.imports.load_dataset"](sent_jobs[1])
    assert Dataset.objects.get().title == "Two papers"
    assert Prompt.objects.count() == 5
    assert DatasetImport.objects.get().imported_by == person("ada")
    assert AuditEvent.objects.get(action="import dataset").actor == person("ada")
    result_page = ada.get(response.url, follow=True)
    assert result_page.redirect_chain == [("/datasets/papers/", 302)]
    assert "Imported 7 new records." in text_of(result_page)
    assert uploaded_files() == []


def test_a_load_that_waits_can_be_cancelled_and_confirmed_again(ada, sent_jobs):
    checked(ada, sent_jobs)
    confirm = reverse("import_confirm", args=[Job.objects.get().public_id])
    first = ada.post(confirm).url
    job = Job.objects.get(params__dry_run=False)
    page = ada.post(reverse("import_cancel", args=[job.public_id]), follow=True)
    assert "Nothing was stored" in text_of(page)
    app.tasks["tasks.imports.load_dataset"](sent_jobs[1])
    job.refresh_from_db()
    assert (job.state, Dataset.objects.count()) == ("cancelled", 0)
    assert ada.post(confirm).url != first


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"upload": [file(FIXTURES / "qasper" / "broken.json")]}, ["These files cannot be imported", "broken.json:"]),
        ({"subset": "stem-qa-to-the-letter"}, ["leaves no prompt", "in the files: prompts: 5, documents: 2"]),
    ],
)
def test_what_is_wrong_with_the_files_is_shown_and_nothing_is_stored(ada, sent_jobs, changes, words):
    page = text_of(ada.get(checked(ada, sent_jobs, **changes)))
    assert [each for each in words if each not in page] == []
    assert Job.objects.get().problems and not Dataset.objects.exists()


def test_loading_the_same_again_offers_nothing_to_confirm(ada, sent_jobs):
    importing.load_dataset("qasper", [QASPER], "papers")
    page = text_of(ada.get(checked(ada, sent_jobs)))
    assert "would change nothing" in page and "new record" not in page


def test_a_bad_form_is_refused_at_the_field_and_nothing_is_kept(ada, sent_jobs, terns):
    for changes, message in [
        ({"upload": []}, "This field is required"),
        ({"upload": [SimpleUploadedFile("empty.json", b"")]}, "The submitted file is empty"),
        ({"format": "word"}, "not one of the available choices"),
        ({"slug": "two words"}, "letters, numbers, underscores or hyphens"),
        ({"slug": "import"}, "is reserved by the site"),
        ({"slug": "terns"}, "has another format"),
        ({"subset": "the-best"}, "not one of the available choices"),
        ({"format": "jsonl", "subset": "stem-qa", "slug": "new-one"}, "has no rule stem-qa"),
        ({"sample": "0"}, "greater than or equal to 1"),
        ({"seed": ""}, "This field is required"),
        (
            {"upload": [file(QASPER, "論文.json")], "title": "", "slug": ""},
            "Enter a title, or a short name of Latin letters and digits.",
        ),
    ]:
        assert message in text_of(ada.post(IMPORT, form(**changes)))
    assert (Job.objects.count(), Upload.objects.count(), sent_jobs) == (0, 0, [])
    assert uploaded_files() == []


def test_without_title_and_short_name_the_file_names_the_data_set(ada, sent_jobs):
    for title, slug, named in [
        ("", "", ("Papers v0.3-first", "papers-v03-first")),
        ("", "papers", ("", "papers")),
        ("Two papers", "", ("Two papers", "two-papers")),
    ]:
        ada.post(IMPORT, form(upload=[file(QASPER, "Papers v0.3-first.json.gz")], title=title, slug=slug))
        params = Job.objects.latest("pk").params
        assert (params["title"], params["slug"]) == named


def test_no_data_set_takes_the_name_of_a_page():
    with pytest.raises(Refused, match="reserved by the site"):
        importing.load_dataset("qasper", [QASPER], "import")


@pytest.mark.parametrize("address", ["/datasets/import/", "/datasets/terns/responses/"])
def test_files_beyond_the_limit_are_refused_in_words(ada, sent_jobs, terns, settings, address):
    settings.MAX_UPLOAD_MB = 1
    large = SimpleUploadedFile("large.json", b"x" * (1024 * 1024 + 1))
    page = text_of(ada.post(address, form(upload=large)))
    assert "The files are larger than 1 MB in total." in page and "This field is required" not in page
    assert sent_jobs == []
    assert 'value="papers"' in html_of(ada.post(IMPORT, form(upload=large)))  # the rest of the form stays


def test_a_large_file_is_streamed_and_kept_whole(ada, sent_jobs):
    content = b"".join(PROMPT % n for n in range(60_000))  # more than is kept in memory
    ada.post(IMPORT, form(upload=[SimpleUploadedFile("many.jsonl", content)], format="jsonl"))
    upload = Upload.objects.get()
    assert (upload.size, upload.name) == (len(content), "many.jsonl")
    assert Path(upload.file.path).read_bytes() == content


def test_a_forged_upload_is_refused(terns):
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(person("ada", admin=True))
    for address in ("/datasets/import/", "/datasets/terns/responses/"):
        assert forged.post(address, form()).status_code == 403
    assert Upload.objects.count() == 0


@pytest.mark.parametrize(
    ("files", "format", "prompts"),
    [
        ([SimpleUploadedFile(f"{n}.jsonl", PROMPT % n) for n in (1, 2)], "jsonl", 2),
        ([SimpleUploadedFile("papers.json.gz", gzip.compress(QASPER.read_bytes()))], "qasper", 5),
    ],
)
def test_several_files_are_one_data_set_and_a_packed_one_is_read_as_it_is(ada, sent_jobs, files, format, prompts):
    checked(ada, sent_jobs, upload=files, format=format)
    assert Job.objects.get().result["counts"]["prompts"] == prompts


def test_responses_go_the_same_way_and_into_the_projects(ada, sent_jobs, terns):
    before = terns.responses.count()
    response = ada.post("/datasets/terns/responses/", {"upload": file(RESPONSES), "system": ""})
    app.tasks["tasks.imports.load_responses"](sent_jobs[0])
    assert terns.responses.count() == before
    page = text_of(ada.get(response.url))
    assert "Responses for Terns and bees" in page and "Records to import" in page and "First records" in page
    first = Job.objects.get().result["sample"][0]
    assert first["prompt"]["text"] in page
    assert f"{first['responses'][0][0]['system']} {first['responses'][0][1]} sentence" in page
    ada.post(reverse("import_confirm", args=[Job.objects.get().public_id]))
    app.tasks["tasks.imports.load_responses"](sent_jobs[1])
    assert terns.responses.count() > before
    assert terns.imports.filter(kind="responses").count() == 1
