"""Data sets: what is shown of them, and loading in the browser from the upload to the stored rows."""

import gzip
import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation import importing, jobs
from annotation.importing import uploads
from annotation.jobs import Refused
from annotation.models import AuditEvent, Dataset, Document, Item, Job, Load, Prompt, Response, Upload
from tasks import imports as tasks
from tests.cast import person, study
from tests.web.given import html_of, queries, text_of

pytestmark = pytest.mark.django_db

FIXTURES = Path(__file__).parents[2] / "fixtures"
QASPER = FIXTURES / "qasper" / "papers.json"
JSONL = FIXTURES / "jsonl" / "dataset.jsonl"
RESPONSES = FIXTURES / "responses" / "responses.jsonl"


@pytest.fixture(autouse=True)
def _uploads_of_this_test(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def sent(monkeypatch):
    """Ids of the jobs that were sent to a worker."""
    ids = []
    monkeypatch.setattr("annotation.web.imports.enqueue", lambda job: ids.append(job.pk))
    return ids


@pytest.fixture
def ada(client):
    client.force_login(person("ada", admin=True))
    return client


@pytest.fixture
def terns():
    importing.load_dataset("jsonl", [JSONL], "terns", title="Terns and bees", actor=person("ada", admin=True))
    return Dataset.objects.get(slug="terns")


def file(path: Path, name: str = "") -> SimpleUploadedFile:
    return SimpleUploadedFile(name or path.name, path.read_bytes())


def form(path: Path = QASPER, **changes) -> dict:
    given = {
        "upload": [file(path)],
        "format": "qasper",
        "slug": "papers",
        "title": "Two papers",
        "subset": "all",
        "seed": "1",
    }
    return {**given, **changes}


def uploaded_files() -> list[Path]:
    return [path for path in (Path(settings.MEDIA_ROOT) / "uploads").rglob("*") if path.is_file()]


# --- Looking at them ---------------------------------------------------------------------------------------


def test_the_list_counts_what_is_in_each(ada, terns):
    page = text_of(ada.get("/datasets/"))
    assert "Terns and bees" in page
    assert f'data-label="Prompts">{terns.prompts.count()}<' in html_of(ada.get("/datasets/"))


def test_an_empty_list_says_what_to_do_first(ada):
    assert "No data set yet" in text_of(ada.get("/datasets/"))
    assert reverse("import") in html_of(ada.get("/datasets/"))


def test_a_lead_sees_the_data_sets_of_their_projects_and_cannot_load(client, terns):
    study("june")
    client.force_login(person("lena"))
    page = text_of(client.get("/datasets/"))
    assert "Data set june-data" in page
    assert "Terns and bees" not in page
    assert reverse("import") not in html_of(client.get("/datasets/"))


def test_a_data_set_shows_what_was_loaded_and_what_was_left_out(ada):
    importing.load_dataset("qasper", [QASPER], "papers", subset="stem-qa", actor=person("ada"))
    page = text_of(ada.get("/datasets/papers/"))
    assert "Subset stem-qa: not marked unanswerable by any annotator" in page
    assert "In the files" in page
    assert "No supporting evidence in any annotation" in page
    assert "As published 158 145 5,138" in page
    assert "Not in the subset 3" in page
    assert QASPER.name in page
    assert "papers.json" in page


def test_the_metadata_are_named_as_breakdowns_with_their_values(ada, terns):
    Prompt.objects.update(metadata={})
    for n, prompt in enumerate(terns.prompts.all()[:2]):
        Prompt.objects.filter(pk=prompt.pk).update(metadata={"topic": ["birds", f"t{n}"], "year": 2026})
    page = text_of(ada.get("/datasets/terns/"))
    assert "topic 3 values, in 2 prompts" in page
    assert "year 1 value, in 2 prompts" in page


def test_responses_systems_and_kinds_are_counted(ada, terns):
    page = text_of(ada.get("/datasets/terns/"))
    systems = dict(terns.systems.values_list("name", "pk"))
    assert systems
    for name in systems:
        assert f"{name} {terns.responses.filter(system__name=name).count()}" in page
    assert "heading, only shown" in page


def test_prompts_come_in_pages(ada, terns):
    rows = [Prompt(dataset=terns, key=f"more-{n}", text=f"Question {n}?") for n in range(25)]
    Prompt.objects.bulk_create(rows)
    assert "Page 1 of 2" in text_of(ada.get("/datasets/terns/"))
    assert "Question 24?" in text_of(ada.get("/datasets/terns/?page=2"))
    assert "Question 24?" in text_of(ada.get("/datasets/terns/?page=99"))


def test_a_document_can_be_read(ada):
    importing.load_dataset("qasper", [QASPER], "papers", actor=person("ada"))
    document = Document.objects.order_by("pk").first()
    page = html_of(ada.get(reverse("dataset_document", args=["papers", document.public_id])))
    for section in document.sections:
        for paragraph in section["paragraphs"]:
            assert paragraph["text"].split()[0].strip("$&<>") in page
    assert document.prompts.first().text in text_of(
        ada.get(reverse("dataset_document", args=["papers", document.public_id]))
    )
    assert document.title in text_of(ada.get("/datasets/papers/documents/"))


def test_a_prompt_shows_the_reference_and_every_response_to_admins_and_leads(ada, terns):
    prompt = terns.prompts.get(key="bees-how")
    page = text_of(ada.get(reverse("dataset_prompt", args=["terns", prompt.public_id])))
    assert "Scouts dance for hollows; 30 scouts at one hollow decide." in page
    assert "Never shown to raters" in page
    assert "Wren" in page
    assert "Swarms elect a queen." in page


def test_what_a_model_wrote_is_cleaned(ada, terns):
    response = terns.responses.first()
    Response.objects.filter(pk=response.pk).update(text="<script>alert(1)</script> <img src=x onerror=alert(2)> Bees.")
    html = html_of(ada.get(reverse("dataset_prompt", args=["terns", response.prompt.public_id])))
    assert "<script>alert" not in html
    assert "<img" not in html.split('class="card response"')[1]


def test_three_data_sets_and_prompts_take_as_many_queries_as_one(ada, terns):
    addresses = [
        "/datasets/",
        "/datasets/terns/",
        reverse("dataset_prompt", args=["terns", terns.prompts.first().public_id]),
    ]
    one = [queries(ada, address) for address in addresses]
    for slug in ("june", "july"):
        study(slug, prompts=3)
    importing.load_responses(RESPONSES, terns)
    assert [queries(ada, address) for address in addresses] == one


@pytest.mark.parametrize("name", ["ravi", "otto"])
def test_raters_see_no_data_set_and_no_reference(client, name):
    june = study("june")
    study("other", raters=("otto",))
    client.force_login(person(name))
    prompt = june.responses[0].prompt
    addresses = [
        "/datasets/june-data/",
        "/datasets/june-data/documents/",
        reverse("dataset_document", args=["june-data", prompt.document.public_id]),
        reverse("dataset_prompt", args=["june-data", prompt.public_id]),
    ]
    assert [client.get(address).status_code for address in addresses] == [404] * 4
    assert "june-data" not in html_of(client.get("/datasets/"))


def test_a_prompt_is_not_found_under_another_data_set(ada, terns):
    june = study("june")
    assert ada.get(reverse("dataset_prompt", args=["terns", june.responses[0].prompt.public_id])).status_code == 404


# --- Loading -----------------------------------------------------------------------------------------------


def test_upload_dry_run_confirm_load(ada, sent):
    response = ada.post("/datasets/import/", form())
    checked = Job.objects.get()
    address = reverse("import_job", args=[checked.public_id])
    assert response.url == address
    assert "Waiting for a worker" in text_of(ada.get(address))
    tasks.load_dataset(sent[0])
    assert Dataset.objects.count() == 0
    page = text_of(ada.get(address))
    assert "Dry run: nothing is stored yet" in page
    assert "Prompts 5" in page

    response = ada.post(reverse("import_confirm", args=[checked.public_id]))
    tasks.load_dataset(sent[1])
    assert Dataset.objects.get().title == "Two papers"
    assert Prompt.objects.count() == 5
    assert Load.objects.get().loaded_by == person("ada")
    assert AuditEvent.objects.get(action="import dataset").actor == person("ada")
    there = ada.get(response.url, follow=True)
    assert there.redirect_chain == [("/datasets/papers/", 302)]
    assert "Loaded: 7 new records." in text_of(there)
    assert uploaded_files() == []


def test_confirming_twice_loads_once(ada, sent):
    ada.post("/datasets/import/", form())
    tasks.load_dataset(sent[0])
    confirm = reverse("import_confirm", args=[Job.objects.get().public_id])
    assert ada.post(confirm).url == ada.post(confirm).url
    assert len(sent) == 2


def test_only_what_was_checked_to_the_end_can_be_confirmed(ada, sent):
    ada.post("/datasets/import/", form())
    page = ada.post(reverse("import_confirm", args=[Job.objects.get().public_id]), follow=True)
    assert "Only what was checked to the end can be loaded." in text_of(page)
    assert len(sent) == 1


def test_problems_of_the_file_are_shown_with_file_and_place(ada, sent):
    ada.post("/datasets/import/", form(FIXTURES / "qasper" / "broken.json"))
    tasks.load_dataset(sent[0])
    job = Job.objects.get()
    page = text_of(ada.get(reverse("import_job", args=[job.public_id])))
    assert "This cannot be loaded as it is" in page
    assert job.problems
    assert all(problem.startswith("broken.json") for problem in job.problems)
    assert "broken.json" in page
    assert Dataset.objects.count() == 0


def test_a_rule_that_leaves_nothing_says_what_each_step_left(ada, sent):
    ada.post("/datasets/import/", form(subset="stem-qa-to-the-letter"))
    tasks.load_dataset(sent[0])
    page = text_of(ada.get(reverse("import_job", args=[Job.objects.get().public_id])))
    assert "leaves no prompt" in page
    assert "in the files: 5 on 2 documents" in page


def test_loading_the_same_again_offers_nothing_to_confirm(ada, sent):
    importing.load_dataset("qasper", [QASPER], "papers")
    ada.post("/datasets/import/", form())
    tasks.load_dataset(sent[0])
    page = text_of(ada.get(reverse("import_job", args=[Job.objects.get().public_id])))
    assert "Loading would change nothing" in page
    assert "new record" not in page


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"upload": []}, "This field is required"),
        ({"upload": [SimpleUploadedFile("empty.json", b"")]}, "The submitted file is empty"),
        ({"format": "word"}, "not one of the available choices"),
        ({"slug": "two words"}, "letters, numbers, underscores or hyphens"),
        ({"slug": "import"}, "is taken by the address of this page"),
        ({"slug": "terns"}, "of another format"),
        ({"subset": "the-best"}, "not one of the available choices"),
        ({"format": "jsonl", "subset": "stem-qa", "slug": "new-one"}, "has no rule stem-qa"),
        ({"sample": "0"}, "greater than or equal to 1"),
        ({"seed": ""}, "This field is required"),
    ],
)
def test_a_bad_form_is_refused_at_the_field_and_nothing_is_kept(ada, sent, terns, changes, told):
    assert told in text_of(ada.post("/datasets/import/", form(**changes)))
    assert (Job.objects.count(), Upload.objects.count(), sent) == (0, 0, [])
    assert uploaded_files() == []


