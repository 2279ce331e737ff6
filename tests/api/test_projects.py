"""Projects and their settings, by a program."""

import pytest

from annotation.judging.judges import create_judge
from annotation.judging.run import run_judge
from annotation.models import AuditEvent, Job, Judge, Project
from tests.api.clients import send
from tests.cast import article_accuracy, person

pytestmark = pytest.mark.django_db


def test_an_admin_creates_a_project_and_finds_it(ada, june, lena):
    article_accuracy()
    body = {"slug": "july", "dataset": "june-data", "protocol": "article-accuracy", "overlap": 3, "title": "July"}
    answer = ada.post("/api/v1/projects/", body, format="json")
    assert answer.status_code == 201 and answer["Location"].endswith("/api/v1/projects/july/")
    created = answer.json()
    assert (created["slug"], created["overlap"], created["dataset"]) == ("july", 3, "june-data")
    assert created["protocol"].startswith("article-accuracy@")
    assert send(ada, "GET", "projects/july/") == (200, created)
    assert [row["slug"] for row in send(ada, "GET", "projects/")[1]["results"]] == ["july", "june"]
    assert [row["slug"] for row in send(lena, "GET", "projects/")[1]["results"]] == ["june"]
    event = AuditEvent.objects.filter(action="create project").latest("at")
    assert (event.target, event.actor) == ("project:july", person("ada"))


def test_settings_change_by_the_functions_of_the_pages(june, lena):
    judge, _is_new = create_judge(Judge(name="numbers", rule="numbers"))
    run_judge(judge, june.project)
    body = {
        "title": "June study",
        "overlap": 3,
        "target_half_width": 0.04,
        "suggestions": False,
        "prefetch_limit": 2,
        "verdict_visibility": "after",
        "shown_judge": "numbers",
    }
    status, changed = send(lena, "PATCH", "projects/june/", body)
    assert status == 200
    assert {name: changed[name] for name in body} == body | {"shown_judge": judge.label}
    actions = set(AuditEvent.objects.filter(project=june.project).values_list("action", flat=True))
    assert actions >= {"set title", "change overlap", "set target", "set ahead", "set verdict visibility"}
    assert send(lena, "PATCH", "projects/june/", {"target_half_width": None})[1]["target_half_width"] is None


def test_only_admins_hide_raters(june, lena, ada):
    assert send(lena, "PATCH", "projects/june/", {"hides_raters": True})[0] == 403
    status, changed = send(ada, "PATCH", "projects/june/", {"hides_raters": True})
    assert (status, changed["hides_raters"]) == (200, True)


def test_a_project_is_archived_unarchived_and_deleted(lena, ada):
    assert send(lena, "PATCH", "projects/june/", {"archived": True})[1]["archived_at"]
    assert [row["slug"] for row in send(lena, "GET", "projects/?archived=true")[1]["results"]] == ["june"]
    assert send(lena, "GET", "projects/?archived=false")[1]["results"] == []
    assert send(lena, "PATCH", "projects/june/", {"archived": False})[1]["archived_at"] is None
    assert send(lena, "DELETE", "projects/june/")[0] == 403
    status, job = send(ada, "DELETE", "projects/june/")
    assert (status, job["kind"], job["state"]) == (202, "delete_project", "queued")
    assert Project.objects.get().archived_at and Job.objects.get().params["slug"] == "june"
