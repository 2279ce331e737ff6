"""The API of what stands beside the answers: guidelines, the inbox, a rater's questions and bookmarks."""

import pytest

from annotation.models import Assignment, Bookmark, RaterQuestion
from annotation.rating.finish import finish
from annotation.reviewing.rater_questions import ask_leads
from tests.api.clients import program, send
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
KEY = {"Idempotency-Key": "k1"}


@pytest.fixture
def work(june) -> Assignment:
    """Return what Ravi has begun to rate."""
    return rates(june.people["ravi"], june.project, sentences=0)


def test_a_question_is_asked_listed_answered_and_read(june, lena, ravi, work):
    item = june.items()[1].public_id
    status, created = send(ravi, "POST", f"assignments/{work.public_id}/items/{item}/questions/", {"text": "Is it?"})
    assert (status, created["kind"], created["text"]) == (201, "question", "Is it?")
    status, listed = send(lena, "GET", "projects/june/questions/")
    assert status == 200
    [question] = listed["results"]
    assert (question["asker"], question["item"], question["item_text"]) == (
        "ravi",
        str(item),
        "Sentence number 2 of heron.",
    )
    body = {"answer": "Yes.", "published": True}
    status, answered = send(lena, "PUT", f"projects/june/questions/{question['id']}/answer/", body)
    assert (status, answered["answer"], answered["answered_by"]) == (200, "Yes.", "lena")
    assert send(lena, "GET", "projects/june/questions/")[1]["results"] == []
    assert len(send(lena, "GET", "projects/june/questions/?state=answered")[1]["results"]) == 1
    _, beside = send(ravi, "GET", f"assignments/{work.public_id}/beside/")
    assert [(q["answer"], q["new"]) for q in beside["questions"]] == [("Yes.", True)]
    assert (
        send(ravi, "POST", f"assignments/{work.public_id}/questions/seen/", {"questions": [question["id"]]})[0] == 200
    )
    assert RaterQuestion.objects.get().seen_at


def test_a_question_with_a_key_is_asked_once_also_when_it_was_answered_between_two_tries(june, lena, ravi, work):
    address = f"assignments/{work.public_id}/items/{june.items()[1].public_id}/questions/"
    tries = [send(ravi, "POST", address, {"text": " Is it? "}, **KEY)]
    _, listed = send(lena, "GET", "projects/june/questions/")
    send(lena, "PUT", f"projects/june/questions/{listed['results'][0]['id']}/answer/", {"answer": "Yes."})
    tries.append(send(ravi, "POST", address, {"text": " Is it? "}, **KEY))
    assert [status for status, _ in tries] == [201, 201]
    assert tries[0][1]["id"] == tries[1][1]["id"]
    assert RaterQuestion.objects.count() == 1
    assert send(ravi, "POST", address, {"text": "Is it so?"}, **KEY)[0] == 422
    assert send(ravi, "POST", address, {"text": "Is it?"}, **{"Idempotency-Key": "k2"})[0] == 201
    theirs = rates(june.people["rosa"], june.project, sentences=0)
    address = f"assignments/{theirs.public_id}/items/{june.items()[1].public_id}/questions/"
    assert send(program("rosa"), "POST", address, {"text": "Is it so?"}, **KEY)[0] == 201  # keys are a rater's own
    assert RaterQuestion.objects.count() == 3


def test_a_flag_is_put_and_deleted(june, ravi, work):
    address = f"assignments/{work.public_id}/items/{june.items()[0].public_id}/mark/"
    assert [send(ravi, "PUT", address), send(ravi, "PUT", address)] == [(200, {}), (200, {})]
    assert Bookmark.objects.count() == 1
    assert send(ravi, "DELETE", address) == (200, {})
    assert not Bookmark.objects.exists()


def test_guidelines_are_published_and_read(june, lena, ravi):
    assert send(ravi, "GET", "projects/june/guidelines/") == (204, None)
    body = {"text": "Read.", "examples": {"accuracy": {"accurate": "So."}}, "note": "First"}
    status, created = send(lena, "POST", "projects/june/guidelines/", body)
    assert (status, created["number"]) == (200, 1)
    status, listed = send(ravi, "GET", "projects/june/guidelines/")
    assert (status, listed) == (200, created)
    assert {key: listed[key] for key in body} == body


def test_a_reported_sentence_is_split_and_merged_again(june, lena, work):
    item = june.items()[1]
    question = ask_leads(june.people["ravi"], work.public_id, item.public_id, "", "split")
    address = f"projects/june/questions/{question.public_id}/boundaries/"
    status, problem = send(lena, "POST", address, {"how": "split", "parts": ["Another text.", "And so on."]})
    assert status == 400 and problem["errors"]["parts"]
    status, done = send(lena, "POST", address, {"how": "split", "parts": ["Sentence number 2", "of heron."]})
    assert (status, done["retired"]) == (200, [str(item.public_id)])
    assert [new["text"] for new in done["items"]] == ["Sentence number 2", "of heron."]
    assert [(new["start"], new["end"]) for new in done["items"]] == [
        (item.start, item.start + 17),
        (item.end - 9, item.end),
    ]
    answered = send(lena, "GET", f"projects/june/questions/{question.public_id}/")[1]
    assert "Sentence number 2 | of heron." in answered["answer"]
    status, problem = send(lena, "POST", address, {"how": "after"})
    assert status == 400 and problem["errors"] == {"how": ["The boundaries were edited already."]}
    again = ask_leads(june.people["ravi"], work.public_id, done["items"][0]["item"], "Merge?")
    status, merged = send(lena, "POST", f"projects/june/questions/{again.public_id}/boundaries/", {"how": "after"})
    assert status == 200 and [new["text"] for new in merged["items"]] == [item.text]


def test_ratings_under_earlier_guidelines_are_counted_and_offered_again(june, lena, ravi):
    work = rates(june.people["ravi"], june.project, sentences=3)
    finish(work)
    assert send(lena, "POST", "projects/june/guidelines/reoffer/")[0] == 400
    for text in ("Read.", "Read twice."):
        assert send(lena, "POST", "projects/june/guidelines/", {"text": text})[0] == 200
    versions = send(ravi, "GET", "projects/june/guidelines/versions/")[1]["results"]
    assert [(row["number"], row["text"]) for row in versions] == [(2, "Read twice."), (1, "Read.")]
    address = "projects/june/guidelines/reoffer/"
    whole = {"responses": 1, "items": 3}
    none = {"question": "accuracy", "option": "inaccurate", "dry_run": True}
    assert send(lena, "POST", address, {"dry_run": True}) == (200, whole)
    assert send(lena, "POST", address, none) == (200, {"responses": 0, "items": 0})
    assert not Bookmark.objects.exists()
    status, problem = send(lena, "POST", address, {"question": "accuracy", "option": "nothing"})
    assert status == 400 and list(problem["errors"]) == ["option"]
    assert send(lena, "POST", address, {"question": "accuracy", "option": "accurate"}) == (200, whole)
    assert Bookmark.objects.filter(reason=Bookmark.Reason.GUIDELINES).count() == 3
