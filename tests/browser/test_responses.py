"""The list of responses in a browser: rows selected by mouse and keys, and changed after a confirmation."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Exclusion

from ..cast import study
from .accessibility import accessibility_problems
from .layout import widest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def responses(page: Page, visit: Callable) -> Page:
    """Return the list of 30 responses on two pages."""
    study(prompts=30, sentences=1)
    return visit(page, "lena", "/projects/june/responses/")


def test_buttons_work_once_rows_are_selected_and_stay_in_view(responses: Page) -> None:
    rows = responses.locator("input[name=sheets]")
    exclude = responses.locator("button[value=exclude]")
    whole_page = responses.get_by_label("Select all on this page")
    expect(rows).to_have_count(25)
    expect(exclude).to_be_disabled()
    rows.nth(4).check()
    rows.nth(1).click(modifiers=["Shift"])
    expect(responses.locator("input[name=sheets]:checked")).to_have_count(4)
    assert whole_page.evaluate("box => box.indeterminate")
    expect(responses.locator("[data-selected]")).to_have_text("4 selected")
    whole_page.check()
    expect(responses.locator("input[name=sheets]:checked")).to_have_count(25)
    whole_page.uncheck()
    expect(exclude).to_be_disabled()
    responses.get_by_label("Select all 30 responses found").check()
    expect(exclude).to_be_enabled()
    expect(rows.first).to_be_disabled()
    responses.get_by_label("Select all 30 responses found").uncheck()
    whole_page.check()
    responses.get_by_text("Change responses").click()
    for width in (390, 768, 1280, 1440):
        responses.set_viewport_size({"width": width, "height": 844})
        responses.locator("tbody tr").nth(12).scroll_into_view_if_needed()
        expect(responses.get_by_role("button", name="Reopen responses")).to_be_in_viewport(ratio=1)
        expect(responses.get_by_role("button", name="Assign responses")).to_be_in_viewport(ratio=1)
        assert responses.locator("#bulk .actions").bounding_box()["height"] < 60
        assert widest(responses) == width


def test_a_response_is_excluded_by_keys_alone(responses: Page) -> None:
    responses.locator("input[name=sheets]").first.focus()
    responses.keyboard.press("Space")
    responses.locator("summary", has_text="Change responses").focus()
    responses.keyboard.press("Enter")
    responses.get_by_role("button", name="Exclude").focus()
    responses.keyboard.press("Enter")
    expect(responses.get_by_role("heading", level=1)).to_have_text("Exclude 1 response")
    assert accessibility_problems(responses, widths=(390, 1280)) == []
    responses.get_by_label("Reason").focus()
    responses.keyboard.type("a duplicate")
    responses.keyboard.press("Enter")
    expect(responses.get_by_text("1 response is excluded.")).to_be_visible()
    expect(responses.locator(".excluded")).to_contain_text("Excluded: a duplicate · lena")
    assert Exclusion.objects.count() == 1
    assert accessibility_problems(responses, widths=(390, 1280)) == []
