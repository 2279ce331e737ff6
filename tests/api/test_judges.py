"""Judges for programs of leads: start, follow and cancel runs, estimate, and read verdicts."""

from unittest.mock import Mock

import pytest
from rest_framework.test import APIClient

from annotation import jobs
from annotation.accounts.tokens import create_token
from annotation.api.site_judges import NewJudgeSerializer
from annotation.judging import estimate, run
from annotation.judging.tuning import record_tuning
from annotation.judging.workload import busy_error
from annotation.model_calls.keys import key_of
from annotation.model_calls.runs import RunLimits
from annotation.models import AuditEvent, Item, Judge, Project, Verdict
from annotation.projects.archiving import archive
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reporting.sections.judge.comparison import compare_judge
from tests.api.clients import send
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, person, study
from tests.judging.fake_endpoint import fake_endpoint
from tests.judging.judges import PRICE, TOKENS, model_judge, rule_judge
from tests.web.pages import rates

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=2)]
ROOT = "projects/june"
RUNS = f"{ROOT}/judge-runs/"
RULE = {"judge": "rule"}
MODEL = {"name": "strict", "base_url": "https://models.example.org/v1", "model": "large-1"}


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """Return the list of jobs that are sent to a worker."""
    found = []
    monkeypatch.setattr("tasks.judging.enqueue", found.append)
    return found


def path_of(address: str) -> str:
    """Return what follows /api/v1/ in an address."""
    return address.partition("/api/v1/")[2]


def test_a_run_is_started_followed_and_listed(lena, sent):
    rule_judge()
    expected = {"judge": "rule@1", "rule": "always-accurate", "model": "", "items": 6, "rated": 0, "failed": 0}
    expected |= dict.fromkeys(("returned_model", "cost_usd", "last_run_at", "estimate"), None) | {"problem": ""}
    assert send(lena, "GET", f"{ROOT}/judges/")[1]["judges"][0] == expected
    status, started = send(lena, "POST", RUNS, {**RULE, "limit": 4})
    assert (status, started) == (202, {"id": str(sent[0].public_id)})
    address = f"{RUNS}{started['id']}/"
    document = send(lena, "GET", address)[1]
    assert document["state"] == "queued" and {document[name] for name in ("run", "result", "estimate")} == {None}
    jobs.run(sent[0].pk, run.run_judge_job)
    document = send(lena, "GET", address)[1]
    assert (document["state"], document["progress"]["done"], document["result"]["missing"]) == ("done", 4, 2)
    listed = send(lena, "GET", f"{RUNS}?judge=rule")[1]
    assert listed["results"] == [document["run"]]
    fields = ("id", "judge", "started_by", "ended", "limit", "rated", "failed", "requests", "cost_usd", "is_estimate")
    expected = [started["id"], "rule@1", "lena", "limit", 4, 4, 0, 0, None, False]
    assert [document["run"][name] for name in fields] == expected


def test_the_judge_of_an_answer_sent_back_is_the_same_version(lena, june, sent):
    first = rule_judge("numbers", "digits")
    run.run_judge(first, june.project, RunLimits(limit=1))
    rule_judge("always-accurate", "digits")
    names = [row["judge"] for row in send(lena, "GET", f"{ROOT}/judges/")[1]["judges"]]
    assert names == ["digits@1", "digits@2"]
    assert [row["judge"] for row in send(lena, "GET", RUNS)[1]["results"]] == ["digits@1"]
    assert len(send(lena, "GET", f"{ROOT}/verdicts/?judge={names[0]}")[1]["results"]) == 1
    send(lena, "POST", RUNS, {"judge": names[0]})
    assert sent[0].params["judge"] == first.pk


