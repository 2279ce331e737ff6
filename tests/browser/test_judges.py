"""A lead lets a rule rate a small project, by keyboard: the page follows the run and shows its verdicts."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.judging.judges import Configuration, create_judge
from annotation.models import Verdict

from ..cast import Study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(40):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the keyboard does not reach it")


def test_a_lead_runs_a_rule_by_keyboard_and_sees_its_verdicts(
    june: Study, page: Page, visit: Callable, celery_worker: Any
) -> None:
    create_judge("digits", Configuration(rule="numbers"))
    visit(page, "lena", "/projects/june/judges/")
    limit = page.get_by_label("Limit")
    tab_to(page, limit)
    page.keyboard.type("3")
    tab_to(page, page.get_by_role("button", name="Run judge"))
    page.keyboard.press("Enter")
    verdicts = page.get_by_role("region", name="Verdicts").get_by_role("row", name="digits")
    expect(verdicts).to_contain_text("3 of 8", timeout=60_000)
    runs = page.get_by_role("region", name="Runs")
    expect(runs).to_contain_text("The limit was reached")
    expect(runs).to_contain_text("by lena")
    assert Verdict.objects.count() == 3
    tab_to(page, verdicts.get_by_role("link", name="digits"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="digits")).to_be_visible()
    expect(page.get_by_role("region", name="Verdicts")).to_contain_text("3 verdicts")
