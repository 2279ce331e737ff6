"""The API of what stands beside the answers: guidelines, the inbox, a rater's questions and bookmarks."""

import json
from typing import Any

import pytest
from django.test import Client

from annotation.models import Bookmark, RaterQuestion
from annotation.rating.finish import finish
from annotation.reviewing.rater_questions import ask_leads
from tests.api.clients import program
from tests.cast import Study, person, study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


@pytest.fixture
def june() -> Study:
    return study()


def send(name: str, method: str, address: str, body: Any = None, key: str = "") -> tuple[int, Any]:
    client = Client(headers={"Idempotency-Key": key} if key else {})
    client.force_login(person(name))
    answer = client.generic(method, f"/api/v1/{address}", json.dumps(body or {}), content_type="application/json")
    return answer.status_code, json.loads(answer.content) if answer.content else None


def test_a_question_is_asked_listed_answered_and_read(june):
    work = rates(june.people["ravi"], june.project, sentences=0)
    item = june.items()[1].public_id
    status, created = send("ravi", "POST", f"assignments/{work.public_id}/items/{item}/questions/", {"text": "Is it?"})
    assert (status, created["kind"], created["text"]) == (201, "question", "Is it?")
    status, listed = send("lena", "GET", "projects/june/questions/")
    assert status == 200
    [question] = listed["results"]
    assert (question["asker"], question["item"], question["item_text"]) == (
        "ravi",
        str(item),
        "Sentence number 2 of heron.",
    )
    body = {"answer": "Yes.", "published": True}
    status, answered = send("lena", "PUT", f"projects/june/questions/{question['id']}/answer/", body)
    assert (status, answered["answer"], answered["answered_by"]) == (200, "Yes.", "lena")
    assert send("lena", "GET", "projects/june/questions/")[1]["results"] == []
    assert len(send("lena", "GET", "projects/june/questions/?state=answered")[1]["results"]) == 1
    _, beside = send("ravi", "GET", f"assignments/{work.public_id}/beside/")
    assert [(q["answer"], q["new"]) for q in beside["questions"]] == [("Yes.", True)]
    assert (
        send("ravi", "POST", f"assignments/{work.public_id}/questions/seen/", {"questions": [question["id"]]})[0] == 200
    )
    assert RaterQuestion.objects.get().seen_at


def test_a_question_with_a_key_is_asked_once_also_when_it_was_answered_between_two_tries(june):
    work = rates(june.people["ravi"], june.project, sentences=0)
    address = f"assignments/{work.public_id}/items/{june.items()[1].public_id}/questions/"
    tries = [send("ravi", "POST", address, {"text": " Is it? "}, key="k1")]
    _, listed = send("lena", "GET", "projects/june/questions/")
    send("lena", "PUT", f"projects/june/questions/{listed['results'][0]['id']}/answer/", {"answer": "Yes."})
    tries.append(send("ravi", "POST", address, {"text": " Is it? "}, key="k1"))
    assert [status for status, _ in tries] == [201, 201]
    assert tries[0][1]["id"] == tries[1][1]["id"]
    assert RaterQuestion.objects.count() == 1
    assert send("ravi", "POST", address, {"text": "Is it so?"}, key="k1")[0] == 422
    assert send("ravi", "POST", address, {"text": "Is it?"}, key="k2")[0] == 201
    theirs = rates(june.people["rosa"], june.project, sentences=0)
    address = f"assignments/{theirs.public_id}/items/{june.items()[1].public_id}/questions/"
    assert send("rosa", "POST", address, {"text": "Is it so?"}, key="k1")[0] == 201  # keys are a rater's own
    assert RaterQuestion.objects.count() == 3


def test_a_flag_is_put_and_deleted(june):
    work = rates(june.people["ravi"], june.project, sentences=0)
    address = f"assignments/{work.public_id}/items/{june.items()[0].public_id}/mark/"
    assert [send("ravi", "PUT", address), send("ravi", "PUT", address)] == [(200, {}), (200, {})]
    assert Bookmark.objects.count() == 1
    assert send("ravi", "DELETE", address) == (200, {})
    assert not Bookmark.objects.exists()


def test_guidelines_are_published_and_read(june):
    assert send("ravi", "GET", "projects/june/guidelines/") == (204, None)
    body = {"text": "Read.", "examples": {"accuracy": {"accurate": "So."}}, "note": "First"}
    status, created = send("lena", "POST", "projects/june/guidelines/", body)
    assert (status, created["number"]) == (200, 1)
    status, listed = send("ravi", "GET", "projects/june/guidelines/")
    assert (status, listed) == (200, created)
    assert {key: listed[key] for key in body} == body


