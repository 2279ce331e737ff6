"""Reports and progress for programs: by leads, live or frozen by a real worker."""

import json
from uuid import uuid4

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from annotation import jobs
from annotation.models import AuditEvent, Item, Job, Rating, Report
from annotation.reporting import live
from tests.api.clients import program_of, put, take
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, person, study

pytestmark = pytest.mark.slow


def rate_everything(june: Study, name: str, answers: list[dict]) -> None:
    client = program_of(june.people[name])
    while (response := client.post("/api/v1/projects/june/assignments/")).status_code == 200:
        work = response.json()
        for n, answer in zip(range(len(work["items"])), answers, strict=True):
            put(client, work, n, answer)
        client.post(f"/api/v1/assignments/{work['id']}/finish/")


@pytest.mark.django_db
class TestNow:
    def test_the_live_report_counts_finished_work_and_leaves_out_what_cannot_be_assessed(self):
        june = study(systems=("heron", "plover"))
        rate_everything(june, "ravi", [ACCURATE, SEVERE, CANNOT_ASSESS])
        report = program_of(june.people["lena"]).get("/api/v1/projects/june/report/").json()
        assert report["schema"] == "factuary-report/1"
        measures = report["overall"]["measures"]
        assert (report["overall"]["ratings"], report["overall"]["assessed"]) == (6, 4)
        assert {name: (m["k"], m["n"]) for name, m in measures.items()} == {
            "accurate": (2, 4),
            "inaccurate": (2, 4),
            "severely_inaccurate": (2, 4),
        }
        assert [cell["system"] for cell in report["systems"]] == ["heron", "plover"]
        event = AuditEvent.objects.get(action="download file")
        assert (event.actor, event.target, event.after["with_names"]) == (person("lena"), "project:june", True)

    def test_progress_is_counted_in_places(self):
        june = study(prompts=2, overlap=2)
        rate_everything(june, "ravi", [ACCURATE] * 3)
        take(program_of(june.people["rosa"]))
        progress = program_of(june.people["lena"]).get("/api/v1/projects/june/progress/").json()
        assert {name: progress[name] for name in ("places", "done", "leased", "left", "responses")} == {
            "places": 4,
            "done": 2,
            "leased": 1,
            "left": 1,
            "responses": 2,
        }
        assert progress["raters"] == [
            {"rater": "ravi", "finished": 2, "leased": 0, "ahead": 0, "ratings": 6},
            {"rater": "rosa", "finished": 0, "leased": 1, "ahead": 0, "ratings": 0},
        ]

    def test_progress_tells_all_ratings_given_those_that_do_not_count_yet_too(self):
        june = study(prompts=1, overlap=1)
        ravi = program_of(june.people["ravi"])
        put(ravi, take(ravi), 0, ACCURATE)
        assert not Rating.objects.filter(counted=True).exists()
        raters = program_of(june.people["lena"]).get("/api/v1/projects/june/progress/").json()["raters"]
        assert [rater["ratings"] for rater in raters if rater["rater"] == "ravi"] == [1]

    @pytest.mark.parametrize("path", ["report/", "progress/"])
    def test_only_leads_see_the_numbers(self, path):
        june = study()
        url = f"/api/v1/projects/june/{path}"
        statuses = {"lena": 200, "ravi": 403, "otto": 404, "ada": 200}
        ada = person("ada", admin=True)
        people = june.people | {"otto": person("otto"), "ada": ada}
        assert {name: program_of(people[name]).get(url).status_code for name in statuses} == statuses

    def test_impossible_parameters_are_refused_by_field(self):
        june = study()
        refused = program_of(june.people["lena"]).post(
            "/api/v1/projects/june/reports/", {"resamples": 3}, format="json"
        )
        assert refused.status_code == 400
        assert "resamples" in refused.json()["errors"]

    def test_the_choices_are_a_query(self):
        june = study(systems=("heron", "plover"))
        rate_everything(june, "ravi", [ACCURATE, SEVERE, CANNOT_ASSESS])
        lena = program_of(june.people["lena"])
        query = "systems=plover&least_seconds=0&resamples=200&cluster=document"
        report = lena.get(f"/api/v1/projects/june/report/?{query}").json()
        assert report["method"] == {"level": 0.95, "cluster": "document", "resamples": 200, "seed": 1}
        assert report["filters"] == {"least_seconds": 0.0, "systems": ["plover"]}
        assert (report["data"]["ratings"], report["data"]["left_out"]) == (3, {"filtered": 3})

    @pytest.mark.parametrize(
        ("query", "field"),
        [
            ("resamples=3", "resamples"),
            ("system=heron", "system"),
            ("systems=crane", "systems"),
            ("without_raters=nobody", "without_raters"),
            ("metadata=kind", "metadata"),
        ],
    )
    def test_choices_that_are_wrong_or_name_what_is_not_there_are_refused_by_field(self, query, field):
        june = study(systems=("heron",))
        refused = program_of(june.people["lena"]).get(f"/api/v1/projects/june/report/?{query}")
        assert refused.status_code == 400
        assert list(refused.json()["errors"]) == [field]

    def test_a_job_computes_the_report_of_a_large_project(self, monkeypatch):
        monkeypatch.setattr(jobs, "HEARTBEAT", 600.0)  # its connection cannot see the open transaction of the test
        june = study()
        rate_everything(june, "ravi", [ACCURATE, SEVERE, CANNOT_ASSESS])
        lena, address = program_of(june.people["lena"]), "/api/v1/projects/june/report/"
        expected = lena.get(address).json()
        cache.clear()
        monkeypatch.setattr(live, "MANY_RATINGS", 2)
        started = lena.get(address)
        assert (started.status_code, started["Retry-After"], started.json()["report"]) == (202, "5", None)
        assert lena.get(address).json() == started.json(), "the same job"
        refused = lena.get(f"{address}?seed=2")
        assert (refused.status_code, refused["Retry-After"]) == (429, "5")
        assert "still being computed" in refused.json()["detail"]
        job_address = f"/api/v1/reports/{started.json()['id']}/"
        assert lena.get(job_address).json()["result"] is None
        jobs.run(Job.objects.get().pk, live.run_report_job)
        done = lena.get(job_address).json()
        assert (done["state"], done["report"], done["provenance"]) == ("done", None, None)
        assert done["result"] == lena.get(address).json() == expected
        assert Job.objects.count() == 1

    def test_an_unknown_report_is_not_found(self):
        assert program_of(person("ada", admin=True)).get(f"/api/v1/reports/{uuid4()}/").status_code == 404


