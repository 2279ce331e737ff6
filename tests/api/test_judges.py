"""Judges for programs of leads: start, follow and cancel runs, estimate, and read verdicts."""

import pytest

from annotation import jobs
from annotation.accounts.tokens import create_token
from annotation.api.site_judge_serializers import NewJudgeSerializer
from annotation.judging import estimate, run
from annotation.judging.judges import Configuration
from annotation.judging.run_lock import busy_error
from annotation.judging.tuning import record_tuning
from annotation.model_calls.keys import key_of
from annotation.models import AuditEvent, Item, Job, Judge, Verdict
from annotation.projects.archiving import archive
from annotation.reporting.judge_report import compare_judge
from tests.api.clients import program_of
from tests.cast import person, study
from tests.judging.fake_endpoint import fake_endpoint
from tests.judging.judges import PRICE, TOKENS, model_judge, rule_judge

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/projects/june"
RUNS = f"{ROOT}/judge-runs/"
SITE_JUDGES = "/api/v1/judges/"
MODEL = {"name": "strict", "base_url": "https://models.example.org/v1", "model": "large-1"}


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """Return the list of jobs that are sent to a worker."""
    found = []
    monkeypatch.setattr("tasks.judging.enqueue", found.append)
    return found


@pytest.fixture
def june():
    return study(prompts=2, sentences=3)


@pytest.fixture
def lena(june):
    return program_of(june.people["lena"])


def test_a_run_is_started_followed_and_listed(lena, sent):
    rule_judge()
    assert lena.get(f"{ROOT}/judges/").json()["judges"][0] == {
        "judge": "rule@1",
        "rule": "always-accurate",
        "model": "",
        "returned_model": None,
        "items": 6,
        "rated": 0,
        "failed": 0,
        "cost_usd": None,
        "last_run_at": None,
        "estimate": None,
        "problem": "",
    }
    started = lena.post(RUNS, {"judge": "rule", "limit": 4}, format="json")
    assert (started.status_code, started.json()) == (202, {"id": str(sent[0].public_id)})
    address = f"{RUNS}{started.json()['id']}/"
    document = lena.get(address).json()
    assert (document["state"], document["run"], document["result"], document["estimate"]) == (
        "queued",
        None,
        None,
        None,
    )
    jobs.run(sent[0].pk, run.run_judge_job)
    document = lena.get(address).json()
    assert (document["state"], document["progress"]["done"], document["result"]["missing"]) == ("done", 4, 2)
    listed = lena.get(f"{RUNS}?judge=rule").json()
    assert listed["results"] == [document["run"]]
    fields = ("id", "judge", "started_by", "ended", "limit", "rated", "failed", "requests", "cost_usd", "is_estimate")
    assert [document["run"][name] for name in fields] == [
        started.json()["id"], "rule@1", "lena", "limit", 4, 4, 0, 0, None, False,
    ]  # fmt: skip


def test_the_judge_of_an_answer_sent_back_is_the_same_version(lena, june, sent):
    first = rule_judge("numbers", "digits")
    run.run_judge(first, june.project, limit=1)
    rule_judge("always-accurate", "digits")
    names = [row["judge"] for row in lena.get(f"{ROOT}/judges/").json()["judges"]]
    assert names == ["digits@1", "digits@2"]
    assert [row["judge"] for row in lena.get(RUNS).json()["results"]] == ["digits@1"]
    assert len(lena.get(f"{ROOT}/verdicts/?judge={names[0]}").json()["results"]) == 1
    lena.post(RUNS, {"judge": names[0]}, format="json")
    assert sent[0].params["judge"] == first.pk


def test_an_estimate_and_verdicts_with_their_costs(lena, sent):
    with fake_endpoint(faults=["no", "still no"]) as endpoint:
        endpoint.names = {"model": "tiny-1", "system_fingerprint": "fp_1"}
        model_judge(endpoint, concurrency=1)
        job = lena.post(RUNS, {"judge": "small", "estimate": True}, format="json").json()["id"]
        jobs.run(sent[0].pk, estimate.estimate_run_job)
        document = lena.get(f"{RUNS}{job}/").json()
        assert (document["result"], document["estimate"]["items"], document["run"]["is_estimate"]) == (None, 6, True)
        assert lena.get(f"{ROOT}/judges/").json()["judges"][0]["estimate"] == document["estimate"]
        assert document["estimate"]["tokens"] == document["estimate"]["requests"] * TOKENS == document["run"]["tokens"]
        body = {"judge": "small", "budget_usd": 5, "budget_tokens": 100_000, "retry_failed": True}
        lena.post(RUNS, body, format="json")
        assert sent[1].params["budget_usd"] == "5.000000" and sent[1].params["retry_failed"] is True
        jobs.run(sent[1].pk, run.run_judge_job)
    newest = lena.get(RUNS).json()["results"][0]
    assert (newest["budget_tokens"], newest["tokens"], newest["fingerprints"]) == (100_000, 6 * TOKENS, 1)
    assert lena.get(f"{ROOT}/judges/").json()["judges"][0]["returned_model"] == "tiny-1"
    verdicts = lena.get(f"{ROOT}/verdicts/?judge=small").json()["results"]
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
    failed = lena.get(f"{ROOT}/verdicts/?judge=rule&state=failed").json()
    assert {(row["answers"], row["problem"]) for row in failed["results"]} == {(None, "No.")}
    first = lena.get(f"{ROOT}/verdicts/?judge=rule&limit=4").json()
    second = lena.get(first["next"]).json()
    assert [len(page["results"]) for page in (first, second)] == [4, 2]
    assert second["next"] is None