def test_an_estimate_and_verdicts_with_their_costs(lena, sent):
    with fake_endpoint(faults=["no", "still no"]) as endpoint:
        endpoint.names = {"model": "tiny-1", "system_fingerprint": "fp_1"}
        model_judge(endpoint, concurrency=1)
        job = send(lena, "POST", RUNS, {"judge": "small", "estimate": True})[1]["id"]
        jobs.run(sent[0].pk, estimate.estimate_run_job)
        document = send(lena, "GET", f"{RUNS}{job}/")[1]
        assert (document["result"], document["estimate"]["items"], document["run"]["is_estimate"]) == (None, 6, True)
        assert send(lena, "GET", f"{ROOT}/judges/")[1]["judges"][0]["estimate"] == document["estimate"]
        assert document["estimate"]["tokens"] == document["estimate"]["requests"] * TOKENS == document["run"]["tokens"]
        body = {"judge": "small", "budget_usd": 5, "budget_tokens": 100_000, "retry_failed": True}
        send(lena, "POST", RUNS, body)
        assert sent[1].params["budget_usd"] == "5.000000" and sent[1].params["retry_failed"] is True
        jobs.run(sent[1].pk, run.run_judge_job)
    newest = send(lena, "GET", RUNS)[1]["results"][0]
    assert (newest["budget_tokens"], newest["tokens"], newest["fingerprints"]) == (100_000, 6 * TOKENS, 1)
    assert send(lena, "GET", f"{ROOT}/judges/")[1]["judges"][0]["returned_model"] == "tiny-1"
    verdicts = send(lena, "GET", f"{ROOT}/verdicts/?judge=small")[1]["results"]
    assert len(verdicts) == 6
    good = next(each for each in verdicts if each["state"] == "rated")
    item = Item.objects.get(public_id=good["item_id"])
    assert (good["response"], good["item"], good["text"]) == (item.response.key, item.position, item.text)
    assert good["answers"] == {"accuracy": "accurate"} and good["reason"] == "It is there."
    assert (good["quote_found"], good["cost_usd"], good["votes"]) == (True, float(PRICE), [])
    assert good["fingerprints"] == "fp_1"


def test_failed_verdicts_are_selected_and_pages_follow_each_other(lena, june):
    run.run_judge(rule_judge(), june.project)
    Verdict.objects.filter(item__response=june.responses[0]).update(state="failed", problem="No.", rating=None)
    failed = send(lena, "GET", f"{ROOT}/verdicts/?judge=rule&state=failed")[1]
    assert {(row["answers"], row["problem"]) for row in failed["results"]} == {(None, "No.")}
    first = send(lena, "GET", f"{ROOT}/verdicts/?judge=rule&limit=4")[1]
    second = send(lena, "GET", path_of(first["next"]))[1]
    assert [len(page["results"]) for page in (first, second)] == [4, 2]
    assert second["next"] is None


def test_a_run_is_canceled_a_second_one_gets_409_and_an_archived_project_423(lena, june, sent):
    rule_judge()
    job = send(lena, "POST", RUNS, RULE)[1]["id"]
    status, problem = send(lena, "POST", RUNS, {**RULE, "estimate": True})
    assert status == 409 and "is rating this project now" in problem["detail"]
    assert send(lena, "DELETE", f"{RUNS}{job}/")[1] == {}
    assert send(lena, "GET", f"{RUNS}{job}/")[1]["state"] == "cancelled"
    export = jobs.create("export", project=june.project)
    assert send(lena, "DELETE", f"{RUNS}{export.public_id}/")[0] == 404
    archive(june.project)
    assert send(lena, "POST", RUNS, RULE)[0] == 423
    assert len(sent) == 1


@pytest.mark.parametrize(
    ("name", "limits", "statuses"),
    [
        ("lena", {"scope": "read"}, (200, 403, 403)),
        ("lena", {"scope": "rate"}, (403, 403, 403)),
        ("lena", {"project": "july"}, (404, 404, 403)),
        ("ada", {"project": "june"}, (200, 202, 403)),
    ],
)
def test_limits_of_tokens_hold(june, lena, ada, name, limits, statuses):
    rule_judge()
    study("july", raters=())
    if slug := limits.get("project"):
        limits = {"project": Project.objects.get(slug=slug)}
    key, _token = create_token(person(name), **limits)
    client = APIClient(HTTP_AUTHORIZATION=f"Token {key}")
    requests = (("GET", RUNS, None), ("POST", RUNS, RULE), ("POST", "judges/", MODEL))
    assert tuple(send(client, *request)[0] for request in requests) == statuses
    assert Judge.objects.count() == 1


