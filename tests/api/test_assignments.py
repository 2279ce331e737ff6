"""A rater's whole path through the API, as a program walks it."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.judging.judges import find_judge
from annotation.models import Rating, RatingEvent, Slot, User
from annotation.projects.members import add_member, remove_member
from annotation.projects.project_settings import change_settings
from tests.api.clients import program_of, put, take
from tests.cast import ACCURATE, PASSWORD, SEVERE, marked_study, person, study
from tests.rating.judged_study import QUOTE, judged_study

PROBLEM = {"type", "title", "status", "detail", "errors"}
pytestmark = [pytest.mark.django_db, pytest.mark.study(heading=True)]
RANGE = {"paragraph": "p2", "start": 4, "end": 16, "stance": "supports", "text": "median range"}


def test_the_next_work_holds_everything_to_rate_and_nothing_that_tells_who_wrote_it(june, ravi):
    work = take(ravi)
    assert set(work) == {"id", "expires_at", "prompt", "document", "responses", "items", "protocol"}
    assert work["prompt"]["text"] == "What about point 1?"
    assert work["responses"][0]["text"] == june.responses[0].text
    heading, first = work["items"][:2]
    assert (heading["kind"], heading["rate"], heading["answers"], heading["version"]) == ("heading", False, None, 0)
    assert work["responses"][0]["text"][first["start"] : first["end"]] == first["text"]
    ids = {june.responses[0].key, june.responses[0].prompt.key}
    assert not ids & set(work["prompt"].values()) and "q1-heron" not in str(work)


def test_every_rater_sees_the_same_random_ids(june, ravi):
    rosa = program_of(june.people["rosa"])
    ravis, hers = take(ravi), take(rosa)
    assert put(rosa, ravis, 1, ACCURATE).status_code == 404, "it is his to answer"
    for part in ("prompt", "document", "responses"):
        assert ravis[part] == hers[part]
    assert [i["id"] for i in ravis["items"]] == [i["id"] for i in hers["items"]]
    assert ravis["id"] != hers["id"]


def test_the_document_is_read_by_those_who_rate_a_response_about_it(june, ravi):
    url = take(ravi)["document"]["url"]
    document = ravi.get(url).json()
    assert document["sections"][1]["paragraphs"][1] == {"id": "p3", "kind": "text", "text": "It grew to 17.3 km."}
    otto = program_of(person("otto"))
    assert otto.get(url).status_code == 404
    assert program_of(june.people["rosa"]).get(url).status_code == 404
    assert program_of(june.people["lena"]).get(url).status_code == 200


def test_answers_are_saved_resumed_and_finished(june, ravi):
    work = take(ravi)
    assert put(ravi, work, 1, SEVERE).json() == {"answers": SEVERE, "version": 1}
    again = take(ravi)
    assert again["id"] == work["id"]
    assert (again["items"][1]["answers"], again["items"][1]["version"]) == (SEVERE, 1)
    unfinished = ravi.post(f"/api/v1/assignments/{work['id']}/finish/")
    assert unfinished.status_code == 409
    assert unfinished.json()["open"] == [work["items"][2]["id"], work["items"][3]["id"]]
    put(ravi, work, 2, ACCURATE)
    put(ravi, work, 3, ACCURATE)
    assert ravi.post(f"/api/v1/assignments/{work['id']}/finish/").status_code == 200
    assert ravi.post("/api/v1/projects/june/assignments/").status_code == 204


def test_a_double_submit_is_stored_once(ravi):
    work = take(ravi)
    first = put(ravi, work, 1, ACCURATE, key="one")
    second = put(ravi, work, 1, ACCURATE, key="one")
    assert first.json() == second.json()
    assert ("Idempotent-Replayed" in first, second["Idempotent-Replayed"]) == (False, "true")
    assert RatingEvent.objects.count() == 1
    assert put(ravi, work, 1, SEVERE, key="one").status_code == 422
    assert put(ravi, work, 1, ACCURATE, key="one", base="x").status_code == 422


def test_a_receipt_outlives_the_lease(june, ravi):
    work = take(ravi)
    first = put(ravi, work, 1, ACCURATE, key="one")
    Slot.objects.filter(holder__isnull=False).update(expires_at=timezone.now() - timedelta(seconds=1))
    take(program_of(june.people["rosa"]))
    ravi.post(f"/api/v1/assignments/{work['id']}/release/")
    assert put(ravi, work, 1, ACCURATE, key="one").json() == first.json()
    assert put(ravi, work, 2, ACCURATE).status_code == 410


def address_of(work: dict, n: int = 1) -> str:
    return f"/api/v1/assignments/{work['id']}/items/{work['items'][n]['id']}/"


GOOD = {"answers": ACCURATE, "base_version": 0}
REFUSED = {
    "base_version": [{"answers": ACCURATE}],
    "answers": [{"base_version": 0}],
    "accuracy": [{**GOOD, "answers": {"accuracy": "wrong"}}, {**GOOD, "answers": {}}],
    "severity": [{**GOOD, "answers": {"accuracy": "disputed"}}],
    "acuracy": [{**GOOD, "answers": {"acuracy": "accurate"}}],
    "seconds": [{**GOOD, "seconds": -1}, {**GOOD, "seconds": "nan"}],
    "comment": [{**GOOD, "comment": text} for text in ("x" * 20_000, "half an emoji \ud83d", "NUL \0")],
    "suggestions": [{**GOOD, "suggestions": "perhaps"}],
    "evidence": [
        *({**GOOD, "evidence": [{**RANGE, **wrong}]} for wrong in (
            {"paragraph": "NUL \0"}, {"text": "half \udc00"}, {"text": "x" * 20_001}, {"end": 17}, {"stance": "maybe"},
        )),
        *({**GOOD, "evidence": [wrong]} for wrong in ({"paragraph": "p2"}, "p2")),
    ],
}  # fmt: skip


@pytest.mark.parametrize("field", REFUSED)
def test_what_is_wrong_is_named_by_field_in_plain_lines_and_nothing_is_stored(ravi, field):
    work = take(ravi)
    for body in REFUSED[field]:
        refused = ravi.put(address_of(work), json.dumps(body), content_type="application/json")
        assert refused.status_code == 400, body
        assert all(isinstance(line, str) for line in refused.json()["errors"][field])
    assert put(ravi, work, 0, ACCURATE).status_code == 400, "it is only shown"
    assert not Rating.objects.exists()


@pytest.mark.usefixtures("collected_garbage")
def test_a_hostile_body_is_refused(ravi):
    address = address_of(take(ravi))
    for body, status in (
        ("[" * 100_000, 400),
        ('{"answers": ' + "[" * 900 + "]" * 900 + "}", 400),
        (" " * 1_000_001, 413),
        ("\xff", 400),
        ("[1, 2]", 400),
        ('{"answers": {"accuracy": "accurate"}, "base_version": 1' + "0" * 5000 + "}", 400),
    ):
        refused = ravi.generic("PUT", address, body.encode("latin-1"), content_type="application/json")
        assert (refused.status_code, set(refused.json())) == (status, PROBLEM), body[:20]


def test_a_skipped_item_is_not_rated_and_the_rest_can_be_finished():
    ravi = program_of(marked_study(skips=True).people["ravi"])
    work = take(ravi)
    assert [item["rate"] for item in work["items"]] == [True, False, True, False]
    assert "item" in put(ravi, work, 1, ACCURATE).json()["errors"]
    assert ravi.post(f"/api/v1/assignments/{work['id']}/finish/").status_code == 409
    assert [put(ravi, work, n, ACCURATE).status_code for n in (0, 2)] == [200, 200]
    assert ravi.post(f"/api/v1/assignments/{work['id']}/finish/").status_code == 200


def test_the_second_tab_is_told_what_the_first_one_saved(ravi):
    work = take(ravi)
    put(ravi, work, 1, ACCURATE)
    late = put(ravi, work, 1, SEVERE, base=0)
    assert late.status_code == 409
    assert (late.json()["version"], late.json()["answers"]) == (1, ACCURATE)


def test_an_answer_is_taken_back(ravi):
    work = take(ravi)
    put(ravi, work, 1, ACCURATE)
    url = address_of(work)
    assert ravi.delete(url).status_code == 400
    for version in ("", "x", "-1", "1.5", "9" * 5000):
        assert ravi.delete(f"{url}?base_version={version}").status_code == 400
    assert Rating.objects.count() == 1
    assert ravi.delete(f"{url}?base_version=3").status_code == 409
    assert ravi.delete(f"{url}?base_version=1").json() == {"answers": {}, "version": 0}
    assert take(ravi)["items"][1]["answers"] is None
    assert put(ravi, work, 1, SEVERE, base=0).json()["version"] == 2


def test_whoever_is_removed_loses_the_lease_and_whoever_is_deactivated_loses_everything(june, ravi):
    work = take(ravi)
    put(ravi, work, 1, ACCURATE)
    remove_member(june.project, june.people["ravi"])
    assert (put(ravi, work, 2, ACCURATE).status_code, Slot.objects.filter(holder=None).count()) == (404, 2)
    assert ravi.get(work["document"]["url"]).status_code == 404
    assert Rating.objects.count() == 1
    rosa = program_of(june.people["rosa"])
    take(rosa)
    User.objects.filter(username="rosa").update(is_active=False)
    assert rosa.post("/api/v1/projects/june/assignments/").status_code == 401


def test_admins_and_leads_rate_only_as_members(june):
    ada = person("ada", admin=True)
    assert program_of(ada).post("/api/v1/projects/june/assignments/").status_code == 403
    add_member(june.project, ada, "rater")
    assert take(program_of(ada))["items"]
    assert take(program_of(june.people["lena"]))["items"]


def test_an_address_that_does_not_exist_is_said_in_json(ravi):
    for address in ("/api/v1/nothing/", "/api/v1/assignments/7/finish/", "/api/v2/"):
        answer = ravi.post(address)
        assert (answer.status_code, set(answer.json())) == (404, PROBLEM)
    assert "<!doctype html>" in ravi.get("/nothing/").content.decode()


def test_a_token_or_a_session_with_its_csrf_token_is_needed(june):
    session = APIClient(enforce_csrf_checks=True)
    assert session.login(username="ravi", password=PASSWORD)
    for client, status in ((session, 403), (APIClient(HTTP_AUTHORIZATION="Token wrong"), 401)):
        assert client.post("/api/v1/projects/june/assignments/").status_code == status


def test_work_given_back_and_taken_again_keeps_its_id_and_its_answers_until_it_is_finished(june, ravi):
    work = take(ravi)
    put(ravi, work, 1, ACCURATE)
    assert ravi.post(f"/api/v1/assignments/{work['id']}/release/").status_code == 200
    again = take(ravi)
    assert again["id"] == work["id"]
    assert (again["items"][1]["answers"], again["items"][1]["version"]) == (ACCURATE, 1)
    for n in (2, 3):
        assert put(ravi, again, n, ACCURATE).status_code == 200
    ravi.post(f"/api/v1/assignments/{work['id']}/finish/")
    assert ravi.post(f"/api/v1/assignments/{work['id']}/release/").status_code == 409
    assert Rating.objects.filter(counted=True).count() == 3


@pytest.mark.django_db(transaction=True)  # else each savepoint would count as two queries
@pytest.mark.parametrize("prompts", [1, 30])
def test_saving_and_next_work_stay_within_their_queries(june, prompts, django_assert_max_num_queries):
    study("other", prompts=prompts)
    client = APIClient()
    client.login(username="ravi", password=PASSWORD)
    with django_assert_max_num_queries(10):
        work = take(client, "other")
    with django_assert_max_num_queries(4):
        assert put(client, work, 0, ACCURATE).status_code == 200
    with django_assert_max_num_queries(4):
        assert put(client, work, 0, SEVERE, base=1).status_code == 200
    with django_assert_max_num_queries(5):
        assert put(client, work, 0, SEVERE, base=2, evidence=[RANGE] * 3).status_code == 200


def test_verdicts_are_in_the_work_only_where_the_project_shows_them_before():
    june = judged_study("before")
    ravi = program_of(june.people["ravi"])
    work = take(ravi)
    assert work["items"][0]["verdict"] == {
        "judge": "rule@1",
        "answers": {"accuracy": "inaccurate", "severity": "not_severe"},
        "reason": "Not in the document: 1.",
        "quote": QUOTE,
        "quote_found": True,
    }
    put(ravi, work, 0, ACCURATE, verdict_shown=False)  # what the client says does not matter
    change_settings(june.project, {"verdict_visibility": "after", "shown_judge": find_judge("rule")})
    assert all("verdict" not in item for item in take(ravi)["items"])
    rosa = program_of(june.people["rosa"])
    put(rosa, take(rosa), 0, ACCURATE)
    marks = Rating.objects.filter(role="rater").values_list("rater__username", "verdict_shown")
    assert dict(marks) == {"ravi": True, "rosa": False}
