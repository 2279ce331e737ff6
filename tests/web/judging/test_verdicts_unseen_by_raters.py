"""No page, file or API answer that a rater gets says what a judge said, wherever verdicts are stored."""

import json
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client

from annotation.judging.run import run_judge
from annotation.models import Project, Rating, Verdict
from annotation.reviewing.adjudication import adjudicate
from tests.cast import ACCURATE, SEVERE, person
from tests.judging.test_run import rule_judge
from tests.test_urls import LINES, create_site
from tests.web.hidden_raters import content_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SAID = "zzverdict"
"""Found nowhere but in verdicts and ratings of judges."""
EXCEPT = ("/admin/", "/accounts/", "/health/", "/r/")


@pytest.fixture(scope="module")
def site(module_rows, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tasks.jobs._send", lambda job: None)
        patch.setattr("django.conf.settings.MEDIA_ROOT", str(tmp_path_factory.mktemp("media")))
        site = create_site()
        june = Project.objects.get(slug="june")
        run_judge(rule_judge(name=SAID), june)
        Verdict.objects.update(reason=f"{SAID} reason", quote=f"{SAID} quote", problem=f"{SAID} problem")
        Rating.objects.filter(role="judge").update(comment=f"{SAID} comment")
        Project.objects.update(shows_decisions=True)
        for verdict in Verdict.objects.filter(project=june, item__public_id=site["item"])[:1]:
            adjudicate(june, verdict.item, SEVERE, "The article says otherwise.", person("lena"))
        yield site


@pytest.fixture(autouse=True)
def _undone(db):
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def ravi():
    client = Client()
    client.force_login(person("ravi"))
    return client


def pages():
    return [line[1] for line in LINES if line[0] == "GET" and not line[1].startswith(EXCEPT)]


@pytest.mark.parametrize("address", pages())
def test_no_page_of_a_rater_shows_a_verdict(site, ravi, address):
    assert SAID not in content_of(ravi.get(address.format(**site), follow=True)).decode("utf-8", "replace")


def test_a_lead_does_see_them(site):
    client = Client()
    client.force_login(person("lena"))
    for address in ("/projects/june/judges/zzverdict/1/", f"/projects/june/review/{site['item']}/"):
        assert f"{SAID} " in client.get(address).content.decode()


def test_no_answer_of_the_api_to_a_raters_work_has_a_verdict(site, ravi):
    def call(method, path, body=None):
        headers = {"Idempotency-Key": uuid4().hex}
        response = ravi.generic(
            method, f"/api/v1/{path}", json.dumps(body or {}), content_type="application/json", headers=headers
        )
        assert SAID not in response.content.decode()
        return response

    work = call("POST", "projects/june/assignments/").json()
    lease = f"assignments/{work['id']}"
    for item in work["items"]:
        answer = {"answers": ACCURATE, "base_version": item["version"]}
        assert call("PUT", f"{lease}/items/{item['id']}/", answer).status_code == 200
    call("GET", f"{lease}/beside/")
    call("POST", "projects/june/assignments/ahead/")
    assert call("POST", f"{lease}/finish/?next=true").status_code == 200
    assert SAID not in content_of(ravi.get(f"/assignments/{work['id']}/")).decode()
    assert SAID not in content_of(ravi.get("/projects/june/my-responses/")).decode()
    assert SAID not in content_of(ravi.post("/account/data/")).decode("utf-8", "replace")