def test_no_data_set_takes_the_name_of_a_page():
    with pytest.raises(Refused, match="taken by an address of the site"):
        importing.load_dataset("qasper", [QASPER], "import")


@pytest.mark.parametrize("address", ["/datasets/import/", "/datasets/terns/responses/"])
def test_files_beyond_the_limit_are_refused_in_words(ada, sent, terns, settings, address):
    settings.MAX_UPLOAD_MB = 1
    large = SimpleUploadedFile("large.json", b"x" * (1024 * 1024 + 1))
    page = text_of(ada.post(address, form(upload=large)))
    assert "The files are larger than 1 MB together." in page
    assert "This field is required" not in page
    assert sent == []
    assert 'value="papers"' in html_of(ada.post("/datasets/import/", form(upload=large)))  # the rest of the form stays


def test_a_large_file_is_streamed_and_kept_whole(ada, sent):
    filler = b'{"id": "q%d", "text": "What of it?", "document": null}\n'
    content = b"".join(filler % n for n in range(60_000))  # more than is kept in memory
    ada.post("/datasets/import/", form(upload=[SimpleUploadedFile("many.jsonl", content)], format="jsonl"))
    upload = Upload.objects.get()
    assert (upload.size, upload.name) == (len(content), "many.jsonl")
    assert Path(upload.file.path).read_bytes() == content


