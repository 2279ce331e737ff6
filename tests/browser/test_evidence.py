"""Evidence in the workspace: passages found, walked through, attached by one key or by hand, saved and shown again."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from annotation.models import Assignment, Document, Item, Rating, Response
from annotation.rating.submit import Submission, save

from ..cast import ACCURATE, SEVERE, Study, person, study
from .barriers import barriers
from .workspace import SHIFTS, given, press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SECTIONS = [
    ("Abstract", 1, ["Terns 🐦 fly further on turbid days, as we show for one colony BIBREF3 over three summers."]),
    ("Methods", 1, []),
    ("Loggers", 2, ["Forty adults carried loggers. Each weighed 1.9 g. The harbour was calm."]),
    (
        "Results",
        1,
        ["The median range was 11.8 km on clear days. On turbid days it grew to 17.3 km.", "Chicks grew all the same."],
    ),
    ("Discussion", 1, ["A range of this size is what others saw, too. " * 30, "The harbour & its <silt> stay."]),
]
SENTENCES = [
    "The range grew to 17.30 km on turbid days.",
    "Each of the 45 loggers weighed 1.9 g.",
    "Wholly unrelated zebras danced.",
    "Chicks grew.",
]
GREW = "On turbid days it grew to 17.3 km."


def write(made: Study) -> None:
    """Gives every document of the study the article above, and the first response the sentences."""
    for document in Document.objects.all():
        numbers = iter(range(1, 100))
        document.sections = [
            {
                "heading": heading,
                "level": level,
                "paragraphs": [{"id": f"p{next(numbers)}", "kind": "text", "text": text} for text in texts],
            }
            for heading, level, texts in SECTIONS
        ]
        document.save()
    for response in Response.objects.all():
        at = 0
        for item, sentence in zip(Item.objects.filter(response=response).order_by("position"), SENTENCES, strict=True):
            Item.objects.filter(pk=item.pk).update(text=sentence, start=at, end=at + len(sentence))
            at += len(sentence) + 1
        response.text = "\n".join(SENTENCES)
        response.save()


@pytest.fixture
def june(transactional_db: None) -> Study:
    made = study(prompts=2, sentences=4)
    write(made)
    return made


def passage(paragraph: str, text: str, stance: str) -> dict:
    whole = {p["id"]: p["text"] for section in Document.objects.all()[0].sections for p in section["paragraphs"]}
    start = whole[paragraph].index(text)
    return {"paragraph": paragraph, "start": start, "end": start + len(text), "stance": stance, "text": text}


def evidence(n: int = 0) -> list[dict]:
    """What is stored with the answer to the n-th sentence."""
    stored = Rating.objects.filter(item__position=n).values_list("evidence", flat=True)
    assert len(stored) == 1
    return stored[0]


def looked_up(page: Page, place: str) -> None:
    expect(page.locator("[data-evidence-place]")).to_have_text(place)


def marked(page: Page, name: str) -> list[str]:
    """The text under a mark, in the order of the article."""
    script = """(name) => [...(CSS.highlights.get(name) ?? [])].map((range) => {
        const live = document.createRange();
        live.setStart(range.startContainer, range.startOffset);
        live.setEnd(range.endContainer, range.endOffset);
        return live.toString();
    })"""
    return page.evaluate(script, name)


def select(page: Page, words: str) -> None:
    """Selects text of the article as a mouse would leave it."""
    page.evaluate(
        """(words) => {
            for (const paragraph of document.querySelectorAll("[data-paragraph]")) {
                for (const node of paragraph.childNodes) {
                    const at = node.data?.indexOf(words) ?? -1;
                    if (at >= 0) return document.getSelection().setBaseAndExtent(node, at, node, at + words.length);
                }
            }
            throw new Error(words);
        }""",
        words,
    )


def test_the_best_passage_is_shown_by_itself_and_attached_by_one_key(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    looked_up(page, "1 of 4 · Results")
    expect(page.locator("[data-evidence-text]")).to_have_text(GREW)
    assert marked(page, "shown") == [GREW]
    press(page, "- 4 s")
    wait_until_saved(page)
    assert given() == [SEVERE]
    assert evidence() == [passage("p3", GREW, "contradicts")]
    assert Rating.objects.get().suggestions == "used"


def test_shift_with_the_last_letter_of_a_flag_attaches_the_passage_as_well(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    looked_up(page, "1 of 4 · Results")
    press(page, "4 Shift+S")
    wait_until_saved(page)
    assert given() == [SEVERE]
    assert evidence() == [passage("p3", GREW, "contradicts")]
    press(page, "u u")
    wait_until_saved(page)
    assert given() == []


def test_one_key_walks_through_the_passages_round_and_back(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    looked_up(page, "1 of 4 · Results")
    press(page, "e")
    looked_up(page, "1 of 4 · Results")  # the first press goes to the one that is named
    places = []
    for _ in range(4):
        press(page, "e")
        places.append(page.inner_text("[data-evidence-place]"))
    assert places[-1] == "1 of 4 · Results" and len(set(places)) == 4
    press(page, "Shift+E")
    looked_up(page, places[-2])
    expect(page.locator("[data-live]")).to_contain_text(f"Passage {places[-2]}: ")
    box = page.evaluate("document.querySelector('[data-article]').getBoundingClientRect().toJSON()")
    shown = page.evaluate(
        """() => { const [r] = CSS.highlights.get("shown"); const l = document.createRange();
        l.setStart(r.startContainer, r.startOffset); l.setEnd(r.endContainer, r.endOffset);
        return l.getBoundingClientRect().toJSON(); }"""
    )
    assert box["top"] <= shown["top"] <= box["bottom"]


def test_for_and_against_stand_by_the_questions_and_can_be_taken_off(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    looked_up(page, "1 of 4 · Results")
    press(page, "+ e e -")
    entries = page.locator("[data-attached] li")
    expect(entries).to_have_count(2)
    assert [entry.get_attribute("data-stance") for entry in entries.all()] == ["supports", "contradicts"]
    expect(page.locator("[data-live]")).to_contain_text("Contradicts, attached")
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
    looked_up(page, "1 of 4 · Results")
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
    assert given() == []
    expect(entries).to_have_count(1)
    press(page, "1")
    wait_until_saved(page)
    assert len(evidence()) == 1


def test_selected_text_is_attached_as_it_stands_in_code_points(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    looked_up(page, "1 of 4 · Results")
    select(page, " further on turbid days, as")
    looked_up(page, "Selected · Abstract")
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
    looked_up(page, "1 of 4 · Results")
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
    looked_up(page, "1 of 4 · Results")
    press(page, "- 4 s")
    wait_until_saved(page)
    looked_up(page, "1 of 1 · Methods › Loggers")
    press(page, "+")  # without an answer yet
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("[data-at]")).to_have_text("Sentence 2 of 4")
    expect(page.locator("[data-attached] li")).to_have_attribute("data-stance", "supports")
    press(page, "1")
    wait_until_saved(page)
    assert [each["text"] for each in evidence(1)] == ["Each weighed 1.9 g."]
    assert page.evaluate("Object.keys(localStorage).length") == 0
    press(page, "k k")
    expect(page.locator("[data-attached] li")).to_have_attribute("data-stance", "contradicts")
    press(page, "4 n")
    wait_until_saved(page)
    assert len(evidence(0)) == 1  # another answer keeps them


def test_passages_given_offline_arrive_with_their_answer_also_from_a_killed_tab(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    looked_up(page, "1 of 4 · Results")
    url = page.url
    context.set_offline(True)
    press(page, "+ 1")
    expect(page.locator("[data-saved-words]")).to_have_text("Offline, 1 waiting")
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
    looked_up(page, "1 of 4 · Results")
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
    looked_up(page, "1 of 4 · Results")
    document = Assignment.objects.get().sheet.document
    document.sections = []
    document.save()
    press(page, "+ 1")
    expect(page.locator("[data-trouble]")).to_contain_text("the answer is saved without them")
    wait_until_saved(page)
    assert (given(), evidence()) == ([ACCURATE], [])


def test_words_and_numbers_are_lit_and_a_number_that_is_missing_is_pointed_out(
    june: Study, open_rating: Callable
) -> None:
    page = open_rating()
    looked_up(page, "1 of 4 · Results")
    assert marked(page, "numbers") == ["17.3 km"]
    assert "turbid" in marked(page, "words") and "was" not in marked(page, "words")
    expect(page.locator("[data-missing]")).to_be_hidden()
    expect(page.locator(".unfound")).to_have_count(0)
    press(page, "j")
    looked_up(page, "1 of 1 · Methods › Loggers")
    expect(page.locator("[data-missing]")).to_have_text("Not in the article: 45")
    expect(page.locator(".s.now .unfound")).to_have_text("45")
    expect(page.locator(".s.now .unfound")).to_have_attribute("title", "Not found in the article")
    assert given() == []
    press(page, "j")
    expect(page.locator("[data-evidence-text]")).to_contain_text("No passage of the article has words of this sentence")
    press(page, "+ 5")
    wait_until_saved(page)
    assert evidence(2) == []


def test_without_suggestions_nothing_is_ranked_or_lit_and_the_hand_still_attaches(
    june: Study, open_rating: Callable
) -> None:
    type(june.project).objects.update(suggestions=False)
    page = open_rating()
    expect(page.locator("[data-evidence-text]")).to_have_text("Select text in the article to attach it as evidence.")
    press(page, "e + j j k k")
    page.wait_for_timeout(300)
    for name in ("suggested", "shown", "words", "numbers"):
        assert marked(page, name) == []
    expect(page.locator(".unfound")).to_have_count(0)
    expect(page.locator("[data-walk]")).to_have_count(0)
    select(page, "calm")
    press(page, "+ 1")
    wait_until_saved(page)
    assert evidence() == [passage("p2", "calm", "supports")]
    assert Rating.objects.get().suggestions == "off"


def test_find_counts_walks_marks_and_closes(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "/")
    expect(page.locator("[data-find] input")).to_be_focused()
    page.keyboard.type("RANGE")
    expect(page.locator("[data-find-count]")).to_have_text("1 of 31")
    assert len(marked(page, "found")) == 30
    page.keyboard.type(" was")
    expect(page.locator("[data-find-count]")).to_have_text("1 of 1")
    page.keyboard.press("Control+a")
    page.keyboard.type("turbid")
    press(page, "Enter n")
    expect(page.locator("[data-find-count]")).to_have_text("2 of 2")
    press(page, "n Shift+N")
    expect(page.locator("[data-find-count]")).to_have_text("2 of 2")
    assert marked(page, "found-now") == ["turbid"]
    looked_up(page, "Selected · Results")  # the sentence around it can be attached without a mouse
    press(page, "+ Escape")
    expect(page.locator("[data-find]")).to_be_hidden()
    assert marked(page, "found") == marked(page, "found-now") == []
    press(page, "/")
    page.keyboard.type("zebra")
    expect(page.locator("[data-find-count]")).to_have_text("Not found")
    press(page, "Escape 4 n")  # n is an answer again
    wait_until_saved(page)
    assert given() == [{"accuracy": "inaccurate", "severity": "not_severe"}]
    assert evidence() == [passage("p3", GREW, "supports")]


def test_find_closes_at_the_next_answer_so_that_n_means_not_severe(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "/")
    page.keyboard.type("km")
    press(page, "Enter 4 n")
    wait_until_saved(page)
    assert given() == [{"accuracy": "inaccurate", "severity": "not_severe"}]


def test_a_match_may_run_through_marks_and_other_quotes_and_spaces(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "/")
    page.keyboard.type("colony [4] over three")
    expect(page.locator("[data-find-count]")).to_have_text("1 of 1")


def test_the_outline_follows_what_is_read(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.evaluate("document.querySelector('[data-article]').scrollTop = 1e6")
    expect(page.locator("[data-now-reading]")).to_have_text("Discussion")
    page.evaluate("document.querySelector('[data-article]').scrollTop = 0")
    expect(page.locator("[data-now-reading]")).not_to_have_text("Discussion")


def test_nothing_moves_when_passages_come_are_attached_and_found(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    looked_up(page, "1 of 4 · Results")
    page.evaluate(SHIFTS)
    before = page.locator("[data-dock]").bounding_box(), page.locator("[data-evidence]").bounding_box()
    press(page, "+ j")
    looked_up(page, "1 of 1 · Methods › Loggers")
    press(page, "- 4")
    press(page, "s / Escape k")
    wait_until_saved(page)
    page.wait_for_timeout(300)
    assert (page.locator("[data-dock]").bounding_box(), page.locator("[data-evidence]").bounding_box()) == before
    assert page.evaluate("window.shifted") < 0.002


def test_the_next_response_about_the_same_article_is_looked_up_at_once(june: Study, open_rating: Callable) -> None:
    Document.objects.update(title="Terns")
    page = open_rating()
    looked_up(page, "1 of 4 · Results")
    first = page.url
    press(page, "e / 1")
    page.keyboard.press("Escape")
    press(page, "1 1 1 1")
    wait_until_saved(page)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda here: here != first)
    looked_up(page, "1 of 4 · Results")
    press(page, "+ 1")
    wait_until_saved(page)
    last = Rating.objects.exclude(assignment__finished_at__isnull=False).get()
    assert last.evidence == [passage("p3", GREW, "supports")]


def test_without_custom_highlights_spans_do_the_same(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = context.new_page()
    page.add_init_script("delete window.Highlight")
    open_rating(on=page)
    looked_up(page, "1 of 4 · Results")
    expect(page.locator("[data-mark=words]").first).to_be_attached()
    assert "".join(page.locator("[data-mark=shown]").all_text_contents()) == GREW  # other marks may cut it in pieces
    press(page, "e e /")
    page.keyboard.type("turbid")
    press(page, "Enter n")
    expect(page.locator("[data-find-count]")).to_have_text("2 of 2")
    expect(page.locator("[data-mark=found-now]")).to_have_text("turbid")
    press(page, "Escape")
    select(page, "Forty adults carried ")
    press(page, "- 1")
    wait_until_saved(page)
    assert evidence() == [passage("p2", "Forty adults carried", "contradicts")]
    text = page.evaluate("[...document.querySelectorAll('[data-paragraph]')].map((p) => p.textContent)")
    assert text[1:4] == [SECTIONS[2][2][0], *SECTIONS[3][2]]


def test_on_a_phone_the_strip_is_in_the_articles_sheet(june: Study, open_rating: Callable, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = open_rating(on=context.new_page())
    expect(page.locator("[data-evidence]")).not_to_be_visible()
    page.locator("[data-show=article]").tap()
    looked_up(page, "1 of 4 · Results")
    for button in page.locator("[data-evidence] button").all():
        box = button.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44
    page.locator("[data-walk='1']").tap()
    page.locator("[data-attach=contradicts]").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("[data-strip]").tap()
    page.locator("label.option", has_text="Accurate").first.tap()
    wait_until_saved(page)
    assert evidence() == [passage("p3", GREW, "contradicts")]
    context.close()


def test_axe_finds_nothing_with_evidence_and_find_open(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    looked_up(page, "1 of 4 · Results")
    press(page, "+ e e - 4 /")
    page.keyboard.type("range")
    assert barriers(page) == []
