"""A project with a sample in the workspace: raters are asked about the drawn sentences and read the others."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotation.models import Item, Rating

from ..cast import ACCURATE, CANNOT_ASSESS, study
from .accessibility import problems_of_page
from .workspace import press, stored_answers, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_rater_rates_the_drawn_sentences_only_and_finishes(open_rating: Callable) -> None:
    june = study(prompts=2, sentences=4, overlap=1, raters=("ravi",), sample=4)
    page = open_rating()
    first = page.url
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 2")
    expect(page.get_by_text("You are asked about 2 sentences of this response, drawn at random.")).to_be_visible()
    expect(page.locator(".response .s.first")).to_have_count(2)
    assert problems_of_page(page) == []
    for number in range(1, 5):
        expect(page.locator(".response")).to_contain_text(f"Sentence number {number} of heron.")
    press(page, "1 5 Enter")
    wait_for_another_response(page, first)
    expect(page.get_by_text("You are asked about 2 sentences of this response, drawn at random.")).to_be_visible()
    press(page, "1 1")
    wait_until_saved(page)
    press(page, "Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    assert stored_answers() == [ACCURATE, CANNOT_ASSESS, ACCURATE, ACCURATE]
    drawn = june.project.sampled_items.filter(is_drawn=True).values("item")
    assert set(Rating.objects.filter(counted=True).values_list("item", flat=True)) == set(
        Item.objects.filter(pk__in=drawn).values_list("pk", flat=True)
    )
