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
from tasks import imports as tasks
from tests.cast import person
from tests.web.datasets.files import FIXTURES, QASPER, RESPONSES, file, form, uploaded_files
from tests.web.pages import html_of, text_of

pytestmark = pytest.mark.django_db


def test_upload_dry_run_confirm_load(ada, sent_jobs):
    response = ada.post("/datasets/import/", form())
    checked = Job.objects.get()
    address = reverse("import_job", args=[checked.public_id])
    assert response.url == address
    assert "Waiting for a worker" in text_of(ada.get(address))
    tasks.load_dataset(sent_jobs[0])
    assert Dataset.objects.count() == 0
    page = text_of(ada.get(address))
    assert "Dry run: nothing is stored yet" in page and "Prompts 5" in page and "New records 7" in page

    response = ada.post(reverse("import_confirm", args=[checked.public_id]))
    tasks.load_dataset(sent_jobs[1])
    assert Dataset.objects.get().title == "Two papers"
    assert Prompt.objects.count() == 5
    assert DatasetImport.objects.get().imported_by == person("ada")
    assert AuditEvent.objects.get(action="import dataset").actor == person("ada")
    result_page = ada.get(response.url, follow=True)
    assert result_page.redirect_chain == [("/datasets/papers/", 302)]
    assert "Imported 7 new records." in text_of(result_page)
    assert uploaded_files() == []


def test_confirming_twice_loads_once_and_again_after_a_cancellation(ada, sent_jobs):
    ada.post("/datasets/import/", form())
    tasks.load_dataset(sent_jobs[0])
    confirm = reverse("import_confirm", args=[Job.objects.get().public_id])
    assert ada.post(confirm).url == ada.post(confirm).url
    assert len(sent_jobs) == 2
    first = ada.post(confirm).url
    ada.post(reverse("import_cancel", args=[Job.objects.get(params__dry_run=False).public_id]))
    assert ada.post(confirm).url != first


def test_a_load_that_waits_can_be_cancelled_and_not_be_confirmed(ada, sent_jobs):
    ada.post("/datasets/import/", form())
    page = ada.post(reverse("import_confirm", args=[Job.objects.get().public_id]), follow=True)
    assert "Only files that were checked completely can be imported." in text_of(page)
    assert len(sent_jobs) == 1
    job = Job.objects.get()
    page = ada.post(reverse("import_cancel", args=[job.public_id]), follow=True)
    assert "Nothing was stored" in text_of(page)
    tasks.load_dataset(sent_jobs[0])
    job.refresh_from_db()
    assert (job.state, Dataset.objects.count()) == ("cancelled", 0)


def test_problems_of_the_file_are_shown_with_file_and_line(ada, sent_jobs):
    ada.post("/datasets/import/", form(FIXTURES / "qasper" / "broken.json"))
    tasks.load_dataset(sent_jobs[0])
    job = Job.objects.get()
    page = text_of(ada.get(reverse("import_job", args=[job.public_id])))
    assert "These files cannot be imported" in page
    assert job.problems
    assert all(problem.startswith("broken.json") for problem in job.problems)
    assert "broken.json" in page
    assert Dataset.objects.count() == 0


def test_a_rule_that_leaves_nothing_says_what_each_step_left(ada, sent_jobs):
    ada.post("/datasets/import/", form(subset="stem-qa-to-the-letter"))
    tasks.load_dataset(sent_jobs[0])
    page = text_of(ada.get(reverse("import_job", args=[Job.objects.get().public_id])))
    assert "leaves no prompt" in page and "in the files: prompts: 5, documents: 2" in page


def test_loading_the_same_again_offers_nothing_to_confirm(ada, sent_jobs):
    importing.load_dataset("qasper", [QASPER], "papers")
    ada.post("/datasets/import/", form())
    tasks.load_dataset(sent_jobs[0])
    page = text_of(ada.get(reverse("import_job", args=[Job.objects.get().public_id])))
    assert "would change nothing" in page and "new record" not in page


@pytest.mark.parametrize(
    ("changes", "message"),
    [
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
    ],
)
def test_a_bad_form_is_refused_at_the_field_and_nothing_is_kept(ada, sent_jobs, terns, changes, message):
    assert message in text_of(ada.post("/datasets/import/", form(**changes)))
    assert (Job.objects.count(), Upload.objects.count(), sent_jobs) == (0, 0, [])
    assert uploaded_files() == []


@pytest.mark.parametrize(
    ("names", "title", "slug"),
    [
        ({"title": "", "slug": ""}, "Papers v0.3-first", "papers-v03-first"),
        ({"title": "", "slug": "papers"}, "", "papers"),
        ({"title": "Two papers", "slug": ""}, "Two papers", "two-papers"),
    ],
)
def test_without_title_and_short_name_the_file_names_the_data_set(ada, sent_jobs, names, title, slug):
    ada.post("/datasets/import/", form(upload=[file(QASPER, "Papers v0.3-first.json.gz")], **names))
    params = Job.objects.get().params
    assert (params["title"], params["slug"]) == (title, slug)


def test_a_file_name_without_latin_letters_names_no_data_set(ada, sent_jobs):
    page = ada.post("/datasets/import/", form(upload=[file(QASPER, "論文.json")], title="", slug=""))
    assert "Enter a title, or a short name of Latin letters and digits." in text_of(page)
    assert Job.objects.count() == 0


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
    assert 'value="papers"' in html_of(ada.post("/datasets/import/", form(upload=large)))  # the rest of the form stays


def test_a_large_file_is_streamed_and_kept_whole(ada, sent_jobs):
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


def test_several_files_are_loaded_as_one_data_set(ada, sent_jobs):
    halves = [
        SimpleUploadedFile(f"{k}.jsonl", b'{"id": "q%d", "text": "What?", "document": null}\n' % k) for k in (1, 2)
    ]
    ada.post("/datasets/import/", form(upload=halves, format="jsonl"))
    tasks.load_dataset(sent_jobs[0])
    assert Job.objects.get().result["counts"]["prompts"] == 2


def test_a_packed_file_is_read_as_it_is(ada, sent_jobs):
    packed = SimpleUploadedFile("papers.json.gz", gzip.compress(QASPER.read_bytes()))
    ada.post("/datasets/import/", form(upload=[packed]))
    tasks.load_dataset(sent_jobs[0])
    assert Job.objects.get().result["counts"]["prompts"] == 5


def test_responses_go_the_same_way_and_into_the_projects(ada, sent_jobs, terns):
    before = terns.responses.count()
    response = ada.post("/datasets/terns/responses/", {"upload": file(RESPONSES), "system": ""})
    tasks.load_responses(sent_jobs[0])
    assert terns.responses.count() == before
    page = text_of(ada.get(response.url))
    assert "Responses for Terns and bees" in page and "Records to import" in page and "First records" in page
    first = Job.objects.get().result["sample"][0]
    assert first["prompt"]["text"] in page
    assert f"{first['responses'][0][0]['system']} {first['responses'][0][1]} sentence" in page
    ada.post(reverse("import_confirm", args=[Job.objects.get().public_id]))
    tasks.load_responses(sent_jobs[1])
    assert terns.responses.count() > before
    assert terns.imports.filter(kind="responses").count() == 1


def test_responses_to_prompts_that_are_not_there_are_listed(ada, sent_jobs, terns):
    unmatched = FIXTURES / "responses" / "unmatched.jsonl"
    response = ada.post("/datasets/terns/responses/", {"upload": file(unmatched), "system": "x"})
    tasks.load_responses(sent_jobs[0])
    assert "unmatched.jsonl:" in text_of(ada.get(response.url))
