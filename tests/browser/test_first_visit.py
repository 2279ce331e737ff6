"""The first visit of a rater, from the sign-in to a saved rating, with a count of what the rater has to do."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Rating

from ..cast import PASSWORD, person, study
from .accessibility import accessibility_problems
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MAX_ACTIONS = 12


class Actions:
    """Counts keys, clicks and filled fields of a visit. A filled field is one action, as a password manager has it."""

    def __init__(self, page: Page) -> None:
        self.page, self.number = page, 0

    def press(self, key: str) -> None:
        self.number += 1
        self.page.keyboard.press(key)

    def click(self, target: Locator) -> None:
        self.number += 1
        target.click()

    def fill(self, field: str, text: str) -> None:
        self.number += 1
        self.page.fill(f"[name={field}]", text)


def test_from_the_sign_in_to_a_saved_rating_in_twelve_actions(page: Page, live_server: Any, transactional_db: None):
    study()
    page.goto(live_server.url)
    does = Actions(page)
    does.fill("login", "ravi")
    does.fill("password", PASSWORD)
    does.press("Enter")
    does.click(page.get_by_role("link", name="Start"))
    expect(page.get_by_role("heading", name="Worked example")).to_be_visible()
    page.wait_for_selector("body[data-ready]")
    practice = page.get_by_role("region", name="Practice")
    practice.scroll_into_view_if_needed()
    does.press("4")
    does.press("s")
    expect(practice.get_by_role("status")).to_contain_text("As in the example.")
    assert Rating.objects.count() == 0
    does.click(page.get_by_role("link", name="Start rating").first)
    page.wait_for_selector("body[data-ready]")
    does.press("1")
    wait_until_saved(page)
    assert Rating.objects.get().answers == {"accuracy": "accurate"}
    assert does.number <= MAX_ACTIONS


def test_practice_with_the_mouse_the_arrow_keys_and_a_mistake_is_one_key_away_in_the_workspace(
    page: Page, open_rating: Any
):
    study()
    open_rating("ravi")
    page.keyboard.press("?")
    help_dialog = page.get_by_role("dialog", name="Accuracy according to the article")
    help_dialog.get_by_text("Worked example").click()
    expect(help_dialog.get_by_text("On cloudy days there was no difference.")).to_be_visible()
    press(page, "Escape g")
    drawer = page.locator("[data-drawer]")
    expect(drawer.get_by_text("Read the article, then judge")).to_be_visible()
    drawer.get_by_text("Worked example").click()
    expect(drawer.get_by_text("On cloudy days there was no difference.")).to_be_visible()
    page.get_by_label("More about this response").click()
    page.get_by_role("link", name="Introduction and practice").click()
    page.wait_for_url("**/projects/june/introduction/")
    page.wait_for_selector("body[data-ready]")
    practice = page.get_by_role("region", name="Practice")
    feedback = practice.get_by_role("status")
    severity = practice.locator("[data-question=severity]")
    expect(severity).to_be_hidden()
    practice.locator("label", has_text="all factual claims are supported").click()
    expect(feedback).to_contain_text("Differs from the example.")
    practice.locator("[value=accurate]").focus()
    for _option in range(3):
        page.keyboard.press("ArrowDown")
    expect(severity).to_be_visible()
    expect(feedback).to_contain_text("Differs from the example.")  # arrow keys send nothing
    severity.locator("[value=severe]").focus()
    press(page, "Space Enter")
    expect(feedback).to_contain_text("✓ As in the example.")
    assert accessibility_problems(page, widths=(1440, 390)) == []


def test_without_scripts_a_button_checks_the_answer(browser: Any, live_server: Any, log_in: Any):
    study()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    log_in(page, person("ravi"))
    page.goto(f"{live_server.url}/projects/june/introduction/")
    page.get_by_role("radio", name="Inaccurate").check()
    page.locator("[value=severe]").check()
    page.get_by_role("button", name="Check answer").click()
    expect(page.get_by_text("✓ As in the example.")).to_be_visible()
    context.close()
