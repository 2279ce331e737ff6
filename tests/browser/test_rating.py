"""Rating by key and by click: questions, order, undo."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from annotation.models import Project, Rating
from annotation.projects.protocol_versions import store_protocol
from tests.protocol_text import choice, protocol_text, question

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study
from .workspace import SHIFTS, press, stored_answers, wait_for_another_response, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_response_is_rated_by_keyboard_alone_and_the_next_one_comes(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.evaluate("document.documentElement.dataset.samePage = 'yes'")
    first = page.url
    press(page, "1 4 s 5 3 n")
    wait_until_saved(page)
    unsupported = {"accuracy": "unsupported", "severity": "not_severe"}
    assert stored_answers() == [ACCURATE, SEVERE, CANNOT_ASSESS, unsupported]
    assert not Rating.objects.filter(counted=True).exists()
    page.keyboard.press("Enter")
    expect(page.locator("body")).not_to_have_attribute("data-ready", first.split("/")[-2])
    wait_until_saved(page)
    assert Rating.objects.filter(counted=True).count() == 4
    assert page.evaluate("document.documentElement.dataset.samePage") == "yes", "the next response came by a page load"
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    press(page, "1 1 1 1")
    wait_until_saved(page)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("All done")
    expect(page.locator(".empty")).to_contain_text("2 responses with 8 ratings")


def test_the_place_of_the_second_question_is_kept_so_nothing_moves(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.evaluate(SHIFTS)
    before = page.locator("[data-answer-form]").bounding_box()
    press(page, "1 4")
    expect(page.locator("[data-question=severity]")).to_be_visible()
    assert page.locator("[data-answer-form]").bounding_box() == before
    press(page, "s 2 n u 1")
    wait_until_saved(page)
    page.wait_for_timeout(300)
    assert page.evaluate("window.shifted") < 0.002  # a word of the header that changes its width is no move


def test_s_and_n_mean_nothing_before_the_second_question_is_open(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "s n 1 s")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")


def test_a_flag_without_its_severity_is_not_saved_and_is_listed_as_open(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "4 j 1 1 1 Enter")
    expect(page.locator("#unanswered")).to_be_visible()
    expect(page.locator("[data-open-title]")).to_have_text("1 sentence has no answer yet")
    page.keyboard.press("Enter")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    expect(page.locator("input[value=inaccurate]")).to_be_checked()
    press(page, "s")
    wait_until_saved(page)
    assert stored_answers() == [SEVERE, ACCURATE, ACCURATE, ACCURATE]


def test_a_flag_changed_to_another_asks_for_its_severity_again(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "4 s k 2")
    expect(page.locator("input[value=severe]")).not_to_be_checked()
    press(page, "n")
    wait_until_saved(page)
    assert stored_answers() == [{"accuracy": "disputed", "severity": "not_severe"}]


def test_undo_goes_back_at_any_depth_and_is_saved(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "1 4 s 5")
    wait_until_saved(page)
    press(page, "k k 2 n")  # answers the second sentence anew
    wait_until_saved(page)
    press(page, "u")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE, SEVERE, CANNOT_ASSESS]
    press(page, "u u u")
    wait_until_saved(page)
    assert stored_answers() == []
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 1 of 4")
    press(page, "u 1")
    wait_until_saved(page)
    assert stored_answers() == [ACCURATE]


def test_undo_is_offered_only_when_there_is_something_to_undo(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    expect(page.locator("[data-undo]")).to_be_disabled()
    page.click("label.option:has-text('Inaccurate')")
    page.click("[data-undo]")  # begun, and not an answer yet
    expect(page.locator("[data-undo]")).to_be_disabled()
    page.click("label.option:has-text('Accurate') >> nth=0")
    page.click("[data-undo]")
    wait_until_saved(page)
    assert stored_answers() == []
    press(page, "1 1 1 1 Enter")  # the click has not kept the keys
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 4")


def test_enter_finishes_after_a_folded_text_had_the_focus(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    left = page.url
    page.locator("summary:visible").first.focus()
    press(page, "1 1 1 1 Enter")
    wait_for_another_response(page, left)


def test_a_click_on_a_sentence_goes_there_and_a_click_on_an_option_answers(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.locator(".s.first").nth(2).click()
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
    page.locator("label.option", has_text="Disputed").click()
    page.locator("label.option", has_text="Not Severe").click()
    wait_until_saved(page)
    assert stored_answers() == [{"accuracy": "disputed", "severity": "not_severe"}]
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 4 of 4")


def test_arrow_keys_within_the_options_choose_nothing(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.locator("input[value=accurate]").focus()
    press(page, "ArrowRight ArrowRight ArrowDown")
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")
    expect(page.locator("input[value=unsupported]")).to_be_focused()
    press(page, "Space")
    expect(page.locator("input[value=severe]")).to_be_focused()
    press(page, "Space")
    wait_until_saved(page)
    assert stored_answers() == [{"accuracy": "unsupported", "severity": "severe"}]


def test_what_happened_is_read_aloud(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "4 s")
    live = page.locator("[data-announcements]")
    expect(live).to_contain_text("Sentence 1 of 4: Inaccurate, Severe, saved.")
    expect(live).to_contain_text("Now sentence 2: Sentence number 2")


WITH_WORDS = protocol_text(
    "with-words",
    choice("good", "Is it good?", {"yes": "Yes", "no": "No"}, "yx"),
    question("why", "Why not?", max_length=20, show_when={"good": ["no"]}),
    choice(
        "sure",
        "Are you sure?",
        {"quite": "Quite", "not_quite": "Not quite"},
        "qw",
        required=False,
        show_when={"good": ["no"]},
    ),
    counts={"good": ["yes"]},
)


def test_another_protocol_with_words_and_an_optional_question_is_asked_as_it_says(
    june: Study, open_rating: Callable
) -> None:
    version, _ = store_protocol(WITH_WORDS)
    Project.objects.update(protocol=version)
    page = open_rating()
    press(page, "y x")
    expect(page.locator("textarea")).to_be_focused()
    page.keyboard.type("too vague")  # letters are letters here, not shortcuts
    press(page, "Control+Enter")
    wait_until_saved(page)
    assert stored_answers() == [{"good": "yes"}, {"good": "no", "why": "too vague"}]
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 2 of 4")  # something may still be said
    press(page, "w")
    wait_until_saved(page)
    assert stored_answers()[1] == {"good": "no", "why": "too vague", "sure": "not_quite"}
    expect(page.locator("[data-item-number]")).to_have_text("Sentence 3 of 4")