def test_a_forged_upload_is_refused(terns):
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(person("ada", admin=True))
    for address in ("/datasets/import/", "/datasets/terns/responses/"):
        assert forged.post(address, form()).status_code == 403
    assert Upload.objects.count() == 0


def test_several_files_are_loaded_as_one_data_set(ada, sent):
    halves = [
        SimpleUploadedFile(f"{k}.jsonl", b'{"id": "q%d", "text": "What?", "document": null}\n' % k) for k in (1, 2)
    ]
    ada.post("/datasets/import/", form(upload=halves, format="jsonl"))
    tasks.load_dataset(sent[0])
    assert Job.objects.get().result["counts"]["prompts"] == 2


def test_a_packed_file_is_read_as_it_is(ada, sent):
    packed = SimpleUploadedFile("papers.json.gz", gzip.compress(QASPER.read_bytes()))
    ada.post("/datasets/import/", form(upload=[packed]))
    tasks.load_dataset(sent[0])
    assert Job.objects.get().result["counts"]["prompts"] == 5


def test_responses_go_the_same_way_and_into_the_projects(ada, sent, terns):
    before = terns.responses.count()
    response = ada.post("/datasets/terns/responses/", {"upload": file(RESPONSES), "system": ""})
    tasks.load_responses(sent[0])
    assert terns.responses.count() == before
    page = text_of(ada.get(response.url))
    assert "Responses for Terns and bees" in page
    assert "What would be loaded" in page
    ada.post(reverse("import_confirm", args=[Job.objects.get().public_id]))
    tasks.load_responses(sent[1])
    assert terns.responses.count() > before
    assert terns.loads.filter(what="responses").count() == 1


