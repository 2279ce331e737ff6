"""The responses of a project and their assignment to raters, by a program."""

import pytest
from django.utils import timezone
from rest_framework.serializers import Serializer

from annotation.api.responses import SlotSerializer
from annotation.models import Assignment, AuditEvent, Reservation, Sheet
from annotation.projects.project_settings import change_settings
from annotation.projects.responses import response_rows
from annotation.rating.finish import finish
from tests.api.clients import send
from tests.cast import person, study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
RESPONSES = "projects/june/responses/"


@pytest.mark.study(prompts=2)
def test_responses_are_listed_with_their_raters(lena, june):
    work = rates(june.people["ravi"], june.project, sentences=2)
    rows = send(lena, "GET", RESPONSES)[1]["results"]
    assert len(rows) == 2 and all(len(row["slots"]) == 2 for row in rows)
    [leased] = send(lena, "GET", f"{RESPONSES}?state=leased&rater=ravi&system=heron")[1]["results"]
    [slot] = [slot for slot in leased["slots"] if slot["rater"]]
    assert (slot["rater"], slot["ratings"], slot["assignment"]) == ("ravi", 2, str(work.public_id))
    [found] = send(lena, "GET", f"{RESPONSES}?words=q2-heron")[1]["results"]
    assert found["prompt"] == "q2"
    change_settings(june.project, {"hides_raters": True}, actor=person("ada", admin=True))
    [leased] = send(lena, "GET", f"{RESPONSES}?state=leased")[1]["results"]
    assert {slot["rater"] for slot in leased["slots"]} & {"ravi"} == set()


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata"])
def test_a_slot_is_shown_as_its_fields_are(zone: str, june) -> None:
    rates(june.people["ravi"], june.project, sentences=1)
    [row] = response_rows(june.project.sheets.all())
    with timezone.override(zone):
        for slot in row.slots:
            assert SlotSerializer(slot).data == Serializer.to_representation(SlotSerializer(), slot)
    assert [slot.ratings for slot in row.slots] == [1, 0]


def test_a_change_with_the_id_of_another_project_changes_nothing(lena, june):
    other = study("other", raters=())
    [own], [foreign] = ([sheet.pk for sheet in project.sheets.all()[:1]] for project in (june.project, other.project))
    for action in ("exclude", "include", "free", "reopen"):
        body = {"action": action, "ids": [own, foreign], "reason": "The article is missing."}
        status, answer = send(lena, "POST", f"{RESPONSES}change/", body)
        assert (status, answer["errors"]) == (
            400,
            {"ids": [f"The project has no responses with these ids: {foreign}."]},
        )
    body = {"raters": ["ravi"], "by": "selected", "ids": [own, foreign]}
    assert send(lena, "POST", "projects/june/reservations/", body)[0] == 400
    assert not june.project.sheets.filter(exclusion__isnull=False).exists() and not Reservation.objects.exists()


def test_responses_are_excluded_included_freed_and_reopened(june, lena):
    work = rates(june.people["ravi"], june.project, sentences=3)
    change = f"{RESPONSES}change/"
    ids = [work.sheet_id]
    assert send(lena, "POST", change, {"action": "exclude", "ids": ids})[0] == 400
    body = {"action": "exclude", "ids": ids, "reason": "The article is missing."}
    assert send(lena, "POST", change, body) == (200, {"changed": 1})
    assert send(lena, "GET", RESPONSES)[1]["results"][0]["excluded"] == "The article is missing."
    assert send(lena, "POST", change, {"action": "include", "ids": ids}) == (200, {"changed": 1})
    again = rates(june.people["ravi"], june.project, sentences=0)
    assert send(lena, "POST", f"projects/june/assignments/{again.public_id}/reopen/", {})[0] == 409
    assert send(lena, "POST", change, {"action": "free", "ids": ids}) == (200, {"changed": 1})
    finished = rates(june.people["ravi"], june.project, sentences=0)
    finish(Assignment.objects.get(pk=finished.pk))
    assert send(lena, "POST", f"projects/june/assignments/{finished.public_id}/free/")[0] == 409
    address = f"projects/june/assignments/{finished.public_id}/reopen/"
    assert send(lena, "POST", address, {"reason": "Please look again."}) == (200, {})
    assert send(lena, "POST", change, {"action": "reopen", "ids": ids}) == (200, {"changed": 0})


@pytest.mark.study(prompts=3)
def test_responses_are_assigned_to_raters(lena, june):
    address = "projects/june/reservations/"
    body = {"raters": ["ravi"], "by": "random", "n": 2}
    assert send(lena, "POST", address, body | {"dry_run": True}) == (200, {"responses": 2})
    assert not Reservation.objects.exists()
    assert send(lena, "POST", address, body) == (200, {"responses": 2})
    [request] = send(lena, "GET", address)[1]["reservations"]
    assert (request["raters"], request["responses"], request["made_by"]) == (["ravi"], 2, "lena")
    assert len(send(lena, "GET", f"{RESPONSES}?state=reserved")[1]["results"]) == 2
    assert send(lena, "POST", f"{address}end/", {"made_at": request["made_at"]}) == (200, {"responses": 2})
    assert send(lena, "POST", f"{address}end/", {"made_at": request["made_at"]})[0] == 404
    assert send(lena, "POST", address, body | {"raters": ["nobody"]})[0] == 400
    assert send(lena, "POST", address, body | {"raters": ["ravi"], "by": "system", "value": "x"})[0] == 400
    assert june.project.slug == "june"


def test_a_response_is_used_for_training_only_with_gold_answers(june, lena):
    sheet = Sheet.objects.get(project=june.project)
    address = f"{RESPONSES}{sheet.pk}/purpose/"
    assert send(lena, "PUT", address, {"purpose": "training"})[0] == 400
    assert send(lena, "PUT", address, {"purpose": "work"}) == (200, {"changed": 0})
    assert send(lena, "GET", "projects/june/gold/")[1]["results"] == []
    assert not AuditEvent.objects.filter(action="set purpose").exists()
