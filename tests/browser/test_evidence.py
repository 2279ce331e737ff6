"""Evidence in the workspace: passages suggested, visited in turn, attached by key or by hand, saved and shown again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from annotation.models import Assignment, Item, Rating
from annotation.rating.submit import Submission, save

from ..cast import ACCURATE, SEVERE, Study, person, study
from .evidence_study import GREW, SECTIONS, evidence, marked_text, passage, search_sources, select, write_sections
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


def test_shift_with_the_last_letter_of_a_flag_attaches_the_passage_as_well(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    press(page, "4 Shift+S")
    wait_until_saved(page)
    assert stored_answers() == [SEVERE]
    assert evidence() == [passage("p3", GREW, "contradicts")]
    press(page, "u u")
    wait_until_saved(page)
    assert stored_answers() == []


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


def test_for_and_against_stand_by_the_questions_and_can_be_taken_off(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    press(page, "+ e e -")
    entries = page.locator("[data-attached] li")
    expect(entries).to_have_count(2)
    assert [entry.get_attribute("data-stance") for entry in entries.all()] == ["supports", "contradicts"]
    expect(page.locator("[data-announcements]")).to_contain_text("Contradicts, attached")
    press(page, "1")
    wait_until_saved(page)
    assert [each["stance"] for each in evidence()] == ["supports", "contradicts"]
    press(page, "k")
    page.get_by_role("button", name="Remove. Supports").click()
    wait_until_saved(page)
    expect(entries).to_have_count(1)
    assert [each["stance"] for each in evidence()] == ["contradicts"]
    press(page, "u")
    wait_until_saved(page)
    assert [each["stance"] for each in evidence()] == ["supports", "contradicts"]
    press(page, "e + u")  # the stance changed, and changed back
    wait_until_saved(page)
    assert [each["stance"] for each in evidence()] == ["supports", "contradicts"]


def test_undo_takes_back_passages_and_answers_in_the_order_they_came(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    press(page, "+ 4 - u")
    entries = page.locator("[data-attached] li")
    expect(entries).to_have_attribute("data-stance", "supports")
    expect(page.locator("input[value=inaccurate]")).to_be_checked()  # what was begun stays begun
    press(page, "u")
    expect(page.locator("input[value=inaccurate]")).not_to_be_checked()
    press(page, "u")
    expect(entries).to_have_count(0)
    press(page, "+ 1 u")
    wait_until_saved(page)
    assert stored_answers() == []
    expect(entries).to_have_count(1)
    press(page, "1")
    wait_until_saved(page)
    assert len(evidence()) == 1


def test_selected_text_is_attached_as_it_stands_in_code_points(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    select(page, " further on turbid days, as")
    search_sources(page, "Selected · Abstract")
    press(page, "+")
    select(page, "harbour & its <silt> stay")
    press(page, "- 1")
    wait_until_saved(page)
    assert evidence() == [
        passage("p1", "further on turbid days, as", "supports"),
        passage("p6", "harbour & its <silt> stay", "contradicts"),
    ]
    assert Rating.objects.get().suggestions == "on"  # shown, but not used
    assert page.evaluate("document.getSelection().isCollapsed")


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


def test_what_is_attached_is_there_again_when_one_comes_back(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    press(page, "- 4 s")
    wait_until_saved(page)
    search_sources(page, "1 of 1 · Methods › Loggers")
    press(page, "+")  # without an answer yet
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")
    expect(page.locator("[data-attached] li")).to_have_attribute("data-stance", "supports")
    press(page, "1")
    wait_until_saved(page)
    assert [each["text"] for each in evidence(1)] == ["Each weighed 1.9 g."]
    assert page.evaluate("Object.keys(localStorage).filter((name) => !/:hints:/.test(name)).length") == 0
    press(page, "k k")
    expect(page.locator("[data-attached] li")).to_have_attribute("data-stance", "contradicts")
    press(page, "4 n")
    wait_until_saved(page)
    assert len(evidence(0)) == 1  # another answer keeps them


def test_passages_given_offline_arrive_with_their_answer_also_from_a_killed_tab(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    url = page.url
    context.set_offline(True)
    press(page, "+ 1")
    expect(page.locator("[data-saved-text]")).to_have_text("Offline, 1 waiting")
    page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("body[data-ready]")
    wait_until_saved(again)
    assert evidence() == [passage("p3", GREW, "supports")]
    press(again, "k")
    expect(again.locator("[data-attached] li")).to_have_count(1)


def test_the_same_answer_from_two_tabs_keeps_the_passages_of_both(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    work = Assignment.objects.get()
    item = Item.objects.get(response=work.sheet.response, position=0)
    theirs = passage("p4", "Chicks grew all the same.", "supports")
    save(person("ravi"), work.public_id, item.public_id, Submission(ACCURATE, 0, evidence=[theirs], key="elsewhere"))
    press(page, "+ 1")
    wait_until_saved(page)
    expect(page.locator("#conflict")).not_to_be_visible()
    assert evidence() == [passage("p3", GREW, "supports"), theirs]


def test_a_passage_that_cannot_be_saved_does_not_take_its_answer_with_it(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    search_sources(page, "1 of 4 · Results")
    document = Assignment.objects.get().sheet.document
    document.sections = []
    document.save()
    press(page, "+ 1")
    expect(page.locator("[data-notice]")).to_contain_text("the answer is saved without them")
    wait_until_saved(page)
    assert (stored_answers(), evidence()) == ([ACCURATE], [])