def test_an_admin_creates_judges_and_no_answer_has_a_key(ada):
    body = {**MODEL, "key": "secret-1", "input_price": "2", "output_price": "8.5", "samples": 3, "temperature": 0.5}
    assert send(ada, "POST", "judges/", body) == (201, {"judge": "strict@1"})
    judge = Judge.objects.get()
    assert (judge.model, judge.samples, judge.created_by.username, key_of(judge)) == ("large-1", 3, "ada", "secret-1")
    assert send(ada, "POST", "judges/", {**body, "key": "secret-2"}) == (200, {"judge": "strict@1"})
    judge.refresh_from_db()
    assert key_of(judge) == "secret-2"
    assert send(ada, "POST", "judges/", {**MODEL, "sees": "passages"})[1] == {"judge": "strict@2"}
    assert send(ada, "POST", "judges/", {"name": "digits", "rule": "numbers"})[0] == 201
    listed = send(ada, "GET", "judges/")[1]["judges"]
    assert [row["judge"] for row in listed] == ["digits@1", "strict@1", "strict@2"]
    assert listed[1]["has_key"] is True and "secret" not in str(listed)
    actions = list(AuditEvent.objects.filter(actor__username="ada").order_by("pk").values_list("action", flat=True))
    assert actions == ["create judge", "replace judge key", "create judge", "create judge"]
    assert "secret" not in str(list(AuditEvent.objects.values_list("after", flat=True)))


def test_every_option_of_a_configuration_can_be_given():
    others = {"name", "key", "repeat", "tuned_on", "tuned_on_project"}
    assert set(NewJudgeSerializer().fields) == {
        *(Judge.PUBLIC_NAMES.get(name, name) for name in Judge.SETTINGS),
        *others,
    }


def test_a_judge_is_repeated_and_takes_no_other_options_then(ada):
    send(ada, "POST", "judges/", {**MODEL, "key": "sk-secret"})
    assert send(ada, "POST", "judges/", {"name": "strict", "repeat": True}) == (201, {"judge": "strict@2"})
    assert key_of(Judge.objects.get(version=2)) == "sk-secret"
    status, problem = send(ada, "POST", "judges/", {**MODEL, "repeat": True})
    assert (status, list(problem["errors"])) == (400, ["repeat"])
    assert send(ada, "POST", "judges/", {"name": "other", "repeat": True})[0] == 400
    assert Judge.objects.count() == 2


def test_the_items_that_tuned_a_judge_are_given_by_the_api(ada, june):
    item = june.items()[0]
    rows = [{"response": item.response.key, "item": item.position}]
    assert send(ada, "POST", "judges/", {**MODEL, "tuned_on": rows})[0] == 201
    assert list(Judge.objects.get().tuning_items.values_list("item", flat=True)) == [item.pk]
    assert send(ada, "GET", "judges/")[1]["judges"][0]["tuning_items"] == 1
    for values, field in (
        ({"tuned_on": [{"response": "none", "item": 0}]}, "tuned_on"),
        ({"tuned_on_project": "none"}, "tuned_on_project"),
        ({"tuned_on_project": "june"}, "judge"),
    ):
        status, problem = send(ada, "POST", "judges/", {**MODEL, "name": "new", **values})
        assert (status, list(problem["errors"])) == (400, [field])
    assert Judge.objects.count() == 1


def test_a_lead_lists_the_items_of_the_data_set_that_tuned_a_judge(lena, june):
    judge, other = rule_judge(), study("july", prompts=1)
    first, second = june.items()[:2]
    record_tuning(judge, [first.pk, second.pk, other.items()[0].pk])
    address = f"{ROOT}/judges/rule/1/tuning-items/"
    rows = send(lena, "GET", address)[1]["results"]
    assert rows[0] == {
        "response": first.response.key,
        "against": None,
        "unit": "sentence",
        "item": first.position,
        "item_id": str(first.public_id),
        "text": first.text,
    }
    assert [row["item_id"] for row in rows] == [str(first.public_id), str(second.public_id)]
    assert send(lena, "GET", f"{ROOT}/judges/rule/2/tuning-items/")[0] == 404