def test_a_run_is_canceled(lena, sent):
    rule_judge()
    job = lena.post(RUNS, {"judge": "rule"}, format="json").json()["id"]
    assert lena.delete(f"{RUNS}{job}/").json() == {}
    assert lena.get(f"{RUNS}{job}/").json()["state"] == "cancelled"
    export = jobs.create("export", project=Job.objects.get().project)
    assert lena.delete(f"{RUNS}{export.public_id}/").status_code == 404


@pytest.mark.parametrize(
    "body, field",
    [
        ({}, "judge"),
        ({"judge": "nobody"}, "judge"),
        ({"judge": "rule", "limit": 0}, "limit"),
        ({"judge": "rule", "budget_usd": "nan"}, "budget_usd"),
        ({"judge": "rule", "budget_usd": 1}, "judge"),
        ({"judge": "rule", "budget_tokens": 1}, "judge"),
        ({"judge": "rule", "budget_tokens": 0}, "budget_tokens"),
    ],
)
def test_an_invalid_run_is_refused_at_its_field(lena, sent, body, field):
    rule_judge()
    response = lena.post(RUNS, body, format="json")
    assert (response.status_code, list(response.json()["errors"])) == (400, [field])
    assert not sent


def test_a_second_run_gets_409_and_an_archived_project_423(lena, june, sent):
    rule_judge()
    lena.post(RUNS, {"judge": "rule"}, format="json")
    response = lena.post(RUNS, {"judge": "rule", "estimate": True}, format="json")
    assert response.status_code == 409 and "is rating this project now" in response.json()["detail"]
    archive(june.project)
    assert lena.post(RUNS, {"judge": "rule"}, format="json").status_code == 423
    assert len(sent) == 1


@pytest.mark.parametrize("limits, statuses", [({"scope": "read"}, (200, 403)), ({"scope": "rate"}, (403, 403))])
def test_scopes_of_tokens_hold(june, limits, statuses):
    rule_judge()
    key, _token = create_token(june.people["lena"], **limits)
    client = program_of(june.people["lena"])
    client.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    assert (client.get(RUNS).status_code, client.post(RUNS, {"judge": "rule"}, format="json").status_code) == statuses


def test_a_token_of_another_project_gets_404(june):
    other = study("other", raters=()).project
    key, _token = create_token(june.people["lena"], project=other)
    client = program_of(june.people["lena"])
    client.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    assert client.get(RUNS).status_code == client.get(f"{ROOT}/verdicts/?judge=rule").status_code == 404


def test_raters_and_others_have_no_part_in_it(june):
    rule_judge()
    for name, status in {"ravi": 403, "otto": 404}.items():
        client = program_of(person(name))
        for path in ("judges/", "judge-runs/", "verdicts/?judge=rule"):
            assert client.get(f"{ROOT}/{path}").status_code == status
        assert client.post(RUNS, {"judge": "rule"}, format="json").status_code == status


@pytest.fixture
def ada():
    """Return a program of an admin."""
    return program_of(person("ada", admin=True))


def test_an_admin_creates_judges_and_no_answer_has_a_key(ada):
    body = {**MODEL, "key": "secret-1", "input_price": "2", "output_price": "8.5", "samples": 3, "temperature": 0.5}
    created = ada.post(SITE_JUDGES, body, format="json")
    assert (created.status_code, created.json()) == (201, {"judge": "strict@1"})
    judge = Judge.objects.get()
    assert (judge.model, judge.samples, judge.created_by.username, key_of(judge)) == ("large-1", 3, "ada", "secret-1")
    again = ada.post(SITE_JUDGES, {**body, "key": "secret-2"}, format="json")
    assert (again.status_code, again.json()) == (200, {"judge": "strict@1"})
    judge.refresh_from_db()
    assert key_of(judge) == "secret-2"
    assert ada.post(SITE_JUDGES, {**MODEL, "sees": "passages"}, format="json").json() == {"judge": "strict@2"}
    assert ada.post(SITE_JUDGES, {"name": "digits", "rule": "numbers"}, format="json").status_code == 201
    listed = ada.get(SITE_JUDGES)
    assert [row["judge"] for row in listed.json()["judges"]] == ["digits@1", "strict@1", "strict@2"]
    assert listed.json()["judges"][1]["has_key"] is True and "secret" not in listed.content.decode()
    actions = list(AuditEvent.objects.filter(actor__username="ada").order_by("pk").values_list("action", flat=True))
    assert actions == ["create judge", "replace judge key", "create judge", "create judge"]
    assert "secret" not in str(list(AuditEvent.objects.values_list("after", flat=True)))


