"""Verdicts in the workspace: in the page and in prefetched responses, when the project shows them."""

import json
import re

import pytest
from django.test import Client

from annotation.models import Assignment, Rating, VerdictsShown
from tests.cast import person
from tests.rating.judged_study import QUOTE, judged_study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
BOX = "data-judge-verdict"


@pytest.fixture
def ravi(client):
    person("ravi")
    client.force_login(person("ravi"))
    return client


def verdicts_in(html: str) -> list[dict | None]:
    work = re.search(r'<script id="work" type="application/json">(.*?)</script>', html)
    assert work
    return [item["verdict"] for item in json.loads(work[1])["items"]]


def workspace_of(client: Client, assignment: Assignment | None = None) -> str:
    address = f"/assignments/{assignment.public_id}/" if assignment else "/projects/june/rate/"
    return client.get(address, follow=True).content.decode()


def test_by_default_a_page_has_no_verdict_and_no_place_for_one(ravi):
    judged_study("never")
    html = workspace_of(ravi)
    assert verdicts_in(html) == [None] * 3 and BOX not in html and "judge-verdict" not in html


def test_before_the_page_has_them_as_suggestions_of_a_machine(ravi):
    judged_study("before")
    html = workspace_of(ravi)
    assert verdicts_in(html)[0] == {
        "judge": "rule@1",
        "answers": {"accuracy": "inaccurate", "severity": "not_severe"},
        "reason": "Not in the document: 1.",
        "quote": QUOTE,
        "quote_found": True,
    }
    assert BOX in html and "Suggestion of a machine, which may be wrong." in html
    assert 'aria-describedby="sentence-now judge-verdict"' in html


def test_a_prefetched_response_counts_as_sent(ravi):
    june = judged_study("before", prompts=2)
    first = workspace_of(ravi)
    current = re.search(r'"id": "([0-9a-f-]{36})"', first)
    assert current
    ahead = ravi.post(f"/api/v1/projects/june/assignments/ahead/?after={current[1]}")
    (other,) = ahead.json()["assignments"]
    shown = VerdictsShown.objects.filter(person=june.people["ravi"])
    assert shown.count() == 1
    assert None not in verdicts_in(ravi.get(f"/assignments/{other}/sheet/").content.decode())
    assert shown.count() == 2


def test_after_only_the_finished_response_has_them(ravi):
    june = judged_study("after")
    assert verdicts_in(workspace_of(ravi)) == [None] * 3
    finished = rates(june.people["ravi"], june.project)
    assert None not in verdicts_in(workspace_of(ravi, finished))
    assert not Rating.objects.filter(verdict_shown=True).exists()


def test_leads_preview_what_raters_see_and_nothing_is_recorded(client):
    june = judged_study("before")
    client.force_login(june.people["lena"])
    html = client.get(f"/projects/june/preview/{june.project.sheets.get().pk}/").content.decode()
    assert None not in verdicts_in(html)
    assert not Assignment.objects.exists()
