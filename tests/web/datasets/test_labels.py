"""Projects of annotation tools in the browser: columns, labels and annotators, dry run, import."""

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.importing import uploads
from annotation.models import Dataset, Job, Project, ProtocolVersion, Rating, Upload, User
from tasks.app import app
from tests.cast import person
from tests.web.datasets.files import FIXTURES, uploaded_files
from tests.web.pages import html_of, text_of

pytestmark = pytest.mark.django_db

VERDICTS = FIXTURES / "label-studio" / "verdicts.json"
SPANS = FIXTURES / "label-studio" / "spans.json"
COLUMNS = {"question": "prompt", "answer": "response", "passage": "document"}


def read_labels(
    client, sent_jobs, *paths: Path | SimpleUploadedFile, format: str = "label-studio", slug="terns"
) -> Job:
    """Send the form and the page of the columns as it is. Return the job that has read the labels."""
    files = [
        path if isinstance(path, SimpleUploadedFile) else SimpleUploadedFile(path.name, path.read_bytes())
        for path in paths
    ]
    options = {"format": format, "slug": slug, "title": "", "subset": "all", "seed": "1"}
    address = client.post("/datasets/import/", {"upload": files, **options}).url
    page = html_of(client.get(address))
    assert 'id="map-labels"' in page
    ids = [str(public_id) for public_id in Upload.objects.order_by("pk").values_list("public_id", flat=True)]
    columns = {}
    for n, row in enumerate(page.split('id="name-')[1:]):
        columns[f"column-{n}"] = row.split(" selected")[0].rsplit('value="', 1)[1].split('"')[0]
    form = {**options, **columns, "upload": ids, "system": "", "do": "labels"}
    address = client.post("/datasets/import/columns/", form).url
    app.tasks["tasks.imports.find_labels"](sent_jobs[-1])
    job = Job.objects.get(kind=uploads.FIND_LABELS)
    assert address == reverse("import_job", args=[job.public_id])
    return job


def check(client, sent_jobs, job: Job, **form) -> Job:
    """Start the dry run and run it."""
    address = reverse("import_labels", args=[job.public_id])
    answer = client.post(address, {"project": "terns", "protocol": "", **form, "do": "check"})
    assert answer.status_code == 302, text_of(answer)
    app.tasks["tasks.imports.load_project"](sent_jobs[-1])
    checked = Job.objects.filter(kind=uploads.LOAD_PROJECT).order_by("-pk")[0]
    assert answer.url == reverse("import_job", args=[checked.public_id])
    return checked


def test_a_project_is_read_checked_confirmed_and_imported_for_the_users_of_its_annotators(ada, sent_jobs):
    maria = User.objects.create_user("maria", email="Maria@example.org")
    job = read_labels(ada, sent_jobs, VERDICTS)
    address = reverse("import_labels", args=[job.public_id])
    assert ada.get(reverse("import_job", args=[job.public_id])).url == address
    page = ada.get(address)
    assert 'value="maria"' in html_of(page) and "existing user" in text_of(page)
    assert "verdict:Supported 5 verdict.supported" in text_of(page)
    assert "maria@example.org 4" in text_of(page) and "model-grader-2-beta" in text_of(page)
    page = ada.post(reverse("import_confirm", args=[job.public_id]), follow=True)
    assert "Only files that were checked completely can be imported." in text_of(page)
    noor = [name for name, _n in job.result["annotators"]].index("noor@example.org")
    checked = check(ada, sent_jobs, job, **{f"annotator-{noor}": "annotator-2"})
    assert not Dataset.objects.exists() and not ProtocolVersion.objects.filter(slug="terns").exists()
    page = text_of(ada.get(reverse("import_job", args=[checked.public_id])))
    assert "Ratings 11" in page and "Raters 2" in page and "Import 18 new records" in page
    assert "Skipped annotation 1" in page and "noor@example.org annotator-2" in page
    answer = ada.post(reverse("import_confirm", args=[checked.public_id]))
    app.tasks["tasks.imports.load_project"](sent_jobs[-1])
    assert ada.get(answer.url).url == "/projects/terns/"
    assert Rating.objects.count() == 11
    assert Project.objects.get().created_by == person("ada")
    assert uploaded_files() == []
    assert Rating.objects.filter(rater=maria).count() == 4
    assert not User.objects.get(username="annotator-2").is_active
    assert not User.objects.filter(username__in=["noor@example.org", "maria@example.org"]).exists()


def test_labels_are_mapped_to_the_answers_of_a_protocol(ada, sent_jobs):
    job = read_labels(ada, sent_jobs, SPANS)
    address = reverse("import_labels", args=[job.public_id])
    [protocol] = [each for each in choices_of_protocol(ada, address) if each.startswith("article-accuracy@")]
    page = ada.post(address, {"project": "terns", "protocol": protocol})
    assert "5 labels have no answer" in text_of(page)
    assert 'id="check-labels" disabled' in html_of(page)
    chosen = {"project": "terns", "protocol": protocol, "shown": protocol}
    assert ada.post(address, chosen | {"do": "check"}).status_code == 200  # not all have an answer
    names = [f"{control}:{value}" for control, value, _n in job.result["labels"]]
    fields = {
        "error:Wrong fact": ["accuracy.inaccurate", "severity.severe"],
        "error:Unverifiable": ["accuracy.unsupported", "severity.not_severe"],
    }
    chosen |= {f"label-{n}": fields.get(name, ["leave_out"]) for n, name in enumerate(names)}
    checked = check(ada, sent_jobs, job, **chosen, **{f"label-{len(names)}": "accuracy.accurate"})
    assert checked.params["labels"]["accuracy.accurate"] == [""]
    page = html_of(ada.get(f"{address}?job={checked.public_id}"))  # the choices are still there
    assert page.count('<option value="accuracy.inaccurate" selected>') == 1
    assert page.count('<option value="severity.severe" selected>') == 1
    ada.post(reverse("import_confirm", args=[checked.public_id]))
    app.tasks["tasks.imports.load_project"](sent_jobs[-1])
    assert Rating.objects.filter(answers={"accuracy": "inaccurate", "severity": "severe"}).count() == 3


