"""The analysis plan as a form and as text: written by keyboard, folded, mended and stored."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, expect

from annotation.projects.analysis_plans import newest_plan

from ..cast import person, study
from .accessibility import accessibility_problems

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_plan_is_written_as_a_form_checked_and_stored(
    page: Page, live_server: Any, log_in: Callable[..., None]
) -> None:
    june = study(systems=("heron", "plover", "tern"))
    dialogs: list[str] = []

    def stay(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    log_in(page, person("lena"))
    page.goto(f"{live_server.url}/projects/june/analysis-plan/")
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