def test_every_option_of_a_configuration_can_be_given():
    others = {"name", "key", "repeat", "tuned_on", "tuned_on_project"}
    assert set(NewJudgeSerializer().fields) == {*Configuration.__dataclass_fields__, *others}


def test_a_judge_is_repeated_and_takes_no_other_options_then(ada):
    ada.post(SITE_JUDGES, {**MODEL, "key": "sk-secret"}, format="json")
    response = ada.post(SITE_JUDGES, {"name": "strict", "repeat": True}, format="json")
    assert (response.status_code, response.json()) == (201, {"judge": "strict@2"})
    assert key_of(Judge.objects.get(version=2)) == "sk-secret"
    refused = ada.post(SITE_JUDGES, {**MODEL, "repeat": True}, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["repeat"])
    assert ada.post(SITE_JUDGES, {"name": "other", "repeat": True}, format="json").status_code == 400
    assert Judge.objects.count() == 2


def test_the_items_that_tuned_a_judge_are_given_by_the_api(ada, june):
    item = june.items()[0]
    rows = [{"response": item.response.key, "item": item.position}]
    assert ada.post(SITE_JUDGES, {**MODEL, "tuned_on": rows}, format="json").status_code == 201
    assert list(Judge.objects.get().tuning_items.values_list("item", flat=True)) == [item.pk]
    assert ada.get(SITE_JUDGES).json()["judges"][0]["tuning_items"] == 1
    for values, field in (
        ({"tuned_on": [{"response": "none", "item": 0}]}, "tuned_on"),
        ({"tuned_on_project": "none"}, "tuned_on_project"),
        ({"tuned_on_project": "june"}, "judge"),
    ):
        refused = ada.post(SITE_JUDGES, {**MODEL, "name": "new", **values}, format="json")
        assert (refused.status_code, list(refused.json()["errors"])) == (400, [field])
    assert Judge.objects.count() == 1


def test_a_lead_lists_the_items_of_the_data_set_that_tuned_a_judge(lena, june):
    judge, other = rule_judge(), study("july", prompts=1)
    first, second = june.items()[:2]
    record_tuning(judge, [first.pk, second.pk, other.items()[0].pk])
    address = f"{ROOT}/judges/rule/1/tuning-items/"
    rows = lena.get(address).json()["results"]
    assert rows[0] == {
        "response": first.response.key,
        "against": None,
        "unit": "sentence",
        "item": first.position,
        "item_id": str(first.public_id),
        "text": first.text,
    }
    assert [row["item_id"] for row in rows] == [str(first.public_id), str(second.public_id)]
    assert lena.get(f"{ROOT}/judges/rule/2/tuning-items/").status_code == 404
    assert program_of(person("ravi")).get(address).status_code == 403


def test_an_admin_deletes_requests_and_verdicts_stay(lena, ada, june):
    with fake_endpoint() as endpoint:
        judge = model_judge(endpoint)
        run.run_judge(judge, june.project)
    address = f"{ROOT}/judge-requests/?judge=small"
    assert lena.delete(address).status_code == 403
    assert ada.delete(f"{ROOT}/judge-requests/?judge=none").status_code == 400
    assert len(lena.get(address).json()["results"]) == 6
    deleted = ada.delete(address)
    assert (deleted.status_code, deleted.json()) == (200, {"deleted": 6})
    assert lena.get(address).json()["results"] == [] and Verdict.objects.count() == 6
    event = AuditEvent.objects.get(action="delete judge requests")
    assert (event.actor.username, event.target, event.before) == ("ada", "judge:small@1", {"requests": 6})


def test_requests_are_not_deleted_while_the_judge_rates(ada, june, monkeypatch):
    judge = rule_judge()

    def busy(*_args, **_named):
        raise busy_error(judge)

    monkeypatch.setattr("annotation.judging.calls.run_lock", busy)
    assert ada.delete(f"{ROOT}/judge-requests/?judge=rule").status_code == 409


