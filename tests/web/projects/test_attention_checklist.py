"""The checklist on the overview: open before the first rating, then folded, absent after the first response."""

import re

import pytest

from annotation.models import Item
from annotation.projects.analysis_plans import set_plan
from annotation.projects.archiving import archive
from annotation.projects.guidelines import publish_guidelines
from annotation.projects.project_settings import change_settings
from tests.cast import study
from tests.gold_studies import gold_sheets_for
from tests.web.pages import html_of, rates, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.study(prompts=3, systems=("heron", "plover"), sentences=2)]
JUNE = "/projects/june/"


def test_a_new_project_says_what_is_to_do_why_and_where_and_ticks_what_is_done(lena, june):
    html = html_of(lena.get(JUNE))
    assert '<details class="card checklist" open>' in html
    page = text_of(lena.get(JUNE))
    assert "3 of 8 done" in page
    assert "Guidelines (optional) (to do) Raters read your rules and examples while they rate" in page
    for address in ("guidelines/", "checks/#sheets", "settings/quality/", "analysis-plan/", "responses/"):
        assert re.search(rf'<a class="nowrap" href="{JUNE}{address}">', html)
    publish_guidelines(june.project, "Read.", {})
    page = text_of(lena.get(JUNE))
    assert "4 of 8 done" in page and "Guidelines (done) Training (optional) (to do)" in page


def test_too_few_raters_are_counted(client):
    client.force_login(study(raters=("ravi",), overlap=2).people["lena"])
    assert "People (to do) Each response needs 2 raters. The project has 1 rater." in text_of(client.get(JUNE))


def test_once_raters_have_begun_it_is_folded_and_absent_when_all_is_done_or_a_response_is_finished(lena, june):
    publish_guidelines(june.project, "Read.", {})
    change_settings(june.project, {"target_half_width": 0.03})
    set_plan(june.project, 'measures = ["accurate"]\n', actor=june.people["lena"])
    rates(june.people["ravi"], june.project, sentences=1)
    assert '<details class="card checklist">' in html_of(lena.get(JUNE))
    assert "7 of 8 done" in text_of(lena.get(JUNE))
    gold_sheets_for(june, "training", 2)
    assert "checklist" not in html_of(lena.get(JUNE))
    july = study("july")
    rates(july.people["ravi"], july.project)
    archive(study("august").project)
    for slug in ("july", "august"):
        assert "checklist" not in html_of(lena.get(f"/projects/{slug}/"))


def test_until_raters_have_begun_it_counts_the_claim_free_items(lena, june):
    marked = Item.objects.filter(rate=True)[:1]
    Item.objects.filter(pk__in=marked).update(claim_free=Item.ClaimFree.QUESTION)
    page = text_of(lena.get(JUNE))
    assert f"1 of 12 sentences is marked as likely claim-free ({Item.ClaimFree.QUESTION.label}: 1)." in page
    assert "Raters rate all of them. Choose which items are rated" in page
    change_settings(june.project, {"skips_claim_free": True})
    assert "Raters do not rate them." in text_of(lena.get(JUNE))
    rates(june.people["ravi"], june.project, sentences=1)
    assert "claim-free" not in html_of(lena.get(JUNE))
