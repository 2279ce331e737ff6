"""No answer that a rater gets says what a judge said, and each that shows a lead a verdict records it.

The exception: pages of responses that the rater has finished, in a project that shows verdicts after the answer.
"""

import json
import re
from uuid import uuid4

import pytest

from annotation.judging.judges import find_judge
from annotation.judging.run import run_judge
from annotation.models import Project, Rating, Verdict, VerdictsShown
from annotation.projects.project_settings import change_settings
from annotation.reviewing.adjudication import adjudicate
from tests.cast import ACCURATE, SEVERE, person
from tests.judging.judges import rule_judge
from tests.routes import LINES, create_site, undone, without_jobs
from tests.web.hidden_raters import content_of
from tests.web.pages import html_of

pytestmark = pytest.mark.django_db
SAID = "zzverdict"
"""Found nowhere but in verdicts and ratings of judges."""
EXCEPT = ("/admin/", "/accounts/", "/health/", "/r/", "/api/v1/schema/")
PAGES = [line[1:] for line in LINES if line[0] == "GET" and not line[1].startswith(EXCEPT)]
SHOWN = ("200", "302")
"""Statuses of what shows something: what is refused shows nothing, and tests/test_urls.py checks what is refused."""
DECISIONS = "/projects/june/adjudications/"
"""A page that this project has, unlike the one of tests/routes.py: it shows raters the decisions."""
SEEN_BY_LEADS = {
    "/projects/june/judges/", "/projects/june/judges/numbers/1/", "/projects/june/judges/numbers/1/items/{item}/",
    "/projects/june/plan/", "/projects/june/review/{item}/", "/projects/june/exports/ratings/",
    "/api/v1/projects/june/verdicts/?judge=numbers",
}  # fmt: skip
"""Addresses whose answer shows a lead a verdict or its judge: what the sweep over the pages of a rater would find."""


@pytest.fixture(scope="module")
def site(module_rows, tmp_path_factory):
    with without_jobs(tmp_path_factory.mktemp("media")):
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
def _undone(site, db):
    with undone():
        yield


@pytest.fixture
def june(site):
    return Project.objects.get(slug="june")


@pytest.fixture(params=["never", "after"])
def visibility(request, june):
    """Set when raters see verdicts. Ravi has answered one item of his open response, and finished none."""
    change_settings(june, {"verdict_visibility": request.param, "shown_judge": find_judge(SAID)})
    return request.param


def said(response):
    return SAID in content_of(response).decode("utf-8", "replace")


def test_no_page_of_a_rater_shows_a_verdict(site, visibility, ravi):
    wrong = []
    for address, _nobody, _otto, status, *_ in PAGES:
        if status not in SHOWN and address != DECISIONS:
            continue
        with undone():
            response = ravi.get(address.format(**site), follow=True)
            if response.status_code not in (200, 403, 404) or said(response):
                wrong.append((address, response.status_code))
    assert wrong == []
    assert ravi.get(DECISIONS).status_code == 200


def test_each_answer_that_shows_a_lead_a_verdict_records_it(site, lena):
    assert f"{SAID} reason" in html_of(lena.get(f"/projects/june/judges/{SAID}/1/"))
    VerdictsShown.objects.all().delete()
    seen, with_verdict, recorded = set(), set(), set()
    for address in (address for address, _nobody, _otto, _ravi, status, *_ in PAGES if status in SHOWN):
        with undone():
            text = content_of(lena.get(address.format(**site), follow=True)).decode("utf-8", "replace")
            if VerdictsShown.objects.filter(person=person("lena")).exists():
                recorded.add(address)
        if SAID in text:
            seen.add(address)
        if re.search(f"{SAID} (reason|quote|problem|comment)", text):
            with_verdict.add(address)
    assert with_verdict - recorded == set()
    assert seen >= SEEN_BY_LEADS
    parts = {part for address in with_verdict for part in address.split("/")}
    assert parts >= {"judges", "items", "exports", "ratings", "verdicts"}


def test_no_answer_of_the_api_to_a_raters_work_has_a_verdict(site, visibility, ravi):
    def call(method, path, body=None):
        headers = {"Idempotency-Key": uuid4().hex}
        body = json.dumps(body or {})
        response = ravi.generic(method, f"/api/v1/{path}", body, content_type="application/json", headers=headers)
        assert (response.status_code, said(response)) == (200, False)
        return response

    work = call("POST", "projects/june/assignments/").json()
    lease, page = f"assignments/{work['id']}", f"/assignments/{work['id']}/"
    for item in work["items"]:
        call("PUT", f"{lease}/items/{item['id']}/", {"answers": ACCURATE, "base_version": item["version"]})
    call("GET", f"{lease}/beside/")
    call("POST", f"projects/june/assignments/ahead/?after={work['id']}")
    assert not said(ravi.get(page))
    call("POST", f"{lease}/finish/?next=true")
    for address in (page, "/projects/june/my-responses/"):
        response = ravi.get(address)
        assert response.status_code == 200
        assert said(response) == (visibility == "after" and address == page)
    assert not said(ravi.post("/account/data/"))
