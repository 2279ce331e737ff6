"""Verdicts in the workspace: in the page and in prefetched responses, when the project shows them."""

import json
import re

import pytest
from django.test import Client

from annotation.models import Assignment, Rating, VerdictsShown
from tests.cast import signed_in
from tests.rating.judged_study import QUOTE, judged_study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
BOX = "data-judge-verdict"


def verdicts_in(html: str) -> list[dict | None]:
    work = re.search(r'<script id="work" type="application/json">(.*?)</script>', html)
    assert work
    return [item["verdict"] for item in json.loads(work[1])["items"]]


def workspace_of(client: Client, address: str = "/projects/june/rate/") -> str:
    return client.get(address, follow=True).content.decode()


def test_by_default_a_page_has_no_verdict_and_no_place_for_one():
    judged_study("never")
    html = workspace_of(signed_in("ravi"))
    assert verdicts_in(html) == [None] * 3 and BOX not in html and "judge-verdict" not in html


def test_before_the_page_has_them_as_suggestions_of_a_machine_and_a_prefetched_response_counts_as_sent():
    june, ravi = judged_study("before", prompts=2), signed_in("ravi")
    for sheet in june.project.sheets.all():
        html = workspace_of(signed_in("lena"), f"/projects/june/preview/{sheet.pk}/")
        assert None not in verdicts_in(html), "leads see what raters see, and nothing is recorded"
    shown = VerdictsShown.objects.filter(person=june.people["ravi"])
    assert not shown.exists() and not Assignment.objects.exists()
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
    current = Assignment.objects.get().public_id
    (other,) = ravi.post(f"/api/v1/projects/june/assignments/ahead/?after={current}").json()["assignments"]
    assert shown.count() == 1
    assert None not in verdicts_in(workspace_of(ravi, f"/assignments/{other}/sheet/"))
    assert shown.count() == 2


def test_after_only_the_finished_response_has_them():
    june, ravi = judged_study("after"), signed_in("ravi")
    assert verdicts_in(workspace_of(ravi)) == [None] * 3
    finished = rates(june.people["ravi"], june.project)
    assert None not in verdicts_in(workspace_of(ravi, f"/assignments/{finished.public_id}/"))
    assert not Rating.objects.filter(verdict_shown=True).exists()
