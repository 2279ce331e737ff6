"""Selected fields, entity tags and conditional changes."""

import json

import pytest

from annotation.models import Assignment, Rating
from annotation.projects.guidelines import publish_guidelines
from annotation.projects.members import add_member
from annotation.rating.finish import finish
from annotation.reviewing.rater_questions import ask_leads
from annotation.webhooks.webhooks import create_webhook
from tests.api.clients import send
from tests.cast import ACCURATE, SEVERE, person, study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


@pytest.mark.study(prompts=2)
def test_a_list_has_the_fields_that_are_asked_for(lena):
    status, page = send(lena, "GET", "datasets/june-data/prompts/?fields=key,text")
    assert (status, page["results"][0]) == (200, {"key": "q1", "text": "What about point 1?"})
    status, page = send(lena, "GET", "datasets/june-data/prompts/")
    assert set(page["results"][0]) == {"id", "key", "text", "document", "reference", "metadata"}


def test_an_unknown_field_is_refused_with_those_that_there_are(lena):
    status, problem = send(lena, "GET", "projects/?fields=slug,owner")
    assert status == 400
    [message] = problem["errors"]["fields"]
    assert "There is no field 'owner'" in message and "slug, title, dataset" in message


CHANGES = {  # what is read, the request that changes it, and two bodies
    "project": ("projects/june/", "PATCH projects/june/", {"title": "A"}, {"title": "B"}),
    "checks": ("projects/june/checks/", "PATCH projects/june/checks/", {"gold_every": 10}, {"tries": 3}),
    "member": ("projects/june/members/tom/", "PUT projects/june/members/tom/", {"role": "lead"}, {"role": "rater"}),
    "guidelines": ("projects/june/guidelines/", "POST projects/june/guidelines/", {"text": "1."}, {"text": "2."}),
    "plan": (
        "projects/june/analysis-plan/", "POST projects/june/analysis-plan/",
        {"toml": 'measures = ["accurate"]'}, {"toml": 'measures = ["inaccurate"]'},
    ),
    "question": (
        "projects/june/questions/{question}/", "PUT projects/june/questions/{question}/answer/",
        {"answer": "Yes."}, {"answer": "No."},
    ),
    "webhook": (
        "projects/june/webhooks/{webhook}/", "PATCH projects/june/webhooks/{webhook}/",
        {"active": False}, {"events": ["report.frozen"]},
    ),
    "account": ("people/rosa/", "PATCH people/rosa/", {"active": False}, {"active": True}),
    "adjudication": (
        "projects/june/review/{item}/", "PUT projects/june/review/{item}/",
        {"answers": ACCURATE, "reason": "So."}, {"answers": SEVERE, "reason": "No."},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def site(module_rows):
    june, lena = study(), person("lena")
    add_member(june.project, person("tom"), "rater")
    for name in ("ravi", "rosa"):
        finish(rates(june.people[name], june.project, sentences=3))
    item = june.items()[1]
    Rating.objects.filter(item=item, rater=june.people["rosa"]).update(answers=SEVERE, choices=SEVERE)
    work = Assignment.objects.get(rater=june.people["ravi"])
    publish_guidelines(june.project, "Read.", actor=lena)
    webhook, _secret = create_webhook(june.project, "https://example.org/", ["job.failed"], actor=lena)
    Assignment.objects.filter(pk=work.pk).update(finished_at=None)
    question = ask_leads(june.people["ravi"], work.public_id, june.items()[0].public_id, "Is it so?")
    return {"item": item.public_id, "webhook": webhook.public_id, "question": question.public_id}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_what_was_changed_in_the_meantime_is_refused(site, ada, what):
    read, change, first, second = CHANGES[what]
    address = f"/api/v1/{read.format(**site)}"
    method, changed_address = change.format(**site).split()

    def send(body, tag):
        text = json.dumps(body)
        headers = {"If-Match": tag}
        return ada.generic(method, f"/api/v1/{changed_address}", text, "application/json", headers=headers)

    tag = ada.get(address)["ETag"]
    unchanged = ada.get(address, headers={"If-None-Match": f'"other", W/{tag}'})
    assert unchanged.status_code == (200 if what == "adjudication" else 304)  # which is computed for each request
    changed = send(first, tag)
    assert changed.status_code in (200, 201)
    fresh = ada.get(address, headers={"If-None-Match": tag})
    assert (fresh.status_code, fresh["ETag"]) == (200, changed["ETag"]) and fresh["ETag"] != tag
    refused = send(second, tag)
    assert refused.status_code == 412 and "in the meantime" in refused.json()["detail"]
    assert ada.get(address).json() == fresh.json()
    assert send(second, fresh["ETag"]).status_code in (200, 201)


def test_a_weak_tag_is_none_of_a_change_and_a_star_is_any(site, ada):
    tag = ada.get("/api/v1/projects/june/")["ETag"]
    for header, status in ((f"W/{tag}", 412), (f'"other", W/{tag}', 412), (f'"x", {tag}', 200), ("*", 200)):
        answer = ada.patch("/api/v1/projects/june/", {"title": header}, format="json", headers={"If-Match": header})
        assert answer.status_code == status
