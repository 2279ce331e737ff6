"""The analysis plan as a form and as text, and the planner, which computes while its form is filled in."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, expect

from annotation.models import Project
from annotation.projects.analysis_plans import newest_plan

from ..cast import study
from ..reporting.project_rows import project_of, worked_example
from ..reporting.sampled_studies import random_study
from .accessibility import accessibility_problems

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_plan_is_written_as_a_form_checked_and_stored(page: Page, live_server: Any, visit: Callable) -> None:
    june = study(systems=("heron", "plover", "tern"))
    dialogs: list[str] = []

    def stay(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    visit(page, "lena", "/projects/june/analysis-plan/")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("heading", name=june.project.title)).to_be_visible()
    assert dialogs == []  # nothing was changed
    page.goto(f"{live_server.url}/projects/june/analysis-plan/")
    pairs = page.get_by_role("group", name="Pairs of systems")
    expect(pairs).to_be_hidden()
    page.get_by_role("radio", name="All pairs of systems (3)").focus()
    page.keyboard.press("ArrowDown")
    expect(pairs).to_be_visible()
    pairs.get_by_role("checkbox", name="heron – tern").focus()
    page.keyboard.press("Space")
    page.get_by_label("Target margin of error").fill("60")

    seconds = page.get_by_label("Seconds on a rating, at least")
    expect(seconds).to_be_hidden()
    page.locator("summary", has_text="Exclusions").focus()
    page.keyboard.press("Enter")
    seconds.fill("-1")
    page.get_by_role("link", name="Cancel").click()
    expect(seconds).to_have_value("-1")
    assert dialogs == ["beforeunload"]

    seconds.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("There are 2 problems. Nothing was stored.")
    assert accessibility_problems(page, widths=(1440, 390)) == []
    page.locator("summary", has_text="Exclusions").click()
    expect(seconds).to_be_hidden()
    alert.get_by_role("link", name="Seconds on a rating, at least").click()
    expect(seconds).to_be_focused()
    seconds.fill("2")
    page.get_by_label("Target margin of error").fill("3")

    page.get_by_role("button", name="Edit as TOML").click()
    text = page.get_by_label("Text")
    assert 'comparisons = [["heron", "tern"]]' in text.input_value()
    assert accessibility_problems(page, widths=(1440, 390)) == []
    text.fill(text.input_value().replace("seed = 1", "seed = 5"))
    page.get_by_role("button", name="Edit as form").click()
    expect(page.get_by_label("Seed")).to_have_value("5")
    page.get_by_role("button", name="Store version 1").click()
    expect(page.get_by_text("Version 1 of the plan is stored.")).to_be_visible()
    version = newest_plan(june.project)
    assert version
    plan = version.definition
    assert (plan.comparisons, plan.target, plan.seed, plan.exclusions.least_seconds) == (
        (("heron", "tern"),), 0.03, 5, 2,
    )  # fmt: skip
    assert accessibility_problems(page, widths=(1440, 390)) == []


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
    needed = lena.locator("#needed ~ .table-wrap tbody tr").first.inner_text()
    lena.reload()
    expect(heading).to_be_visible()
    assert lena.locator("#needed ~ .table-wrap tbody tr").first.inner_text() == needed


def test_a_problem_is_named_at_once_a_target_is_kept_and_an_ended_session_leads_to_the_sign_in_page(lena: Page):
    lena.get_by_label("Expected proportion, %").fill("200")
    expect(lena.get_by_text("No sample size can be calculated:")).to_be_visible()
    expect(lena.get_by_text(re.compile("Expected proportion, %: Ensure"))).to_be_visible()
    lena.get_by_label("Expected proportion, %").fill("70")
    expect(lena.get_by_role("heading", name=re.compile("around 70.0 %"))).to_be_visible()
    lena.get_by_label("Target margin of error, ± points").fill("2.5")
    lena.get_by_role("button", name="Save target").click()
    expect(lena.get_by_text("The target is ± 2.5 points.")).to_be_visible()
    assert Project.objects.get(slug="june").target_half_width == 0.025
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
    before = lena.locator("#judge-plan-result table").inner_text()
    lena.reload()
    expect(lena.get_by_label("Further ratings of people")).to_have_value("37")
    assert lena.locator("#judge-plan-result table").inner_text() == before
    lena.get_by_label("Expected proportion, %").fill("61")
    lena.wait_for_url(re.compile("share=61"))
    assert "more=37" in lena.url
