"""Facts of two answers in a browser: each rated by keyboard against the other answer, and two scores at the end."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.importing import load_dataset, load_responses
from annotation.models import Dataset, Project, Rating, Response
from annotation.projects.create import create_project
from annotation.projects.members import add_member

from ..cast import newest_version, person
from ..importing.files import FIXTURES
from .accessibility import accessibility_problems, violations
from .workspace import press, wait_until_saved

HERE = FIXTURES / "syllabusqa"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def facts(transactional_db: None, tmp_path: Any) -> Project:
    """Return a project of one response, two facts and the fact of its reference answer, with Ravi as its rater."""
    load_dataset("syllabusqa", [HERE / "test.json", HERE / "text"], "courses")
    first = tmp_path / "first.jsonl"
    first.write_text((HERE / "facts.jsonl").read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    load_responses(first, Dataset.objects.get(slug="courses"))
    project = create_project("facts", Dataset.objects.get(slug="courses"), newest_version("fact-support"))
    add_member(project, person("ravi"), "rater")
    return project


@pytest.fixture
def rating(facts: Project, open_rating: Callable) -> Page:
    return open_rating(slug="facts")


def test_each_fact_is_judged_by_the_other_answer_and_the_response_with_the_last(rating: Page) -> None:
    page = rating
    expect(page.locator(".side")).to_have_count(2)
    expect(page.locator(".side").nth(1)).to_contain_text("It is worth 30% of the grade.")
    expect(page.locator("[data-article]")).to_have_count(0)
    expect(page.locator("[data-question=in_reference] [data-item-number]")).to_have_text("Fact 1 of 3")
    expect(page.locator("[data-question=in_response]")).to_be_hidden()
    press(page, "1 2")
    expect(page.locator("[data-question=in_reference]")).to_be_hidden()
    expect(page.locator("[data-question=in_response] [data-item-number]")).to_have_text("Fact 3 of 3")
    expect(page.locator("[data-question=recall]")).to_be_visible()
    assert accessibility_problems(page) == []
    press(page, "1 4 8 u 1 5 9")
    wait_until_saved(page)
    assert list(Rating.objects.order_by("item__position").values_list("answers", flat=True)) == [
        {"in_reference": "supported"},
        {"in_reference": "not_supported"},
        {"in_response": "supported", "precision": "part", "recall": "all"},
    ]
    page.keyboard.press("Enter")
    page.wait_for_url("**/rate/")
    assert Rating.objects.filter(counted=True).count() == 3


def test_facts_are_divided_by_keyboard_and_a_draft_outlives_a_closed_page(rating: Page, live_server: Any) -> None:
    page = rating
    press(page, "1")
    wait_until_saved(page)
    page.goto(f"{live_server.url}/projects/facts/facts/{Response.objects.get().public_id}/")
    field = page.get_by_label("Facts of the response")
    field.focus()
    press(page, "Control+End Shift+Home")
    page.keyboard.type("The paper may be long.\nIt has at most 2,000 words.")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(field).to_have_value("The term paper counts 30%.\nThe paper may be long.\nIt has at most 2,000 words.")
    assert violations(page) == []
    page.get_by_role("button", name="Save facts").click()
    expect(page.get_by_text("2 facts are new. 1 was removed.")).to_be_visible()
    page.get_by_role("link", name="Continue rating").click()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator(".loose").first.locator("li")).to_have_count(3)
    expect(page.locator("[data-progress-text]")).to_have_text("1 of 4")
