"""The bell: its panel with the newest notifications, by mouse and by keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Notification
from annotation.notifications import notify

from ..cast import Study
from .accessibility import accessibility_problems

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def members(june: Study, page: Page, visit: Callable) -> Page:
    """Open a page as Lena, who has two notifications."""
    lena = june.people["lena"]
    notify([lena.pk], Notification.Kind.PAUSED, project=june.project, rater=june.people["ravi"])
    notify([lena.pk], Notification.Kind.TARGET, project=june.project)
    return visit(page, "lena", "/projects/june/members/")


def test_the_bell_opens_the_newest_and_a_link_in_it_marks_as_read(members: Page) -> None:
    page = members
    bell = page.get_by_role("link", name="Notifications 2 unread")
    bell.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="Notifications")
    expect(panel.get_by_role("listitem")).to_have_count(2)
    assert accessibility_problems(page) == []
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(bell).to_be_focused()
    bell.click()
    panel.get_by_role("link", name="ravi is paused.").click()
    page.wait_for_url("**/projects/june/checks/#raters")
    expect(page.get_by_role("link", name="Notifications 1 unread")).to_be_visible()
    page.get_by_role("link", name="Notifications 1 unread").click()
    panel.get_by_role("button", name="Mark all as read").click()
    page.wait_for_url("**/notifications/")
    expect(page.get_by_role("banner").get_by_text("unread")).to_have_count(0)
