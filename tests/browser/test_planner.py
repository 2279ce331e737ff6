"""The planner: a plan is computed while its form is filled in, and the address stores the form."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Project
from tests.reporting.project_rows import project_of, worked_example
from tests.reporting.sampled_studies import random_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def lena(page: Page, visit: Callable) -> Page:
    project_of(worked_example())
    return visit(page, "lena", "/projects/june/plan/")


def test_the_plan_follows_the_form_and_survives_a_reload(lena: Page):
    lena.get_by_label("Expected proportion, %").fill("50")
    lena.get_by_label("Target margin of error (95 %)").fill("5")
    heading = lena.get_by_role("heading", name="Sample size for ± 5.0 points around 50.0 %")
    expect(heading).to_be_visible()
    lena.wait_for_url(re.compile("half_width=5&share=50"))
    needed = lena.locator("table[aria-labelledby=needed] tbody tr").first.inner_text()
    lena.reload()
    expect(heading).to_be_visible()
    assert lena.locator("table[aria-labelledby=needed] tbody tr").first.inner_text() == needed


def test_a_field_that_makes_no_sense_is_named_at_once_and_mended(lena: Page):
    lena.get_by_label("Expected proportion, %").fill("200")
    expect(lena.get_by_text("No sample size can be calculated:")).to_be_visible()
    expect(lena.get_by_text(re.compile("Expected proportion, %: Ensure"))).to_be_visible()
    lena.get_by_label("Expected proportion, %").fill("70")
    expect(lena.get_by_role("heading", name=re.compile("around 70.0 %"))).to_be_visible()


def test_a_target_is_kept(lena: Page):
    lena.get_by_label("Target margin of error, ± points").fill("2.5")
    lena.get_by_role("button", name="Save target").click()
    expect(lena.get_by_text("The target is ± 2.5 points.")).to_be_visible()
    assert Project.objects.get(slug="june").target_half_width == 0.025


def test_a_plan_whose_session_ended_leads_to_the_sign_in_page(lena: Page):
    lena.context.clear_cookies()
    lena.get_by_label("Expected proportion, %").fill("50")
    lena.wait_for_url(re.compile("/accounts/login/.*share%3D50"))


def test_margins_with_a_judge_follow_the_keyboard(page: Page, visit: Callable):
    random_study(21)
    lena = visit(page, "lena", "/projects/june/plan/?half_width=7")
    lena.get_by_label("Judge", exact=True).focus()
    lena.keyboard.press("Tab")
    expect(lena.get_by_label("Further ratings of people")).to_be_focused()
    lena.keyboard.press("Control+a")
    lena.keyboard.type("37")
    expect(lena.get_by_text("37 ratings more")).to_be_visible()
    lena.wait_for_url(re.compile("more=37"))
    assert "half_width=7" in lena.url, "the other form is still in the address"
    before = lena.locator("table[aria-labelledby=judge-plan]").inner_text()
    lena.reload()
    expect(lena.get_by_label("Further ratings of people")).to_have_value("37")
    assert lena.locator("table[aria-labelledby=judge-plan]").inner_text() == before
    lena.get_by_label("Expected proportion, %").fill("61")
    lena.wait_for_url(re.compile("share=61"))
    assert "more=37" in lena.url