def test_guidelines_that_were_published_in_the_meantime_are_not_replaced(june):
    lena = program("lena")
    address = "/api/v1/projects/june/guidelines/"
    first = lena.post(address, {"text": "# First"}, format="json")
    assert lena.get(address)["ETag"] == first["ETag"]
    assert lena.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    second = lena.post(address, {"text": "# Second"}, format="json", headers={"If-Match": first["ETag"]})
    assert second.status_code == 200
    refused = lena.post(address, {"text": "# Third"}, format="json", headers={"If-Match": first["ETag"]})
    assert refused.status_code == 412
    assert lena.get(address).json()["text"] == "# Second"


def test_an_answer_that_was_changed_in_the_meantime_is_not_replaced(june):
    work = rates(june.people["ravi"], june.project, sentences=0)
    question = ask_leads(june.people["ravi"], work.public_id, june.items()[1].public_id, "Is it?").public_id
    lena, address = program("lena"), f"/api/v1/projects/june/questions/{question}/"
    tag = lena.get(address)["ETag"]
    assert lena.get(address, headers={"If-None-Match": tag}).status_code == 304
    first = lena.put(f"{address}answer/", {"answer": "Yes."}, format="json", headers={"If-Match": tag})
    assert first.status_code == 200 and first["ETag"] == lena.get(address)["ETag"]
    assert lena.put(f"{address}answer/", {"answer": "No."}, format="json", headers={"If-Match": tag}).status_code == 412
    assert lena.get(address).json()["answer"] == "Yes."


def test_a_reported_sentence_is_split_and_merged_again(june):
    work = rates(june.people["ravi"], june.project, sentences=0)
    item = june.items()[1]
    question = ask_leads(june.people["ravi"], work.public_id, item.public_id, "", "split")
    address = f"projects/june/questions/{question.public_id}/boundaries/"
    status, problem = send("lena", "POST", address, {"how": "split", "parts": ["Another text.", "And so on."]})
    assert status == 400 and problem["errors"]["parts"]
    status, done = send("lena", "POST", address, {"how": "split", "parts": ["Sentence number 2", "of heron."]})
    assert (status, done["retired"]) == (200, [str(item.public_id)])
    assert [new["text"] for new in done["items"]] == ["Sentence number 2", "of heron."]
    assert [(new["start"], new["end"]) for new in done["items"]] == [
        (item.start, item.start + 17),
        (item.end - 9, item.end),
    ]
    answered = send("lena", "GET", f"projects/june/questions/{question.public_id}/")[1]
    assert "Sentence number 2 | of heron." in answered["answer"]
    status, problem = send("lena", "POST", address, {"how": "after"})
    assert status == 400 and problem["errors"] == {"how": ["The boundaries were edited already."]}
    again = ask_leads(june.people["ravi"], work.public_id, done["items"][0]["item"], "Merge?")
    status, merged = send("lena", "POST", f"projects/june/questions/{again.public_id}/boundaries/", {"how": "after"})
    assert status == 200 and [new["text"] for new in merged["items"]] == [item.text]


def test_ratings_under_earlier_guidelines_are_counted_and_offered_again(june):
    work = rates(june.people["ravi"], june.project, sentences=3)
    finish(work)
    assert send("lena", "POST", "projects/june/guidelines/reoffer/")[0] == 400
    for text in ("Read.", "Read twice."):
        assert send("lena", "POST", "projects/june/guidelines/", {"text": text})[0] == 200
    versions = send("ravi", "GET", "projects/june/guidelines/versions/")[1]["results"]
    assert [(row["number"], row["text"]) for row in versions] == [(2, "Read twice."), (1, "Read.")]
    address = "projects/june/guidelines/reoffer/"
    whole = {"responses": 1, "items": 3}
    none = {"question": "accuracy", "option": "inaccurate", "dry_run": True}
    assert send("lena", "POST", address, {"dry_run": True}) == (200, whole)
    assert send("lena", "POST", address, none) == (200, {"responses": 0, "items": 0})
    assert not Bookmark.objects.exists()
    status, problem = send("lena", "POST", address, {"question": "accuracy", "option": "nothing"})
    assert status == 400 and list(problem["errors"]) == ["option"]
    assert send("lena", "POST", address, {"question": "accuracy", "option": "accurate"}) == (200, whole)
    assert Bookmark.objects.filter(reason=Bookmark.Reason.GUIDELINES).count() == 3