def test_a_worker_freezes_what_the_live_report_says(celery_worker, wait_until):
    june = study(prompts=12, systems=("heron", "plover"))
    rate_everything(june, "ravi", [ACCURATE, SEVERE, CANNOT_ASSESS])
    lena = program_of(june.people["lena"])
    params = {"resamples": 200, "systems": ["plover"], "metadata": {}}
    started = lena.post("/api/v1/projects/june/reports/", params, format="json")
    assert started.status_code == 202
    assert started.json()["report"] is None
    url = f"/api/v1/reports/{started.json()['id']}/"
    wait_until(lambda: lena.get(url).json()["state"] in ("done", "failed"))
    answer = lena.get(url).json()
    assert (answer["state"], answer["problems"]) == ("done", [])
    assert answer["result"] == json.loads(Report.objects.get().document)
    assert answer["report"] == str(Report.objects.get().public_id)
    assert answer["provenance"] == Report.objects.get().provenance
    assert answer["provenance"]["raters"][0]["rater"] == "ravi" and answer["provenance"]["plan"] is None
    assert answer["result"]["overall"]["measures"]["accurate"]["k"] == 12
    assert answer["result"]["filters"] == {"systems": ["plover"]}
    assert Item.objects.count() == 72
    assert program_of(june.people["ravi"]).get(url).status_code == 403
    assert APIClient().get(url).status_code == 401