def test_responses_to_prompts_that_are_not_there_are_listed(ada, sent, terns):
    unmatched = FIXTURES / "responses" / "unmatched.jsonl"
    response = ada.post("/datasets/terns/responses/", {"upload": file(unmatched), "system": "x"})
    tasks.load_responses(sent[0])
    assert "unmatched.jsonl:" in text_of(ada.get(response.url))


def test_a_waiting_load_can_be_cancelled(ada, sent):
    ada.post("/datasets/import/", form())
    job = Job.objects.get()
    page = ada.post(reverse("import_cancel", args=[job.public_id]), follow=True)
    assert "Nothing was stored" in text_of(page)
    tasks.load_dataset(sent[0])
    job.refresh_from_db()
    assert (job.state, Dataset.objects.count()) == ("cancelled", 0)


def test_a_cancelled_load_can_be_confirmed_again(ada, sent):
    ada.post("/datasets/import/", form())
    tasks.load_dataset(sent[0])
    confirm = reverse("import_confirm", args=[Job.objects.get().public_id])
    first = ada.post(confirm).url
    ada.post(reverse("import_cancel", args=[Job.objects.get(params__dry_run=False).public_id]))
    assert ada.post(confirm).url != first


@pytest.mark.parametrize("name", ["ravi", "lena"])
def test_only_admins_load(client, sent, name, terns):
    study("june")
    job = jobs.create(uploads.LOAD_DATASET, params={"slug": "x", "dry_run": True})
    client.force_login(person(name))
    assert client.get("/datasets/import/").status_code == 403
    assert client.post("/datasets/import/", form()).status_code == 403
    assert client.post("/datasets/june-data/responses/", {"upload": file(RESPONSES)}).status_code == 403
    for step in ("import_confirm", "import_cancel"):
        assert client.post(reverse(step, args=[job.public_id])).status_code == 403
    assert client.get(reverse("import_job", args=[job.public_id])).status_code == 403
    assert Upload.objects.count() == 0


# --- Tidying up --------------------------------------------------------------------------------------------


def test_files_are_deleted_after_a_week_and_not_before(ada, sent):
    ada.post("/datasets/import/", form())
    assert tasks.tidy_uploads() == 0
    assert len(uploaded_files()) == 1
    Upload.objects.update(uploaded_at=timezone.now() - timedelta(days=8))
    assert tasks.tidy_uploads() == 1
    assert uploaded_files() == []
    upload = Upload.objects.get()
    assert (upload.name, bool(upload.file)) == ("papers.json", False)


def test_what_was_checked_cannot_be_loaded_when_its_files_are_gone(ada, sent):
    ada.post("/datasets/import/", form())
    tasks.load_dataset(sent[0])
    Upload.objects.update(uploaded_at=timezone.now() - timedelta(days=8))
    tasks.tidy_uploads()
    page = ada.post(reverse("import_confirm", args=[Job.objects.get().public_id]), follow=True)
    assert "have been deleted meanwhile" in text_of(page)
    assert len(sent) == 1


def test_a_file_without_a_row_is_deleted_after_a_week():
    stray = Path(settings.MEDIA_ROOT) / "uploads" / "2026" / "01" / "stray"
    fresh = stray.with_name("fresh")
    stray.parent.mkdir(parents=True)
    for path in (stray, fresh):
        path.write_text("x")
    week = time.time() - 8 * 24 * 3600
    os.utime(stray, (week, week))
    assert tasks.tidy_uploads() == 1
    assert uploaded_files() == [fresh]


def test_a_load_that_ran_when_its_worker_died_may_run_again(ada, sent):
    ada.post("/datasets/import/", form())
    tasks.load_dataset(sent[0])
    ada.post(reverse("import_confirm", args=[Job.objects.get().public_id]))
    job = Job.objects.get(pk=sent[1])
    uploads.run_load(job, jobs.Progress())  # the first worker stored everything and died before it said so
    tasks.load_dataset(sent[1])
    job.refresh_from_db()
    assert (job.state, job.result["counts"]["new"]) == ("done", 0)
    assert Prompt.objects.count() == 5


def test_kinds_of_items_are_named_in_words(client):
    study("june")
    Item.objects.filter(position=0).update(kind="table_row")
    Item.objects.filter(position=1).update(kind="lead_in")
    client.force_login(person("lena"))
    page = text_of(client.get("/datasets/june-data/"))
    assert "row of a table" in page
    assert "lead-in to a list" in page
    assert "table_row" not in page
