"""Disagreements, adjudications and gold answers, by a program."""

import pytest

from annotation.models import AuditEvent, Item, Project, Rating, User
from annotation.rating.finish import finish
from annotation.reviewing.gold import set_gold
from tests.api.clients import send
from tests.cast import ACCURATE, SEVERE, study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
REVIEW = "projects/june/review/"


@pytest.fixture
def contested(june) -> Item:
    """Return an item on which two raters who have finished the response disagree."""
    for name in ("ravi", "rosa"):
        finish(rates(june.people[name], june.project, sentences=3))
    item = june.items()[1]
    Rating.objects.filter(item=item, rater=june.people["rosa"]).update(answers=SEVERE, choices=SEVERE)
    return item


def test_disagreements_are_listed_and_adjudicated(contested, lena):
    listed = send(lena, "GET", REVIEW)[1]
    assert listed["count"] == 1 and listed["items"][0]["item"] == str(contested.public_id)
    assert sorted(vote["raters"] for vote in listed["items"][0]["votes"]) == [1, 1]
    address = f"{REVIEW}{contested.public_id}/"
    body = {"answers": ACCURATE, "reason": "The abstract says so."}
    status, decided = send(lena, "PUT", address, body)
    assert status == 200 and decided["adjudication"]["answers"] == ACCURATE
    assert (decided["adjudication"]["reason"], decided["adjudication"]["by"]) == ("The abstract says so.", "lena")
    assert send(lena, "GET", REVIEW)[1]["count"] == 0
    assert send(lena, "GET", f"{REVIEW}?show=adjudicated")[1]["count"] == 1
    assert send(lena, "DELETE", address)[1]["adjudication"] is None
    actions = AuditEvent.objects.filter(action__contains="adjudicat").values_list("action", flat=True)
    assert list(actions.order_by("pk")) == ["adjudicate", "withdraw adjudication"]


def test_a_decision_that_is_not_allowed_is_refused_at_the_field(contested, lena):
    for answers, reason, field in (
        (ACCURATE, {"reason": " "}, "reason"),
        (ACCURATE, {}, "reason"),
        ({"accuracy": "perhaps"}, {"reason": "So."}, "accuracy"),
        ({"accuracy": "inaccurate"}, {"reason": "So."}, "severity"),
    ):
        status, problem = send(lena, "PUT", f"{REVIEW}{contested.public_id}/", {"answers": answers, **reason})
        assert (status, list(problem["errors"])) == (400, [field])
    assert not Rating.objects.filter(role="adjudicator").exists()


def test_gold_answers_are_set_listed_and_removed(contested, lena):
    address = f"{REVIEW}{contested.public_id}/gold/"
    status, row = send(lena, "PUT", address, {"answers": SEVERE, "reason": "Table 2."})
    assert status == 200 and row["gold"]["answers"] == SEVERE
    assert send(lena, "GET", f"{REVIEW}gold/")[1]["count"] == 1
    [candidate] = send(lena, "GET", "projects/june/gold/")[1]["results"]
    assert (candidate["gold"], candidate["items"], candidate["reasons"]) == (1, 3, 1)
    assert send(lena, "DELETE", address)[1]["gold"] is None
    assert send(lena, "GET", f"{REVIEW}gold/")[1] == {"count": 0, "items": []}


def test_an_item_of_another_project_is_not_found(contested, lena):
    july = study("july")
    assert send(lena, "GET", f"{REVIEW}{july.items()[0].public_id}/")[0] == 404


def test_pages_of_a_ranked_list_are_linked_and_end_without_an_error(contested, monkeypatch, lena):
    for item in contested.response.items.order_by("position"):
        set_gold(Project.objects.get(), item, ACCURATE, User.objects.get(username="lena"))
    monkeypatch.setattr("annotation.api.review.PAGE", 2)
    first = lena.get(f"/api/v1/{REVIEW}gold/")
    assert first["Link"] == f'<http://testserver/api/v1/{REVIEW}gold/?offset=2>; rel="next"'
    last = lena.get(f"/api/v1/{REVIEW}gold/?offset=2")
    assert last["Link"] == f'<http://testserver/api/v1/{REVIEW}gold/?offset=0>; rel="prev"'
    after = lena.get(f"/api/v1/{REVIEW}?system=heron&offset=90")
    assert (after.status_code, after.json()) == (200, {"count": 1, "items": []})
    assert after["Link"] == f'<http://testserver/api/v1/{REVIEW}?offset=88&system=heron>; rel="prev"'
    assert "Link" not in lena.get(f"/api/v1/{REVIEW}")
    monkeypatch.setattr("annotation.api.review.PAGE", 1)
    assert "Link" not in lena.get(f"/api/v1/{REVIEW}"), "a full page is the last one"
