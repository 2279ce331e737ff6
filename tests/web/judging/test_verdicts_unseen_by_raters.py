"""No page, file or API answer that a rater gets says what a judge said, wherever verdicts are stored.

The exception: pages of responses that the rater has finished, in a project that shows verdicts after the answer.
"""

import json
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client

from annotation.judging.judges import find_judge
from annotation.judging.run import run_judge
from annotation.models import Project, Rating, Verdict
from annotation.projects.verdict_visibility import set_verdict_visibility
from annotation.reviewing.adjudication import adjudicate
from tests.cast import ACCURATE, SEVERE, person
from tests.judging.test_run import rule_judge
from tests.test_urls import LINES, create_site
from tests.web.hidden_raters import content_of
from tests.web.pages import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SAID = "zzverdict"
"""Found nowhere but in verdicts and ratings of judges."""
EXCEPT = ("/admin/", "/accounts/", "/health/", "/r/")
DECISIONS = "/projects/june/adjudications/"
"""A page that this project has, unlike the one of tests/test_urls.py: it shows raters the decisions."""
SEEN_BY_LEADS = {
    "/projects/june/judges/",
    "/projects/june/plan/",
    "/projects/june/review/{item}/",
    "/projects/june/exports/ratings/",
    "/api/v1/projects/june/verdicts/?judge=numbers",
}
"""Addresses whose answer shows a lead a verdict or its judge: what the sweep over the pages of a rater would find."""


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


@pytest.fixture(params=["never", "after"])
def visibility(request, site):
    """Set when raters see verdicts. Ravi has answered one item of his open response, and finished none."""
    set_verdict_visibility(Project.objects.get(slug="june"), request.param, find_judge(SAID))
    return request.param


def signed_in(name):
    client = Client()
    client.force_login(person(name))
    return client


@pytest.fixture
def ravi():
    return signed_in("ravi")


def said(response):
    return SAID in content_of(response).decode("utf-8", "replace")


LINES_OF_PAGES = [line for line in LINES if line[0] == "GET" and not line[1].startswith(EXCEPT)]


@pytest.mark.parametrize("line", LINES_OF_PAGES, ids=lambda line: line[1])
def test_no_page_of_a_rater_shows_a_verdict(site, visibility, ravi, line):
    _, address, _, _, status, *_ = line
    response = ravi.get(address.format(**site), follow=True)
    first = response.redirect_chain[0][1] if response.redirect_chain else response.status_code
    expected = "200" if address == DECISIONS else status
    assert (str(first), said(response)) == (expected, False)
    if response.redirect_chain:
        assert response.status_code in (200, 403, 404)


def test_a_lead_does_see_them(site):
    lena = signed_in("lena")
    assert f"{SAID} reason" in html_of(lena.get(f"/projects/june/judges/{SAID}/1/"))
    assert {address for address in SEEN_BY_LEADS if said(lena.get(address.format(**site)))} == SEEN_BY_LEADS
    assert {line[1] for line in LINES_OF_PAGES} >= SEEN_BY_LEADS


def test_no_answer_of_the_api_to_a_raters_work_has_a_verdict(site, visibility, ravi):
    def call(method, path, body=None, status=200):
        headers = {"Idempotency-Key": uuid4().hex}
        response = ravi.generic(
            method, f"/api/v1/{path}", json.dumps(body or {}), content_type="application/json", headers=headers
        )
        assert (response.status_code, said(response)) == (status, False)
        return response

    work = call("POST", "projects/june/assignments/").json()
    lease = f"assignments/{work['id']}"
    page = f"/assignments/{work['id']}/"
    for item in work["items"]:
        answer = {"answers": ACCURATE, "base_version": item["version"]}
        call("PUT", f"{lease}/items/{item['id']}/", answer)
    call("GET", f"{lease}/beside/")
    call("POST", f"projects/june/assignments/ahead/?after={work['id']}")
    assert not said(ravi.get(page))
    call("POST", f"{lease}/finish/?next=true")
    for address in (page, "/projects/june/my-responses/"):
        response = ravi.get(address)
        assert response.status_code == 200
        assert said(response) == (visibility == "after" and address == page)
    assert not said(ravi.post("/account/data/"))
