"""Rating of pairs of answers side by side, by keyboard alone and in either order."""

import uuid
from collections.abc import Callable

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Item, Project, Rating
from annotation.qualification.next_work import take_next
from annotation.rating.rater_view import responses_as_seen

from ..cast import person, study_from_files
from ..importing.files import FIXTURES
from .accessibility import violations
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def pairs(transactional_db: None) -> Project:
    project = study_from_files(
        "pairs", "lfqa_eval", [FIXTURES / "lfqa_eval" / "preferences.jsonl"], "pairwise-preference"
    )
    with transaction.atomic():
        assignment = take_next(project, person("ravi"))
    assert assignment
    swapped = uuid.UUID(int=uuid.uuid4().int | 1)  # this rater has the second answer first
    Assignment.objects.filter(pk=assignment.pk).update(public_id=swapped)
    return project


def test_a_pair_is_rated_by_keyboard_alone_and_its_sides_are_undone(
    pairs: Project, page: Page, open_rating: Callable
) -> None:
    open_rating(slug="pairs")
    pair = Item.objects.get(unit="pair", response__sheets__assignments__rater=person("ravi"))
    sides = page.locator(".side .response")
    expect(sides.nth(0)).to_have_text(pair.against.text)
    expect(sides.nth(1)).to_have_text(pair.response.text)
    left, right = sides.nth(0).bounding_box(), sides.nth(1).bounding_box()
    assert left and right and left["y"] == right["y"] and left["x"] + left["width"] <= right["x"]
    for key in ["1", "6", "8", "n"]:
        page.keyboard.press(key)
    page.keyboard.press("w")
    page.keyboard.type("It says where the colour comes from.")
    page.keyboard.press("Control+Enter")
    wait_until_saved(page)
    expect(page.locator("[data-progress-text]")).to_have_text("1 of 1")
    assert violations(page) == []
    first = page.url
    page.keyboard.press("Enter")
    expect(page.locator("body")).not_to_have_attribute("data-ready", first.split("/")[-2])
    wait_until_saved(page)  # the end of it comes after the page went on
    rating = Rating.objects.get(item=pair)
    assert rating.counted and rating.answers == {
        "preference": "b",
        "coherence": "a",
        "factuality": "tie",
        "difficult": "no",
        "justification": "It says where the colour comes from.",
    }


def test_the_next_pair_has_its_own_order_and_the_way_back_the_first_one_s(
    pairs: Project, page: Page, open_rating: Callable
) -> None:
    open_rating(slug="pairs")
    first, sides = page.url.split("/")[-2], page.locator(".side .response")
    before = sides.all_inner_texts()
    page.set_viewport_size({"width": 390, "height": 844})  # on a phone the answers are below each other
    above, below = (page.locator(".side").nth(n).bounding_box() for n in range(2))
    assert above and below and below["y"] >= above["y"] + above["height"] - 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1440, "height": 900})
    press(page, "1 Enter")
    expect(page.locator("body")).not_to_have_attribute("data-ready", first)
    assignments = Assignment.objects.select_related("project__protocol", "sheet__response", "sheet__against")
    expect(page.locator("[data-number], [data-part=number]").first).to_contain_text("pair 2")
    second = assignments.get(public_id=page.url.split("/")[-2])
    for n, response in enumerate(responses_as_seen(second)):
        expect(sides.nth(n)).to_have_text(response.text)
    page.keyboard.press("3")
    wait_until_saved(page)
    page.keyboard.press("u")  # the answer
    page.keyboard.press("u")  # the step
    expect(page.locator("body")).to_have_attribute("data-ready", first)
    assert sides.all_inner_texts() == before
    expect(page.locator("input[name=preference][value=a]")).to_be_checked()
    wait_until_saved(page)
    assert Rating.objects.get().answers == {"preference": "b"}
