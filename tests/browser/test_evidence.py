"""Evidence in the workspace: passages suggested, visited in turn, attached by key or by hand, saved and shown again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotation.models import Rating

from ..cast import SEVERE, Study, study
from .evidence_study import GREW, SECTIONS, evidence, marked_text, passage, search_sources, write_sections
from .workspace import press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def june(transactional_db: None) -> Study:
    prepared = study(prompts=2, sentences=4)
    write_sections(prepared)
    return prepared


def test_the_best_passage_is_shown_by_itself_and_attached_by_one_key(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    expect(page.locator("[data-evidence-text]")).to_have_text(GREW)
    assert marked_text(page, "shown") == [GREW]
    press(page, "- 4 s")
    wait_until_saved(page)
    assert stored_answers() == [SEVERE]
    assert evidence() == [passage("p3", GREW, "contradicts")]
    assert Rating.objects.get().suggestions == "used"


def test_on_a_phone_attaching_is_confirmed_in_the_article(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("[data-show-view=article]").click()
    search_sources(page, "1 of 4 · Results")
    place = page.locator("[data-evidence-place]")
    page.get_by_role("button", name="Contradicts").click()
    expect(place).to_have_text("✓ Attached: Contradicts")
    expect(place).to_be_in_viewport()
    page.get_by_role("button", name="Supports").click()
    expect(place).to_have_text("✓ Attached: Supports")
    page.get_by_role("button", name="Next passage").click()
    expect(place).to_have_text("1 of 4 · Results")


def test_one_key_walks_through_the_passages_round_and_back(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    press(page, "e")
    search_sources(page, "1 of 4 · Results")  # the first press goes to the one that is named
    labels = []
    for _ in range(4):
        press(page, "e")
        labels.append(page.inner_text("[data-evidence-place]"))
    assert labels[-1] == "1 of 4 · Results" and len(set(labels)) == 4
    press(page, "Shift+E")
    search_sources(page, labels[-2])
    expect(page.locator("[data-announcements]")).to_contain_text(f"Passage {labels[-2]}: ")
    box = page.evaluate("document.querySelector('[data-article]').getBoundingClientRect().toJSON()")
    visited = page.evaluate(
        """() => { const [r] = CSS.highlights.get("shown"); const l = document.createRange();
        l.setStart(r.startContainer, r.startOffset); l.setEnd(r.endContainer, r.endOffset);
        return l.getBoundingClientRect().toJSON(); }"""
    )
    assert box["top"] <= visited["top"] <= box["bottom"]


def test_a_selection_over_a_reference_and_paragraphs_keeps_their_raw_text(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    page.evaluate(
        """() => {
            const [from, to] = document.querySelectorAll("[data-paragraph=p1], [data-paragraph=p2]");
            document.getSelection().setBaseAndExtent(from.firstChild, 0, to.firstChild, 29);
        }"""
    )
    page.get_by_role("button", name="Supports").click()
    press(page, "1")
    wait_until_saved(page)
    whole = SECTIONS[0][2][0]
    assert "BIBREF3" in whole
    assert evidence() == [
        passage("p1", whole, "supports"),
        passage("p2", "Forty adults carried loggers.", "supports"),
    ]
    expect(page.locator("[data-attached] li")).to_have_count(0)
    press(page, "k")
    expect(page.locator("[data-attached] li").first).to_contain_text("[4]")