def test_an_admin_deletes_requests_but_not_during_a_run_and_verdicts_stay(lena, ada, june, monkeypatch):
    with fake_endpoint() as endpoint:
        judge = model_judge(endpoint)
        run.run_judge(judge, june.project)
    address = f"{ROOT}/judge-requests/?judge=small"
    assert send(lena, "DELETE", address)[0] == 403
    assert send(ada, "DELETE", f"{ROOT}/judge-requests/?judge=none")[0] == 400
    with monkeypatch.context() as during_a_run:
        during_a_run.setattr("annotation.judging.calls.run_lock", Mock(side_effect=busy_error(judge)))
        assert send(ada, "DELETE", address)[0] == 409
    assert len(send(lena, "GET", address)[1]["results"]) == 6
    assert send(ada, "DELETE", address) == (200, {"deleted": 6})
    assert send(lena, "GET", address)[1]["results"] == [] and Verdict.objects.count() == 6
    event = AuditEvent.objects.get(action="delete judge requests")
    assert (event.actor.username, event.target, event.before) == ("ada", "judge:small@1", {"requests": 6})


def test_requests_come_in_pages_by_run_and_state(lena, june):
    with fake_endpoint(faults=[500]) as endpoint:
        judge = model_judge(endpoint, key="sk-secret", concurrency=1)
        run.run_judge(judge, june.project, RunLimits(limit=2))
        run.run_judge(judge, june.project)
    address = f"{ROOT}/judge-requests/?judge=small"
    first = send(lena, "GET", f"{address}&limit=4")[1]
    rest = send(lena, "GET", path_of(first["next"]))[1]
    rows = first["results"] + rest["results"]
    assert (len(first["results"]), len(rows), rest["next"]) == (4, 7, None)
    assert [row["state"] for row in rows] == ["failed", *["answered"] * 6]
    assert rows[1]["answer"].startswith('{"answers"') and rows[1]["request"]["model"] == "tiny"
    assert "sk-secret" not in str(rows)
    [newest, oldest] = send(lena, "GET", f"{ROOT}/judge-runs/")[1]["results"]
    assert len(send(lena, "GET", f"{address}&run={newest['number']}")[1]["results"]) == 4
    assert len(send(lena, "GET", f"{address}&run={oldest['number']}&state=failed")[1]["results"]) == 1
    assert send(lena, "GET", f"{address}&state=other")[0] == 400
    assert AuditEvent.objects.filter(target="judge:small@1", after__name="requests").exists()


def test_verdicts_are_selected_by_answer_and_by_what_people_answered(lena, june):
    run.run_judge(rule_judge(), june.project)
    work = rates(june.people["ravi"], june.project, sentences=0)
    answers = (ACCURATE, SEVERE, CANNOT_ASSESS)
    items = list(work.sheet.response.items.order_by("position"))
    for item, answer in zip(items, answers, strict=True):
        save(june.people["ravi"], work.public_id, item.public_id, Submission(answer, base_version=0))
    finish(work)
    differing = send(lena, "GET", f"{ROOT}/verdicts/?judge=rule&state=differs")[1]
    assert [row["item_id"] for row in differing["results"]] == [str(items[1].public_id)]
    assert len(send(lena, "GET", f"{ROOT}/verdicts/?judge=rule&option=accurate")[1]["results"]) == 6
    assert send(lena, "GET", f"{ROOT}/verdicts/?judge=rule&option=disputed")[1]["results"] == []
    status, problem = send(lena, "GET", f"{ROOT}/verdicts/?judge=rule&option=wrong")
    assert status == 400 and "accurate, disputed" in problem["errors"]["option"][0]


def test_the_comparison_is_that_of_the_command_and_its_reading_is_recorded(lena, june):
    judge = rule_judge()
    address = f"{ROOT}/judges/rule/1/comparison/"
    assert send(lena, "GET", address)[0] == 404
    run.run_judge(judge, june.project)
    response = lena.get(f"/api/v1/{address}")
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response.content == compare_judge(june.project, judge).to_json()
    event = AuditEvent.objects.get(target="judge:rule@1", actor=june.people["lena"])
    assert (event.project, event.after["name"]) == (june.project, "comparison.json")
    assert send(lena, "GET", f"{ROOT}/judges/rule/2/comparison/")[0] == 404
