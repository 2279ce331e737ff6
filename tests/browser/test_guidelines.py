"""The guidelines in the drawer: opened with G, shown beside the work, with a notice of a new version."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import GuidelineVersion, Rating
from annotation.projects.guidelines import publish_guidelines

from ..cast import Study
from .accessibility import violations
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EXAMPLES = {"accuracy": {"disputed": "Two studies *differ* on it."}}


def test_the_drawer_stands_beside_the_work_and_the_version_goes_with_each_answer(
    one_response: Study, visit: Callable, page: Page
) -> None:
    publish_guidelines(one_response.project, "# Read first\n\nThen **judge**.\n\n<script>alert(1)</script>", EXAMPLES)
    visit(page, "ravi", "/projects/june/rate/")
    expect(page.locator("[data-guidelines-notice]")).to_contain_text("its own guidelines")
    press(page, "g")
    drawer = page.locator("[data-drawer]")
    expect(drawer.locator("h3").first).to_have_text("Read first")
    expect(drawer).to_contain_text("<script>alert(1)</script>")
    expect(drawer.locator(".example em")).to_have_text("differ")
    expect(page.locator("[data-guidelines-notice]")).to_be_hidden()
    assert violations(page) == []
    press(page, "1 2 n")
    wait_until_saved(page)
    assert list(Rating.objects.values_list("guidelines", flat=True)) == [1, 1]
    press(page, "g")
    expect(drawer).to_be_hidden()
    publish_guidelines(one_response.project, "Judge first.", note="The other way round")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("[data-guidelines-text]")).to_have_text(
        "The guidelines have changed (version 2): The other way round"
    )
    press(page, "1")
    expect(page.locator("[data-progress-text]")).to_have_text("3 of 4")
    wait_until_saved(page)
    assert Rating.objects.latest("pk").guidelines == 2


def test_a_lead_previews_publishes_and_has_earlier_answers_looked_at_again(
    one_response: Study, visit: Callable, page: Page
) -> None:
    visit(page, "ravi", "/projects/june/rate/")
    press(page, "1 1 2 n 1")
    wait_until_saved(page)
    press(page, "Enter")
    expect(page.locator("h1")).to_have_text("All done")
    visit(page, "lena", "/projects/june/guidelines/")
    page.get_by_label("Guidelines", exact=True).fill("A *dispute* needs two sources.")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("[data-preview] em")).to_have_text("dispute")
    assert not GuidelineVersion.objects.exists()
    page.get_by_role("button", name="Publish version 1").click()
    expect(page.locator(".messages")).to_contain_text("Version 1 is published")
    page.get_by_label("Ratings given under earlier guidelines").select_option(label="only those answered Disputed")
    page.get_by_role("button", name="Preview the effect").click()
    page.get_by_role("button", name="Offer again").click()
    expect(page.locator(".messages")).to_contain_text("1 finished response has 1 sentence to check again")
    visit(page, "ravi", "/projects/june/rate/")
    wait_until_saved(page)
    press(page, "Shift+B")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    press(page, "2")  # the same answer: it stands
    expect(page.locator(".s[data-item-note]")).to_have_count(0)
    wait_until_saved(page)
    press(page, "Enter")
    expect(page.locator("h1")).to_have_text("All done")
    assert sorted(Rating.objects.values_list("item__position", "guidelines")) == [
        (0, None), (1, None), (2, 1), (3, None)
    ]  # fmt: skip
