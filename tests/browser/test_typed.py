"""What a rater types is never lost: comments, written answers, questions to the leads. Each fault prints its counts."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request, Response, Route, expect

from annotation.assigning.protocols import newest_protocol
from annotation.models import Inquiry, Project, Rating

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, study
from .workspace import given, press, wait_until_saved, written_down

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SEARCHED = "Ten minutes: three registers and two newspapers say nothing."


@pytest.fixture
def web(transactional_db: None) -> Study:
    """One response of three sentences, rated by research on the web."""
    made = study()
    Project.objects.update(protocol=newest_protocol("web-factuality"))
    return made


def comment_of(page: Page) -> Locator:
    return page.get_by_label("Comment", exact=True)


def write_comment(page: Page, words: str) -> None:
    """About the lit sentence; the keys are with the answers again after it."""
    press(page, "c")
    comment_of(page).fill(words)
    press(page, "Escape")


def offline(page: Page, waiting: int) -> None:
    expect(page.locator("[data-saved-words]")).to_have_text(f"Offline, {waiting} waiting")


def killed(page: Page) -> Page:
    """The tab is gone without a word; another has the same address."""
    url, context = page.url, page.context
    page.close(run_before_unload=False)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("body[data-ready]")
    return again


def comments() -> list[str]:
    return list(Rating.objects.order_by("item__position").values_list("comment", flat=True))


def questions() -> list[str]:
    return list(Inquiry.objects.order_by("pk").values_list("text", flat=True))


class Words:
    """The words that the server has acknowledged to a browser, and the count of what became of those typed."""

    def __init__(self, context: BrowserContext, capsys: Any) -> None:
        self.acknowledged: list[str] = []
        self.capsys = capsys
        context.on("response", self._note)

    def _note(self, response: Response) -> None:
        if response.status < 300 and response.request.method in ("PUT", "POST"):
            self.acknowledged += words_in(response.request)

    def assert_kept(self, fault: str, typed: list[str], stored: list[str]) -> None:
        """Prints given, acknowledged and stored, and fails if any of the words typed are lost or stored twice."""
        times = Counter(stored)
        counts = {
            "given": len(typed),
            "acknowledged": sum(words in self.acknowledged for words in typed),
            "stored": len([words for words in stored if words]),
            "lost": sum(words not in times for words in typed),
            "doubled": sum(n - 1 for words, n in times.items() if words),
        }
        with self.capsys.disabled():
            print(f"\n{fault}: " + ", ".join(f"{name} {n}" for name, n in counts.items()))
        assert (counts["lost"], counts["doubled"]) == (0, 0), (typed, stored)
        assert counts["acknowledged"] == len(typed)


def words_in(request: Request) -> list[str]:
    body = request.post_data_json if request.post_data else {}
    said = [body.get("comment"), body.get("text"), *(body.get("answers") or {}).values()]
    return [words for words in said if words]


@pytest.fixture
def words(context: BrowserContext, capsys: Any) -> Words:
    return Words(context, capsys)


def test_undone_and_answered_anew(june: Study, open_rating: Callable, words: Words) -> None:
    page = open_rating()
    write_comment(page, "Table 2 says otherwise.")
    press(page, "1")
    wait_until_saved(page)
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        press(page, "u")
    page = killed(page)  # nothing is stored now, and the words are still there
    press(page, "c")
    expect(comment_of(page)).to_have_value("Table 2 says otherwise.")
    press(page, "Escape 5")
    wait_until_saved(page)
    words.assert_kept("undone and answered anew", ["Table 2 says otherwise."], comments())
    assert given() == [CANNOT_ASSESS]


def test_changed_before_it_was_sent(june: Study, open_rating: Callable, context: BrowserContext, words: Words) -> None:
    page = open_rating()
    press(page, "ArrowDown ArrowUp")  # with the first key comes what is needed without a network
    page.wait_for_load_state("networkidle")
    context.set_offline(True)
    press(page, "1")
    offline(page, 1)
    write_comment(page, "Only the abstract says so.")
    press(page, "1 ArrowUp 5")
    offline(page, 2)
    context.set_offline(False)
    wait_until_saved(page)
    words.assert_kept("changed before it was sent", ["Only the abstract says so."], comments()[1:])
    assert given() == [ACCURATE, CANNOT_ASSESS]


@pytest.mark.parametrize("theirs", ["", "Figure 3 too."])
def test_same_answer_on_two_devices(
    june: Study, open_rating: Callable, browser: Browser, words: Words, theirs: str
) -> None:
    """Nobody is asked: the answer stands, with what was written on either."""
    page = open_rating()
    elsewhere = browser.new_context()
    other = open_rating(on=elsewhere.new_page())
    if theirs:
        write_comment(other, theirs)
    press(other, "1")
    wait_until_saved(other)
    write_comment(page, "Only the abstract says so.")
    press(page, "1")
    expect(page.locator("[data-progress-words]")).to_have_text("1 of 4")
    wait_until_saved(page)
    expect(page.locator("dialog[open]")).to_have_count(0)
    whole = f"{theirs}\nOnly the abstract says so.".strip()
    page.wait_for_function("() => document.querySelector('[data-saved-words]').textContent === 'Saved'")
    words.assert_kept("same answer on two devices", [whole], comments())
    page.reload()
    page.wait_for_selector("body[data-ready]")
    press(page, "ArrowUp c")
    expect(comment_of(page)).to_have_value(whole)
    elsewhere.close()


@pytest.mark.parametrize(("keep", "kept"), [("mine", "Only here."), ("theirs", "Only there.")])
def test_two_answers_are_shown_with_their_comments(
    june: Study, open_rating: Callable, browser: Browser, keep: str, kept: str
) -> None:
    page = open_rating()
    elsewhere = browser.new_context()
    other = open_rating(on=elsewhere.new_page())
    write_comment(other, "Only there.")
    press(other, "1")
    wait_until_saved(other)
    elsewhere.close()
    write_comment(page, "Only here.")
    press(page, "5")
    expect(page.locator("#conflict")).to_be_visible()
    expect(page.locator("[data-conflict-mine]")).to_contain_text("Only here.")
    expect(page.locator("[data-conflict-theirs]")).to_contain_text("Only there.")
    page.click(f"[data-keep={keep}]")
    wait_until_saved(page)
    assert comments() == [kept]
    page.reload()
    page.wait_for_selector("body[data-ready]")
    press(page, "ArrowUp c")
    expect(comment_of(page)).to_have_value(kept)


def test_comment_typed_and_tab_killed(june: Study, open_rating: Callable, words: Words) -> None:
    """Before the answer and after it, and never left."""
    page = open_rating()
    press(page, "c")
    comment_of(page).press_sequentially("Odd.")
    page = killed(page)
    press(page, "c")
    expect(comment_of(page)).to_have_value("Odd.")
    press(page, "Escape 1")
    wait_until_saved(page)
    press(page, "ArrowUp c")
    comment_of(page).press_sequentially("Very odd.")
    page = killed(page)
    page.wait_for_function("() => document.querySelector('[data-saved-words]').textContent === 'Saved'")
    press(page, "ArrowUp c")
    expect(page.locator("[data-comment-state]")).to_have_text("Saved with your answer.")
    words.assert_kept("comment typed and tab killed", comments(), comments())
    assert comments() in (["Odd.Very odd."], ["Very odd.Odd."])  # where the caret was


def test_a_comment_is_taken_away(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    write_comment(page, "Wrong sentence.")
    press(page, "1")
    wait_until_saved(page)
    press(page, "ArrowUp")
    with page.expect_response("**/items/**"):
        write_comment(page, "")
    wait_until_saved(page)
    assert comments() == [""]
    page.reload()
    page.wait_for_selector("body[data-ready]")
    press(page, "ArrowUp c")
    expect(comment_of(page)).to_have_value("")


def test_passages_refused(june: Study, open_rating: Callable, words: Words) -> None:
    """The answer goes without them, and with its comment."""
    page = open_rating()
    refused: list[dict] = []

    def refuse_passages(route: Route) -> None:
        said = route.request.post_data_json
        if not said.get("evidence"):
            return route.continue_()
        refused.append(said)
        return route.fulfill(status=400, json={"detail": "No.", "errors": {"evidence": ["Not in the article."]}})

    page.route("**/items/**", refuse_passages)
    write_comment(page, "The abstract.")
    paragraph = "document.querySelector('[data-paragraph=p1]').firstChild"
    page.evaluate(f"document.getSelection().setBaseAndExtent({paragraph}, 0, {paragraph}, 5)")
    press(page, "+")
    expect(page.locator("[data-attached] li")).to_have_count(1)
    press(page, "1")
    expect(page.locator("[data-trouble-words]")).to_contain_text("saved without them")
    wait_until_saved(page)
    assert len(refused) == 1
    words.assert_kept("passages refused", ["The abstract."], comments())


def test_written_answer_typed_and_tab_killed(web: Study, open_rating: Callable, words: Words) -> None:
    page = open_rating()
    press(page, "y 3")
    field = page.locator("textarea[name=comment]")
    expect(field).to_be_focused()
    page.keyboard.type(SEARCHED)
    page = killed(page)
    field = page.locator("textarea[name=comment]")
    expect(page.locator("input[value=unsupported]")).to_be_checked()
    expect(field).to_have_value(SEARCHED)
    press(page, "3")
    wait_until_saved(page)
    page.locator("textarea[name=supporting_urls]").press_sequentially("https://a.example/")
    page = killed(page)
    page.locator(".s[data-item]").first.click()
    expect(page.locator("textarea[name=supporting_urls]")).to_have_value("https://a.example/")
    press(page, "3")
    wait_until_saved(page)
    stored = [said for answers in given() for said in (answers.get("comment"), answers.get("supporting_urls"))]
    words.assert_kept("written answer typed and tab killed", [SEARCHED, "https://a.example/"], stored)


def test_looking_something_up_in_another_tab_takes_nothing_for_an_answer(
    web: Study, open_rating: Callable, context: BrowserContext, words: Words, wait_until: Callable
) -> None:
    page = open_rating()
    searched = context.new_page()
    for tab in (page, searched):  # else each of them believes that it has the focus
        context.new_cdp_session(tab).send("Emulation.setFocusEmulationEnabled", {"enabled": False})

    def look_up() -> None:
        searched.bring_to_front()
        wait_until(lambda: not page.evaluate("document.hasFocus()"))
        page.wait_for_timeout(300)  # an answer would be written down by now
        assert not given() and not written_down(page)
        page.bring_to_front()
        wait_until(lambda: page.evaluate("document.hasFocus()"))

    page.bring_to_front()
    press(page, "y 2")
    supporting, contradicting = (
        page.locator(f"textarea[name={kind}_urls]") for kind in ("supporting", "contradicting")
    )
    expect(supporting).to_be_focused()
    page.keyboard.type("https://a.example/")
    look_up()
    expect(supporting).to_be_focused()
    page.keyboard.type("\nhttps://b.example/")
    press(page, "Control+Enter")
    expect(contradicting).to_be_focused()
    page.keyboard.type("https://c.example/")
    look_up()
    press(page, "Control+Enter")  # nothing was typed since
    wait_until_saved(page)
    stored = [answers[f"{kind}_urls"] for answers in given() for kind in ("supporting", "contradicting")]
    pages = ["https://a.example/\nhttps://b.example/", "https://c.example/"]
    words.assert_kept("something looked up in another tab", pages, stored)


def test_composing_in_a_field_beside_the_open_drawer_answers_nothing(
    web: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    press(page, "y 3 Control+Enter g")
    expect(page.locator("[data-drawer]:focus-within")).to_be_visible()  # it takes the focus when all of it is there
    field = page.locator("textarea[name=comment]")
    field.focus()
    expect(field).to_be_focused()
    keyboard = context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "かわ", "selectionStart": 2, "selectionEnd": 2})
    press(page, "Escape")
    expect(field).to_be_focused()
    expect(page.locator("[data-drawer]")).to_be_visible()
    assert not given() and not written_down(page)
    keyboard.send("Input.insertText", {"text": "川"})
    press(page, "Control+Enter")
    wait_until_saved(page)
    assert given() == [{"factual": "yes", "accuracy": "unsupported", "comment": "川"}]


def test_a_refused_answer_that_comes_into_the_field_is_not_given_again_by_leaving_it(
    web: Study, open_rating: Callable
) -> None:
    page = open_rating()
    given_to_server: list[Route] = []
    page.route("**/items/**", lambda route: given_to_server.append(route))  # not answered yet
    press(page, "y 3")
    page.keyboard.type(SEARCHED)
    with page.expect_request("**/items/**"):
        press(page, "Control+Enter")
    press(page, "j y 3")
    page.keyboard.type("Nothing else.")
    given_to_server[0].fulfill(status=400, json={"detail": "No.", "errors": {"comment": ["Say where."]}})
    expect(page.locator("[data-at]")).to_have_text("Sentence 1 of 3")
    expect(page.locator("textarea[name=comment]")).to_have_value(SEARCHED)
    press(page, "Control+Enter")
    page.wait_for_timeout(500)  # it would be sent again by now
    assert len(given_to_server) == 1
    press(page, "j")
    expect(page.locator("textarea[name=comment]")).to_have_value("Nothing else.")


def test_words_of_a_question_that_is_hidden_wait_until_it_is_asked_again(web: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "y c")
    page.keyboard.type(SEARCHED)
    press(page, "Control+Enter n")  # a slip
    wait_until_saved(page)
    assert given() == [{"factual": "no"}]
    page = killed(page)
    press(page, "ArrowUp y 3")
    expect(page.locator("textarea[name=comment]")).to_have_value(SEARCHED)
    wait_until_saved(page)
    assert given() == [{"factual": "yes", "accuracy": "unsupported", "comment": SEARCHED}]
    press(page, "u")
    wait_until_saved(page)
    assert given() == [{"factual": "no"}]
    press(page, "y 3")
    expect(page.locator("textarea[name=comment]")).to_have_value(SEARCHED)


def test_question_asked_offline_and_tab_killed(
    june: Study, open_rating: Callable, context: BrowserContext, words: Words
) -> None:
    page = open_rating()
    press(page, "c")
    page.get_by_label("Ask the leads", exact=True).press_sequentially("Is a heron a bird?")
    page = killed(page)
    press(page, "c")
    asked = page.get_by_label("Ask the leads", exact=True)
    expect(asked).to_have_value("Is a heron a bird?")
    context.set_offline(True)
    asked.press("Control+Enter")
    offline(page, 1)
    expect(page.locator("[data-thread]")).to_contain_text("Is a heron a bird?")
    expect(page.locator("[data-thread]")).to_contain_text("Waiting to be sent")
    expect(asked).to_have_value("")
    page.get_by_text("This split is wrong").click()
    page.get_by_label("What is wrong with it?").fill("Two sentences in one.")
    page.get_by_role("button", name="Report it").click()
    offline(page, 2)
    assert written_down(page) == 2
    url = page.url
    page.close(run_before_unload=False)
    context.set_offline(False)
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("body[data-ready]")
    wait_until_saved(page)
    press(page, "c")
    expect(page.locator("[data-thread] .inquiry")).to_have_count(2)
    expect(page.locator("[data-thread]")).not_to_contain_text("Waiting to be sent")
    words.assert_kept("question asked offline", ["Is a heron a bird?", "Two sentences in one."], questions())
    assert written_down(page) == 0


def test_question_whose_receipt_was_lost(june: Study, open_rating: Callable, words: Words) -> None:
    """It is tried again, and there once; also when it was answered between the tries."""
    page = open_rating()
    lost: list[int] = []

    def lose_the_first_receipt(route: Route) -> None:
        if lost:
            return route.continue_()
        lost.append(route.fetch().status)
        one = Inquiry.objects.get()
        Inquiry.objects.update(answer="It is.", answered_at=one.asked_at)
        return route.abort()

    page.route("**/questions/", lose_the_first_receipt)
    press(page, "c")
    page.get_by_label("Ask the leads", exact=True).fill("Is a heron a bird?")
    with page.expect_response("**/questions/"):
        press(page, "Control+Enter")
    wait_until_saved(page)
    expect(page.locator("[data-thread] .reply")).to_have_text("It is.")
    assert lost == [201]
    words.assert_kept("question whose receipt was lost", ["Is a heron a bird?"], questions())


def test_a_question_that_is_refused_is_in_its_field_again(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    no = {"detail": "This cannot be taken.", "errors": {"text": ["You have asked a lot about this already."]}}
    page.route("**/questions/", lambda route: route.fulfill(status=400, json=no))
    press(page, "c")
    page.get_by_label("Ask the leads", exact=True).fill("Is a heron a bird?")
    press(page, "Control+Enter")
    expect(page.locator("[data-trouble-words]")).to_contain_text("You have asked a lot about this already.")
    wait_until_saved(page)
    expect(page.get_by_label("Ask the leads", exact=True)).to_have_value("Is a heron a bird?")
    page = killed(page)
    press(page, "c")
    expect(page.get_by_label("Ask the leads", exact=True)).to_have_value("Is a heron a bird?")
    press(page, "Escape 4 s")
    wait_until_saved(page)
    assert given() == [SEVERE]
