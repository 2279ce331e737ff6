"""Reports and progress for programs: by leads, live or frozen by a real worker."""

import json
from uuid import uuid4

import pytest
from django.core.cache import cache

from annotation import jobs
from annotation.models import AuditEvent, Job, Project, Rating
from annotation.qualification.next_work import take_next
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reporting import live
from tests.api.clients import send
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, person, study
from tests.seeds import seeded

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
REPORT = "projects/june/report/"


def rate(study: Study, name: str, answers: list[dict], *, finishes: bool = True) -> None:
    """Let a rater take a response and answer its items."""
    work = take_next(study.project, study.people[name])
    assert work
    items = work.sheet.response.items.order_by("position")
    for item, answer in zip(items, answers, strict=finishes):
        save(study.people[name], work.public_id, item.public_id, Submission(answer, base_version=0))
    if finishes:
        finish(work)


def test_the_live_report_counts_finished_work_and_leaves_out_what_cannot_be_assessed(lena):
    own = study("own", systems=("heron", "plover"))
    for _response in range(2):
        rate(own, "ravi", [ACCURATE, SEVERE, CANNOT_ASSESS])
    rate(own, "rosa", [SEVERE], finishes=False)
    _status, report = send(lena, "GET", "projects/own/report/")
    assert report["schema"] == "factuary-report/1"
    measures = report["overall"]["measures"]
    assert (report["overall"]["ratings"], report["overall"]["assessed"]) == (6, 4)
    kinds = ("accurate", "inaccurate", "severely_inaccurate")
    assert {name: (m["k"], m["n"]) for name, m in measures.items()} == dict.fromkeys(kinds, (2, 4))
    assert [cell["system"] for cell in report["systems"]] == ["heron", "plover"]
    event = AuditEvent.objects.get(action="download file")
    assert (event.actor, event.target, event.after["with_names"]) == (person("lena"), "project:own", True)


def test_progress_is_counted_in_places_and_tells_ratings_that_do_not_count_yet_too(lena):
    own = study("own", prompts=2, overlap=2)
    for _response in range(2):
        rate(own, "ravi", [ACCURATE] * 3)
    rate(own, "rosa", [ACCURATE], finishes=False)
    assert Rating.objects.filter(project=own.project, counted=False).count() == 1
    _status, progress = send(lena, "GET", "projects/own/progress/")
    counts = ("places", "done", "leased", "left", "responses")
    assert [progress[name] for name in counts] == [4, 2, 1, 1, 2]
    assert progress["raters"] == [
        {"rater": "ravi", "finished": 2, "leased": 0, "ahead": 0, "ratings": 6},
        {"rater": "rosa", "finished": 0, "leased": 1, "ahead": 0, "ratings": 1},
    ]


def test_the_choices_are_a_query(lena):
    query = "systems=Birch&least_seconds=0&resamples=200&cluster=document"
    _status, report = send(lena, "GET", f"{REPORT}?{query}")
    assert report["method"] == {"level": 0.95, "cluster": "document", "resamples": 200, "seed": 1}
    assert report["filters"] == {"least_seconds": 0.0, "systems": ["Birch"]}
    birch = report["data"]["ratings"]
    assert 0 < birch < 153 and report["data"]["left_out"] == {"filtered": 153 - birch}


def test_choices_that_are_wrong_or_name_what_is_not_there_are_refused_by_field(lena):
    wrong = {"resamples": "3", "system": "Birch", "systems": "crane", "without_raters": "nobody", "metadata": "kind"}
    for field, value in wrong.items():
        status, refused = send(lena, "GET", f"{REPORT}?{field}={value}")
        assert (status, list(refused["errors"])) == (400, [field])
    status, refused = send(lena, "POST", "projects/june/reports/", {"resamples": 3})
    assert status == 400 and "resamples" in refused["errors"]
    assert send(lena, "GET", f"reports/{uuid4()}/")[0] == 404


def test_a_job_computes_the_report_of_a_large_project(monkeypatch, lena):
    monkeypatch.setattr(jobs, "HEARTBEAT", 600.0)  # its connection cannot see the open transaction of the test
    address = f"/api/v1/{REPORT}"
    expected = lena.get(address).json()
    cache.clear()
    monkeypatch.setattr(live, "MANY_RATINGS", 2)
    started = lena.get(address)
    assert (started.status_code, started["Retry-After"], started.json()["report"]) == (202, "5", None)
    assert lena.get(address).json() == started.json(), "the same job"
    refused = lena.get(f"{address}?seed=2")
    assert (refused.status_code, refused["Retry-After"]) == (429, "5")
    assert "still being computed" in refused.json()["detail"]
    job = f"reports/{started.json()['id']}/"
    assert send(lena, "GET", job)[1]["result"] is None
    jobs.run(Job.objects.get().pk, live.run_report_job)
    _status, done = send(lena, "GET", job)
    assert (done["state"], done["report"], done["provenance"]) == ("done", None, None)
    assert done["result"] == lena.get(address).json() == expected
    assert Job.objects.count() == 1


def test_a_worker_freezes_what_the_live_report_says(celery_worker, wait_until, lena):
    june: Project = seeded("june")
    june.reports.all().delete()
    params = {"resamples": 200, "systems": ["Birch"], "metadata": {}}
    status, started = send(lena, "POST", "projects/june/reports/", params)
    assert (status, started["report"]) == (202, None)
    url = f"reports/{started['id']}/"
    wait_until(lambda: send(lena, "GET", url)[1]["state"] in ("done", "failed"))
    answer, report = send(lena, "GET", url)[1], june.reports.get()
    assert (answer["state"], answer["problems"], answer["report"]) == ("done", [], str(report.public_id))
    assert answer["provenance"] == report.provenance
    assert answer["provenance"]["raters"][0]["rater"] == "ravi" and answer["provenance"]["plan"] is None
    assert answer["result"] == json.loads(report.document)
    of_now = send(lena, "GET", f"{REPORT}?systems=Birch&resamples=200")[1]
    assert answer["result"]["overall"]["measures"]["accurate"] == of_now["overall"]["measures"]["accurate"]
    assert answer["result"]["filters"] == {"systems": ["Birch"]}
