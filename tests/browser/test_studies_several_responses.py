"""The protocols of the studies over several responses, with the help and with changed keys."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Project, Rating

from ..cast import newest_version, study, study_from_files
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EXPERTQA = Path(__file__).resolve().parents[2] / "fixtures" / "expertqa" / "answers.jsonl"


@pytest.fixture
def experts(transactional_db: None) -> Project:
    """Return a project of the ExpertQA sample, with Ravi as its rater."""
    return study_from_files("experts", "expertqa", [EXPERTQA], "claim-attribution")


def rate_claims(page: Page) -> None:
    """Rate all claims of a response and finish it."""
    claims = int(page.locator("[data-progress-text]").inner_text().split()[-1])
    press(page, " j ".join(["1 q y a z"] * claims) + " 7")
    wait_until_saved(page)
    press(page, "Enter")


def evidence(page: Page) -> str:
    visible = page.locator("[data-sources-of]:visible")
    expect(visible).to_have_count(1)
    return visible.inner_text()


def test_evidence_and_what_is_asked_once_go_with_each_response_and_come_back_with_it(
    experts: Project, open_rating: Callable
) -> None:
    page = open_rating(slug="experts")
    first, before = page.url.split("/")[-2], evidence(page)
    every = page.locator("[data-sources-of]").count()
    rate_claims(page)
    expect(page.locator("body")).not_to_have_attribute("data-ready", first)
    assert evidence(page) != before
    assert page.locator("[data-sources-of]").count() == page.locator("[data-part=answer] .first[data-item]").count()
    press(page, "u")  # the step to another response
    expect(page.locator("body")).to_have_attribute("data-ready", first)
    expect(page.locator("[data-question=usefulness]")).to_be_visible()
    expect(page.locator("input[name=usefulness]:checked")).to_have_value("useful")
    assert page.locator("[data-sources-of]").count() == every
    press(page, " ".join("k" * (every - 1)))
    expect(page.locator("[data-question=usefulness]")).to_be_hidden()
    assert evidence(page) == before
    assert Rating.objects.filter(answers__has_key="usefulness").count() == 1


def test_the_key_to_a_field_is_in_the_help_and_can_be_changed(transactional_db: None, open_rating: Callable) -> None:
    study()
    Project.objects.update(protocol=newest_version("web-factuality"))
    page = open_rating()
    press(page, "?")
    line = page.locator("[data-key-line='comment:']")
    expect(line).to_contain_text("write in the field")
    expect(line.locator("kbd").first).to_have_text("C")
    page.click("[data-keys-change]")
    page.click("[data-changes='comment:']")
    page.keyboard.press("1")
    expect(page.locator("[data-key-status]")).to_contain_text("1 is the key for")
    page.keyboard.press("x")
    press(page, "Escape y 1 c")
    expect(page.locator("textarea[name=comment]")).not_to_be_focused()
    press(page, "x")
    expect(page.locator("textarea[name=comment]")).to_be_focused()
    expect(page.locator("textarea[name=comment]")).to_have_attribute("aria-keyshortcuts", "x")


def test_a_key_that_the_protocol_needs_opens_the_drawer_with_shift(
    transactional_db: None, open_rating: Callable
) -> None:
    study()
    Project.objects.update(protocol=newest_version("web-factuality"))
    page = open_rating()
    expect(page.locator(".answer-form [data-key-of=note]")).to_have_text("⇧C")
    press(page, "y 1 c")
    expect(page.locator("textarea[name=comment]")).to_be_focused()
    press(page, "Control+Enter Shift+C")
    expect(page.locator("[data-drawer]")).to_be_visible()
    expect(page.locator("[data-drawer] [data-ask=split]")).to_have_count(1)
