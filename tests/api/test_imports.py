"""Imports by a program: jobs with a dry run or without."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation import jobs
from annotation.importing import uploads
from annotation.models import Dataset, Job, Project, Rating, Upload
from tests.api.clients import send
from tests.importing.files import FIXTURES

pytestmark = pytest.mark.django_db
ROW = {"id": "q1", "text": "What of terns?", "document": None, "responses": [{"system": "heron", "text": "They fly."}]}


def rows_file(name: str = "rows.jsonl", **changes: object) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, (json.dumps(ROW | changes) + "\n").encode())


def run(job: dict[str, object]) -> Job:
    stored = Job.objects.get(public_id=job["id"])
    jobs.run(stored.pk, uploads.run_import)
    return Job.objects.get(pk=stored.pk)


def test_a_data_set_is_imported_in_one_job(ada):
    form = {"upload": [rows_file(), rows_file("more.jsonl", id="q2")], "format": "jsonl", "slug": "terns"}
    answer = ada.post("/api/v1/imports/", form)
    assert answer.status_code == 202 and answer["Location"].endswith(f"/api/v1/jobs/{answer.json()['id']}/")
    run(answer.json())
    status, job = send(ada, "GET", f"jobs/{answer.json()['id']}/")
    assert (status, job["state"], job["result"]["counts"]["prompts"]) == (200, "done", 2)
    assert Dataset.objects.get().prompts.count() == 2
    [record] = send(ada, "GET", "datasets/terns/imports/")[1]["results"]
    assert (record["counts"]["responses"], record["imported_by"]) == (2, "ada")


def test_a_dry_run_stores_nothing_until_it_is_confirmed(ada):
    form = {"upload": rows_file(), "format": "jsonl", "slug": "terns", "dry_run": "true"}
    checked = ada.post("/api/v1/imports/", form).json()
    assert send(ada, "POST", f"imports/{checked['id']}/confirm/")[0] == 409  # not checked yet
    assert run(checked).result["counts"]["prompts"] == 1
    assert not Dataset.objects.exists()
    status, job = send(ada, "POST", f"imports/{checked['id']}/confirm/")
    assert status == 202
    assert send(ada, "POST", f"imports/{checked['id']}/confirm/")[1]["id"] == job["id"]
    run(job)
    assert Dataset.objects.get().slug == "terns"


def test_rows_are_imported_with_columns_that_are_named_or_guessed(ada):
    text = b"question,answer,model\nWhat of terns?,They fly.,heron\n"
    for columns in ('{"prompt": "question", "response": "answer", "system": "model"}', None):
        form = {"upload": SimpleUploadedFile("rows.csv", text), "format": "rows", "slug": "terns"}
        job = run(ada.post("/api/v1/imports/", form | ({"columns": columns} if columns else {})).json())
        assert job.state == "done", job.problems
    assert Dataset.objects.get().responses.get().system.name == "heron"
    assert job.result["counts"]["new"] == 0


LABELED = {"format": "label-studio", "slug": "terns", "project": "terns"}


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"upload": None}, "upload", ""),
        ({"format": "nothing"}, "format", ""),
        ({"slug": "a b"}, "slug", ""),
        ({"slug": "import"}, "slug", ""),
        ({"columns": "{"}, "columns", ""),
        ({"columns": '{"nothing": "x"}'}, "columns", ""),
        ({"sample": "0"}, "sample", ""),
        ({**LABELED, "labels": "[1]"}, "labels", "must be an object that names labels by field"),
        ({**LABELED, "labels": "{"}, "labels", "valid JSON"),
        ({**LABELED, "annotators": '{"a": 1}'}, "annotators", "names a user for each annotator"),
        ({**LABELED, "project": "", "protocol": "article-accuracy"}, "protocol", "name it in `project`"),
        ({**LABELED, "format": "rows"}, "project", "Annotations are imported from: label-studio"),
        ({**LABELED, "sample": "3"}, "sample", "A project is imported completely"),
    ],
)
def test_a_wrong_import_is_refused_at_the_field(changes, field, message, ada):
    form = {"upload": rows_file(), "format": "rows", "slug": "terns"} | changes
    answer = ada.post("/api/v1/imports/", {name: value for name, value in form.items() if value is not None})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    assert message in str(answer.json()["errors"][field])
    assert not Upload.objects.exists()


def test_files_above_the_limit_are_refused(settings, ada):
    settings.MAX_UPLOAD_MB = 1
    form = {"upload": SimpleUploadedFile("rows.jsonl", b"x" * 1_100_000), "format": "jsonl", "slug": "terns"}
    answer = ada.post("/api/v1/imports/", form)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["upload"])


def test_responses_are_imported_and_a_repeated_request_imports_once(ada, june):
    rows = b'{"prompt": "q1", "system": "plover", "text": "They nest."}\n'
    address, key = "/api/v1/datasets/june-data/responses/imports/", {"Idempotency-Key": "one"}
    answers = [
        ada.post(address, {"upload": SimpleUploadedFile("more.jsonl", rows)}, headers=key).json() for _ in range(2)
    ]
    assert answers[0] == answers[1] and Job.objects.count() == 1
    assert run(answers[0]).result["counts"]["new"] == 1
    other = ada.post(address, {"upload": SimpleUploadedFile("more.jsonl", rows + rows)}, headers=key)
    assert other.status_code == 422


def test_the_formats_are_listed(ravi):
    formats = {row["name"]: row for row in send(ravi, "GET", "formats/")[1]["formats"]}
    assert formats["rows"]["mapped"] and "all" in formats["qasper"]["rules"]


def label_studio_file() -> SimpleUploadedFile:
    return SimpleUploadedFile("verdicts.json", (FIXTURES / "label-studio" / "verdicts.json").read_bytes())


def test_a_project_of_an_annotation_tool_is_imported_with_its_ratings(ada):
    form = {**LABELED, "slug": "tern-data", "annotators": '{"noor@example.org": "noor"}'}
    checked = run(ada.post("/api/v1/imports/", form | {"upload": label_studio_file(), "dry_run": "true"}).json())
    assert (checked.kind, checked.problems, Project.objects.count()) == ("load_project", [], 0)
    assert checked.result["labels"]["verdict.supported"] == ["verdict:Supported"]
    status, job = send(ada, "POST", f"imports/{checked.public_id}/confirm/")
    assert (status, run(job).state) == (202, "done")
    assert Project.objects.get().dataset.slug == "tern-data"
    assert Rating.objects.filter(rater__username="noor").count() == 3
    records = send(ada, "GET", "datasets/tern-data/imports/")[1]["results"]
    assert [record["kind"] for record in records] == ["ratings", "dataset"] and "noor" not in str(records)
    labels = {"accuracy.accurate": ["Supported"], "leave_out": ["Contradicted", "Not in source", "note"]}
    more = {"project": "sentences", "protocol": "article-accuracy", "labels": json.dumps(labels)}
    refused = run(ada.post("/api/v1/imports/", form | more | {"upload": label_studio_file()}).json())
    assert "the protocol asks about each of its items" in refused.problems[0]
    unknown = run(ada.post("/api/v1/imports/", form | {"protocol": "none", "upload": label_studio_file()}).json())
    assert unknown.problems == ["there is no protocol 'none'; load it, or choose another one"]