def test_a_later_export_adds_what_is_new_with_the_same_mappings(ada, sent_jobs):
    job = read_labels(ada, sent_jobs, VERDICTS)
    maria = [name for name, _n in job.result["annotators"]].index("maria@example.org")
    checked = check(ada, sent_jobs, job, **{f"annotator-{maria}": "m"})
    ada.post(reverse("import_confirm", args=[checked.public_id]))
    app.tasks["tasks.imports.load_project"](sent_jobs[-1])
    job.delete()
    export = json.loads(VERDICTS.read_text(encoding="utf-8"))
    export[0]["annotations"].append({**export[0]["annotations"][0], "id": 99, "completed_by": {"email": "new@x.org"}})
    Upload.objects.all().delete()
    job = read_labels(ada, sent_jobs, SimpleUploadedFile("later.json", json.dumps(export).encode()))
    page = ada.get(reverse("import_labels", args=[job.public_id]))
    assert "already exists" in text_of(page) and 'value="m"' in html_of(page)
    checked = check(ada, sent_jobs, job)
    assert checked.result["counts"]["new"] == 1
    refused = check(ada, sent_jobs, job, **{f"annotator-{maria}": "somebody-else"})
    assert refused.problems == ["annotator 'maria@example.org' is already user 'm' in this project; keep this user"]


def test_several_files_are_one_project(ada, sent_jobs):
    folder = FIXTURES / "potato"
    options = {"format": "potato", "slug": "herons", "title": "", "subset": "all", "seed": "1"}
    paths = [folder / "annotated_instances.jsonl", folder / "data.jsonl"]
    files = [SimpleUploadedFile(path.name, path.read_bytes()) for path in paths]
    address = ada.post("/datasets/import/", {"upload": files, **options}).url
    names = [row.split(">", 1)[1].split("<", 1)[0].strip() for row in html_of(ada.get(address)).split('id="name-')[1:]]
    fields = {"question": "prompt", "text": "response", "id": "response_id", "model": "system"}
    columns = {f"column-{n}": fields.get(name.strip(), "leave_out") for n, name in enumerate(names)}
    ids = [str(public_id) for public_id in Upload.objects.order_by("pk").values_list("public_id", flat=True)]
    ada.post("/datasets/import/columns/", {**options, **columns, "upload": ids, "system": "", "do": "labels"})
    app.tasks["tasks.imports.find_labels"](sent_jobs[-1])
    checked = check(ada, sent_jobs, Job.objects.get(), project="herons")
    assert checked.problems == [] and checked.result["counts"]["ratings"] > 0


def test_a_file_without_annotations_has_nothing_to_map(ada, sent_jobs):
    tasks_of = [{"id": 1, "data": {"question": "What of terns?", "answer": "They fly."}, "annotations": []}]
    job = read_labels(ada, sent_jobs, SimpleUploadedFile("tasks.json", json.dumps(tasks_of).encode()))
    page = ada.get(reverse("import_labels", args=[job.public_id]))
    assert "The files have no annotations." in text_of(page)
    assert 'id="check-labels" disabled' in html_of(page)


def test_problems_lead_back_to_the_labels(ada, sent_jobs):
    job = read_labels(ada, sent_jobs, VERDICTS)
    address = reverse("import_labels", args=[job.public_id])
    [protocol] = [each for each in choices_of_protocol(ada, address) if each.startswith("article-accuracy@")]
    chosen = {"project": "terns", "protocol": protocol, "shown": protocol}
    chosen |= {f"label-{n}": "accuracy.accurate" for n in range(3)} | {"label-3": "comment"}
    checked = check(ada, sent_jobs, job, **chosen)
    page = ada.get(reverse("import_job", args=[checked.public_id]))
    assert "the protocol asks about each of its items (2)" in text_of(page)
    assert checked.problems[0].startswith("verdicts.json:")
    assert f"{address}?job={checked.public_id}" in html_of(page)
    assert not Dataset.objects.exists() and not User.objects.filter(username="maria@example.org").exists()


def test_hostile_names_are_text_and_annotations_without_an_annotator_are_counted(ada, sent_jobs):
    export = json.loads(VERDICTS.read_text(encoding="utf-8"))
    for annotation in (each for task in export for each in task["annotations"]):
        if annotation["completed_by"]["email"] == "maria@example.org":
            annotation["completed_by"] = None
    bad = '<script>alert("x")</script>'
    [first, *_] = [each for task in export for each in task["annotations"] if each["completed_by"]]
    first["completed_by"] = {"email": f"{bad}@example.org"}
    for result in first["result"]:
        result["value"] = {"choices": [bad]}
    job = read_labels(ada, sent_jobs, SimpleUploadedFile(f"{bad}.json", json.dumps(export).encode()))
    page = html_of(ada.get(reverse("import_labels", args=[job.public_id])))
    assert bad not in page and "alert(" in page
    page = ada.get(reverse("import_job", args=[check(ada, sent_jobs, job).public_id]))
    assert bad not in html_of(page)
    assert "4 annotations name no annotator: a user whose name ends in “-unknown” may be several people." in text_of(
        page
    )


def choices_of_protocol(client, address: str) -> list[str]:
    """Return the protocols that the page offers."""
    select = html_of(client.get(address)).split('name="protocol"')[1].split("</select>")[0]
    return [part.split('"')[0] for part in select.split('value="')[1:]]