def test_requests_come_in_pages_by_run_and_state(lena, june):
    with fake_endpoint(faults=[500]) as endpoint:
        judge = model_judge(endpoint, key="sk-secret", concurrency=1)
        run.run_judge(judge, june.project, limit=2)
        run.run_judge(judge, june.project)
    address = f"{ROOT}/judge-requests/?judge=small"
    first = lena.get(f"{address}&limit=4").json()
    rest = lena.get(first["next"]).json()
    rows = first["results"] + rest["results"]
    assert (len(first["results"]), len(rows), rest["next"]) == (4, 7, None)
    assert [row["state"] for row in rows] == ["failed", *["answered"] * 6]
    assert rows[1]["answer"].startswith('{"answers"') and rows[1]["request"]["model"] == "tiny"
    assert "sk-secret" not in str(rows)
    [newest, oldest] = lena.get(f"{ROOT}/judge-runs/").json()["results"]
    assert len(lena.get(f"{address}&run={newest['number']}").json()["results"]) == 4
    assert len(lena.get(f"{address}&run={oldest['number']}&state=failed").json()["results"]) == 1
    assert lena.get(f"{address}&state=other").status_code == 400
    assert AuditEvent.objects.filter(target="judge:small@1", after__name="requests").exists()
    for name, status in {"ravi": 403, "otto": 404}.items():
        assert program_of(person(name)).get(address).status_code == status


@pytest.mark.parametrize(
    "values, field",
    [
        ({"rule": "numbers"}, "judge"),
        ({"base_url": "ftp://models.example.org"}, "judge"),
        ({"key_env": "DATABASE_URL"}, "judge"),
        ({"samples": 3}, "judge"),
        ({"temperature": "nan"}, "temperature"),
        ({"name": "not a name"}, "judge"),
        ({"samples": 0}, "samples"),
        ({"template": "a\0b"}, "template"),
        ({"name": ""}, "name"),
    ],
)
def test_an_invalid_judge_is_refused_and_nothing_is_stored(ada, values, field):
    response = ada.post(SITE_JUDGES, {**MODEL, **values}, format="json")
    assert (response.status_code, list(response.json()["errors"])) == (400, [field])
    assert not Judge.objects.exists()


def test_only_admins_create_judges_and_a_token_of_one_project_cannot(lena, june):
    assert (lena.get(SITE_JUDGES).status_code, lena.post(SITE_JUDGES, MODEL, format="json").status_code) == (403, 403)
    admin = person("ada", admin=True)
    key, _token = create_token(admin, project=june.project)
    client = program_of(admin)
    client.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    assert client.post(SITE_JUDGES, MODEL, format="json").status_code == 403
    assert not Judge.objects.exists()


def test_verdicts_are_selected_by_answer_and_by_what_people_answered(lena, june):
    run.run_judge(rule_judge(), june.project)
    ravi = program_of(june.people["ravi"])
    work = ravi.post(f"{ROOT}/assignments/").json()
    for item, answer in zip(work["items"], ("accurate", "inaccurate", "cannot_assess"), strict=True):
        answers = {"accuracy": answer} | ({"severity": "severe"} if answer == "inaccurate" else {})
        body = {"answers": answers, "base_version": 0}
        address = f"/api/v1/assignments/{work['id']}/items/{item['id']}/"
        assert ravi.put(address, body, format="json", HTTP_IDEMPOTENCY_KEY=item["id"]).status_code == 200
    ravi.post(f"/api/v1/assignments/{work['id']}/finish/")
    differing = lena.get(f"{ROOT}/verdicts/?judge=rule&state=differs").json()
    assert [row["item_id"] for row in differing["results"]] == [work["items"][1]["id"]]
    assert len(lena.get(f"{ROOT}/verdicts/?judge=rule&option=accurate").json()["results"]) == 6
    assert lena.get(f"{ROOT}/verdicts/?judge=rule&option=disputed").json()["results"] == []
    refused = lena.get(f"{ROOT}/verdicts/?judge=rule&option=wrong")
    assert refused.status_code == 400 and "accurate, disputed" in refused.json()["errors"]["option"][0]


def test_the_comparison_is_that_of_the_command_and_its_reading_is_recorded(lena, june):
    judge = rule_judge()
    address = f"{ROOT}/judges/rule/1/comparison/"
    assert lena.get(address).status_code == 404
    run.run_judge(judge, june.project)
    response = lena.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response.content == compare_judge(june.project, judge).to_json()
    event = AuditEvent.objects.get(target="judge:rule@1", actor=june.people["lena"])
    assert (event.project, event.after["name"]) == (june.project, "comparison.json")
    assert lena.get(f"{ROOT}/judges/rule/2/comparison/").status_code == 404
    for name, status in {"ravi": 403, "otto": 404}.items():
        assert program_of(person(name)).get(address).status_code == status
