"""The rater's workspace in a real browser: keys in, ratings in PostgreSQL, whatever happens in between."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, Route, expect

from annotation.assigning.protocols import store_protocol
from annotation.models import Assignment, Document, Item, Place, Project, Prompt, Rating, Response, System, User
from annotation.rating.submit import Submission, save
from annotation.splitting import split

from ..cast import ACCURATE, CANNOT_ASSESS, SEVERE, Study, article_accuracy, dataset, person, study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HOSTILE = Path(__file__).resolve().parents[2] / "fixtures" / "hostile" / "responses.jsonl"
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value; })
  .observe({ type: "layout-shift" });
"""


def given(rater: str = "ravi") -> list[dict]:
    """The stored answers in the order of the sentences."""
    own = Rating.objects.filter(rater__username=rater).order_by("item__response", "item__position")
    return list(own.values_list("answers", flat=True))


def wait_until_saved(page: Page) -> None:
    expect(page.locator("[data-saved-words]")).to_have_text("Saved")


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


@pytest.fixture
def june(transactional_db: None) -> Study:
    """Two responses of four sentences, with a heading that is not rated."""
    return study(prompts=2, sentences=4, heading=True)


@pytest.fixture
def open_rating(page: Page, log_in: Callable, live_server: Any) -> Callable[..., Page]:
    """`open_rating(name, on=page)` signs somebody in and opens the workspace with the next work."""

    def open_for(name: str = "ravi", on: Page = page, slug: str = "june") -> Page:
        log_in(on, person(name))
        on.goto(f"{live_server.url}/projects/{slug}/rate/")
        on.wait_for_selector("body[data-ready]")
        return on

    return open_for


def test_a_response_is_rated_by_keyboard_alone_and_the_next_one_comes(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.evaluate("document.documentElement.dataset.samePage = 'yes'")
    first = page.url
    press(page, "1 4 s 5 3 n")
    wait_until_saved(page)
    unsupported = {"accuracy": "unsupported", "severity": "not_severe"}
    assert given() == [ACCURATE, SEVERE, CANNOT_ASSESS, unsupported]
    assert not Rating.objects.filter(counted=True).exists()
    page.keyboard.press("Enter")
    expect(page.locator("body")).not_to_have_attribute("data-ready", first.split("/")[-2])
    assert Rating.objects.filter(counted=True).count() == 4
    assert page.evaluate("document.documentElement.dataset.samePage") == "yes", "the next response came by a page load"
    expect(page.locator("[data-at]")).to_have_text("Sentence 1 of 4")
    press(page, "1 1 1 1")
    wait_until_saved(page)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Nothing is left for you here")
    expect(page.locator(".empty")).to_contain_text("2 responses with 8 ratings")


def test_one_request_is_sent_for_each_rating(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    asked: list[str] = []
    page.on("request", lambda request: "/items/" in request.url and asked.append(request.method))
    press(page, "1 4 s 1 1")
    wait_until_saved(page)
    assert asked == ["PUT"] * 4


def test_the_place_of_the_second_question_is_kept_so_nothing_moves(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.evaluate(SHIFTS)
    before = page.locator("[data-dock]").bounding_box()
    press(page, "1 4")
    expect(page.locator("[data-question=severity]")).to_be_visible()
    assert page.locator("[data-dock]").bounding_box() == before
    press(page, "s 2 n u 1")
    wait_until_saved(page)
    page.wait_for_timeout(300)
    assert page.evaluate("window.shifted") < 0.002  # a word of the header that changes its width is no move


def test_s_and_n_mean_nothing_before_the_second_question_is_open(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "s n 1 s")
    wait_until_saved(page)
    assert given() == [ACCURATE]
    expect(page.locator("[data-at]")).to_have_text("Sentence 2 of 4")


def test_a_flag_without_its_severity_is_not_saved_and_is_listed_as_open(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "4 j 1 1 1 Enter")
    expect(page.locator("#still-open")).to_be_visible()
    expect(page.locator("[data-open-title]")).to_have_text("1 sentence has no answer yet")
    page.keyboard.press("Enter")
    expect(page.locator("[data-at]")).to_have_text("Sentence 1 of 4")
    expect(page.locator("input[value=inaccurate]")).to_be_checked()
    press(page, "s")
    wait_until_saved(page)
    assert given() == [SEVERE, ACCURATE, ACCURATE, ACCURATE]


def test_a_flag_changed_to_another_asks_for_its_severity_again(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "4 s k 2")
    expect(page.locator("input[value=severe]")).not_to_be_checked()
    press(page, "n")
    wait_until_saved(page)
    assert given() == [{"accuracy": "disputed", "severity": "not_severe"}]


def test_undo_goes_back_at_any_depth_and_is_saved(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "1 4 s 5")
    wait_until_saved(page)
    press(page, "k k 2 n")  # answers the second sentence anew
    wait_until_saved(page)
    press(page, "u")
    wait_until_saved(page)
    assert given() == [ACCURATE, SEVERE, CANNOT_ASSESS]
    press(page, "u u u")
    wait_until_saved(page)
    assert given() == []
    expect(page.locator("[data-at]")).to_have_text("Sentence 1 of 4")
    press(page, "u 1")
    wait_until_saved(page)
    assert given() == [ACCURATE]


def test_one_goes_on_where_one_stopped(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "1 4 s")
    wait_until_saved(page)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("[data-at]")).to_have_text("Sentence 3 of 4")
    expect(page.locator(".s.first[data-state=answered]")).to_have_count(2)
    expect(page.locator(".s[data-flag=heavy]")).to_have_count(1)


def test_answers_wait_without_a_network_and_arrive_after(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    context.set_offline(True)
    press(page, "1 4 s 1")
    expect(page.locator("[data-saved-words]")).to_have_text("Offline, 3 waiting")
    assert given() == []
    context.set_offline(False)
    wait_until_saved(page)
    assert given() == [ACCURATE, SEVERE, ACCURATE]


def test_answers_that_waited_in_a_killed_tab_are_sent_by_the_next_one(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    url = page.url
    context.set_offline(True)
    press(page, "1 4 s")
    expect(page.locator("[data-saved-words]")).to_have_text("Offline, 2 waiting")
    page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(url)
    again.wait_for_selector("body[data-ready]")
    expect(again.locator("[data-at]")).to_have_text("Sentence 3 of 4")
    wait_until_saved(again)
    assert given() == [ACCURATE, SEVERE]
    assert again.evaluate("Object.keys(localStorage).length") == 0


def test_a_second_tab_leaves_the_waiting_answers_of_a_living_one_alone(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    page.route("**/items/**", lambda route: route.abort())
    press(page, "1")
    expect(page.locator("[data-saved-words]")).to_have_text("Offline, 1 waiting")
    second = open_rating(on=context.new_page())
    expect(second.locator("[data-at]")).to_have_text("Sentence 1 of 4")
    assert given() == []
    page.unroute("**/items/**")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    wait_until_saved(page)
    assert given() == [ACCURATE]


def test_an_answer_whose_receipt_was_lost_is_stored_once(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    lost: list[int] = []

    def lose_the_first_receipt(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    page.route("**/items/**", lose_the_first_receipt)
    with page.expect_response("**/items/**"):  # the second try's: the first one never gets an answer
        press(page, "1")
    wait_until_saved(page)
    assert lost == [200]
    [rating] = Rating.objects.all()
    assert (rating.answers, rating.version) == (ACCURATE, 1)


def test_a_server_in_trouble_is_asked_again(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    tries: list[int] = []

    def fail_twice(route: Route) -> None:
        tries.append(1)
        route.fulfill(status=503, body="{}") if len(tries) < 3 else route.continue_()

    page.route("**/items/**", fail_twice)
    press(page, "1 1")
    wait_until_saved(page)
    assert given() == [ACCURATE, ACCURATE]


def sent_from_elsewhere(name: str, item: Item, answers: dict) -> None:
    assignment = Assignment.objects.get(rater__username=name)
    save(person(name), assignment.public_id, item.public_id, Submission(answers, 0, key="elsewhere"))


@pytest.mark.parametrize(("keep", "kept"), [("mine", ACCURATE), ("theirs", CANNOT_ASSESS)])
def test_an_answer_given_in_another_tab_is_not_overwritten_unasked(
    june: Study, open_rating: Callable, keep: str, kept: dict
) -> None:
    page = open_rating()
    first = Item.objects.filter(response=Assignment.objects.get().sheet.response, rate=True).order_by("position")[0]
    sent_from_elsewhere("ravi", first, CANNOT_ASSESS)
    press(page, "1")
    expect(page.locator("#conflict")).to_be_visible()
    expect(page.locator("[data-conflict-mine]")).to_have_text("Accurate")
    expect(page.locator("[data-conflict-theirs]")).to_have_text("Can't assess")
    page.keyboard.press("Escape")
    expect(page.locator("#conflict")).to_be_visible()
    page.click(f"[data-keep={keep}]")
    wait_until_saved(page)
    assert given() == [kept]
    assert page.locator(".s.first").first.get_attribute("data-sign") == {"mine": "✓", "theirs": "–"}[keep]


def test_work_that_went_to_somebody_else_is_said_and_the_next_is_offered(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    Place.objects.filter(holder__rater__username="ravi").update(holder=None, expires_at=None)
    press(page, "1")
    expect(page.locator("#lost")).to_be_visible()
    assert given() == []
    page.click("#lost a")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#lost")).not_to_be_visible()


def test_an_expired_session_keeps_the_answers_until_one_is_back(
    june: Study, open_rating: Callable, context: BrowserContext, log_in: Callable, live_server: Any
) -> None:
    page = open_rating()
    context.clear_cookies()
    press(page, "1 1")
    expect(page.locator("[data-signed-out]")).to_be_visible()
    expect(page.locator("[data-saved-words]")).to_have_text("Signed out, 2 waiting")
    log_in(context, person("ravi"))
    # Signing in on the login page sets this cookie as well.
    context.add_cookies([{"name": "factuary_csrf", "value": "a" * 32, "url": live_server.url}])
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    wait_until_saved(page)
    expect(page.locator("[data-signed-out]")).not_to_be_visible()
    assert given() == [ACCURATE, ACCURATE]


def test_an_answer_given_while_somebody_else_is_signed_in_waits_for_its_owner(
    june: Study, open_rating: Callable, context: BrowserContext, log_in: Callable
) -> None:
    page = open_rating()
    log_in(context, person("rosa"))  # in another tab of the same browser
    press(page, "1 4 s")
    expect(page.locator("[data-saved-words]")).to_have_text("2 not saved")
    expect(page.locator("[data-elsewhere]")).to_be_visible()
    assert not Rating.objects.exists()
    log_in(context, person("ravi"))
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    wait_until_saved(page)
    expect(page.locator("[data-elsewhere]")).not_to_be_visible()
    assert given() == [ACCURATE, SEVERE]


def test_an_answer_to_a_response_that_is_not_open_any_more_is_kept_and_stands_in_no_ones_way(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    context.set_offline(True)
    press(page, "1")
    expect(page.locator("[data-saved-words]")).to_have_text("Offline, 1 waiting")
    page.close()
    project, ravi = june.project, person("ravi")
    Place.objects.filter(holder__rater=ravi).update(holder=None, expires_at=None)
    project.memberships.filter(user=ravi).delete()
    other = study("july", raters=("ravi",), sentences=2)
    context.set_offline(False)
    page = open_rating(on=context.new_page(), slug=other.project.slug)
    press(page, "1 5")
    wait_until_saved(page)
    assert given() == [ACCURATE, CANNOT_ASSESS]
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('factuary:answer:')).length") == 1


def test_finishing_without_a_network_says_what_it_waits_for(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    first = page.url
    press(page, "1 1 1")
    wait_until_saved(page)
    context.set_offline(True)
    press(page, "1 Enter")
    expect(page.locator("[data-finish]")).to_contain_text("Finishes once all is saved")
    context.set_offline(False)
    page.wait_for_url(lambda here: here != first)
    expect(page.locator("[data-finish]")).to_contain_text("Finish")
    assert Rating.objects.filter(counted=True).count() == 4


def test_leaving_while_something_waits_is_warned_about(
    june: Study, open_rating: Callable, context: BrowserContext
) -> None:
    page = open_rating()
    warnings: list[str] = []

    def stay(dialog: Any) -> None:
        warnings.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.click("[data-at]")  # a browser warns only those who have touched the page
    context.set_offline(True)
    press(page, "1")
    expect(page.locator("[data-saved-words]")).to_have_text("Offline, 1 waiting")
    page.close(run_before_unload=True)
    page.wait_for_timeout(300)
    assert warnings == ["beforeunload"]
    context.set_offline(False)


def test_a_click_on_a_sentence_goes_there_and_a_click_on_an_option_answers(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.locator(".s.first").nth(2).click()
    expect(page.locator("[data-at]")).to_have_text("Sentence 3 of 4")
    page.locator("label.option", has_text="Disputed").click()
    page.locator("label.option", has_text="Not Severe").click()
    wait_until_saved(page)
    assert given() == [{"accuracy": "disputed", "severity": "not_severe"}]
    expect(page.locator("[data-at]")).to_have_text("Sentence 4 of 4")


def test_arrow_keys_within_the_options_choose_nothing(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    page.locator("input[value=accurate]").focus()
    press(page, "ArrowRight ArrowRight ArrowDown")
    expect(page.locator("[data-at]")).to_have_text("Sentence 2 of 4")
    expect(page.locator("input[value=unsupported]")).to_be_focused()
    press(page, "Space")
    expect(page.locator("input[value=severe]")).to_be_focused()
    press(page, "Space")
    wait_until_saved(page)
    assert given() == [{"accuracy": "unsupported", "severity": "severe"}]


def test_what_happened_is_read_aloud(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "4 s")
    live = page.locator("[data-live]")
    expect(live).to_contain_text("Sentence 1 of 4: Inaccurate, Severe, saved.")
    expect(live).to_contain_text("Now sentence 2: Sentence number 2")


def test_headings_are_shown_and_not_asked_about(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    expect(page.locator(".response h3")).to_have_text("An answer")
    assert page.locator(".response h3 .s").count() == 0


def test_help_opens_with_a_question_mark_and_closes_with_escape(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    press(page, "?")
    expect(page.locator("#help")).to_be_visible()
    press(page, "1 Escape")
    expect(page.locator("#help")).not_to_be_visible()
    assert given() == []


def test_the_first_page_takes_few_requests_and_bytes(june: Study, open_rating: Callable, page: Page) -> None:
    answers: list[Any] = []
    page.on("response", lambda answer: answers.append(answer))
    open_rating()
    page.wait_for_load_state("networkidle")
    bytes_sent = sum(len(gzip.compress(answer.body())) for answer in answers if answer.status == 200)
    assert 10 < len(answers) <= 20, " ".join(answer.url.split("/")[-1] for answer in answers)
    assert 10_000 < bytes_sent <= 250_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_in_the_workspace_stands_in_anybodys_way(
    june: Study, open_rating: Callable, browser: Any, scheme: str, width: int
) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
    page = open_rating(on=context.new_page())
    press(page, "1 4 s 5 2")
    found = Axe().run(page).response["violations"]
    assert [(problem["id"], [node["html"] for node in problem["nodes"]]) for problem in found] == []
    press(page, "?")
    found = Axe().run(page).response["violations"]
    assert [(problem["id"], [node["html"] for node in problem["nodes"]]) for problem in found] == []
    context.close()


def test_work_can_be_given_back(june: Study, open_rating: Callable, live_server: Any) -> None:
    page = open_rating()
    press(page, "1")
    page.click("summary[aria-label='More about this response']")
    page.click("[data-give-back]")
    page.click("[data-release]")
    page.wait_for_url(f"{live_server.url}/")
    assert not Place.objects.filter(holder__rater__username="ravi").exists()
    assert given() == [ACCURATE]


def test_a_finished_response_can_be_corrected(june: Study, open_rating: Callable, live_server: Any) -> None:
    page = open_rating()
    url = page.url
    press(page, "1 1 1 1 Enter")
    page.wait_for_url(lambda here: here != url)
    page.goto(url)
    page.wait_for_selector("body[data-ready]")
    press(page, "4 s u")
    wait_until_saved(page)
    press(page, "5")
    wait_until_saved(page)
    assert given()[:4] == [CANNOT_ASSESS, ACCURATE, ACCURATE, ACCURATE]
    assert Rating.objects.filter(counted=True).count() == 4


def test_the_response_before_is_in_the_menu(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    first = page.url
    expect(page.locator("[data-before]")).to_be_hidden()
    press(page, "1 1 1 1 Enter")
    page.wait_for_url(lambda here: here != first)
    page.click("[aria-label='More about this response']")
    page.click("[data-before]")
    page.wait_for_url(first)
    expect(page.locator("[data-finish]")).to_contain_text("Next response")


def test_undo_is_offered_only_when_there_is_something_to_undo(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    expect(page.locator("[data-undo]")).to_be_disabled()
    page.click("label.option:has-text('Inaccurate')")
    page.click("[data-undo]")  # begun, and not an answer yet
    expect(page.locator("[data-undo]")).to_be_disabled()
    page.click("label.option:has-text('Accurate') >> nth=0")
    page.click("[data-undo]")
    wait_until_saved(page)
    assert given() == []
    press(page, "1 1 1 1 Enter")  # the click has not kept the keys
    expect(page.locator("[data-progress-words]")).to_have_text("0 of 4")


def test_who_knows_the_definitions_can_hide_them_for_good(june: Study, open_rating: Callable) -> None:
    page = open_rating()
    tall = page.locator("[data-dock]").bounding_box()["height"]
    page.click("[aria-label='More about this response']")
    page.click("[data-definitions]")
    expect(page.locator(".option small").first).to_be_hidden()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator(".option small").first).to_be_hidden()
    assert page.locator("[data-dock]").bounding_box()["height"] < tall - 50
    press(page, "4 s")
    wait_until_saved(page)
    assert given() == [SEVERE]


def test_on_a_phone_article_and_response_are_two_sheets_with_large_options(
    june: Study, open_rating: Callable, browser: Any, live_server: Any
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = open_rating(on=context.new_page())
    expect(page.locator("[data-article]")).not_to_be_visible()
    for option in page.locator("label.option").all():
        box = option.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44
    page.locator("label.option", has_text="Accurate").first.tap()
    wait_until_saved(page)
    page.locator("[data-show=article]").tap()
    expect(page.locator("[data-article]")).to_be_visible()
    expect(page.locator("[data-dock]")).not_to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator("[data-strip]")).to_contain_text("Sentence number 2 of heron.")
    page.locator("[data-strip]").tap()
    expect(page.locator("[data-dock]")).to_be_visible()
    assert given() == [ACCURATE]
    context.close()


OWN_PROTOCOL = """
slug = "with-words"
version = "1"
title = "With words"
unit = "sentence"
intro = ""

[[questions]]
key = "good"
text = "Is it good?"
kind = "choice"
[[questions.options]]
key = "yes"
label = "Yes"
shortcut = "y"
[[questions.options]]
key = "no"
label = "No"
shortcut = "x"

[[questions]]
key = "why"
text = "Why not?"
kind = "text"
max_length = 20
show_when = { good = ["no"] }

[[questions]]
key = "sure"
text = "Are you sure?"
kind = "choice"
required = false
show_when = { good = ["no"] }
[[questions.options]]
key = "quite"
label = "Quite"
shortcut = "q"
[[questions.options]]
key = "not_quite"
label = "Not quite"
shortcut = "w"

[[measures]]
key = "good"
label = "Good"
counts = { good = ["yes"] }
"""


def test_another_protocol_with_words_and_an_optional_question_is_asked_as_it_says(
    june: Study, open_rating: Callable
) -> None:
    version, _ = store_protocol(OWN_PROTOCOL)
    Project.objects.update(protocol=version)
    page = open_rating()
    press(page, "y x")
    expect(page.locator("textarea")).to_be_focused()
    page.keyboard.type("too vague")  # letters are letters here, not shortcuts
    press(page, "Control+Enter")
    wait_until_saved(page)
    assert given() == [{"good": "yes"}, {"good": "no", "why": "too vague"}]
    expect(page.locator("[data-at]")).to_have_text("Sentence 2 of 4")  # something may still be said
    press(page, "w")
    wait_until_saved(page)
    assert given()[1] == {"good": "no", "why": "too vague", "sure": "not_quite"}
    expect(page.locator("[data-at]")).to_have_text("Sentence 3 of 4")


def hostile_project() -> tuple[Project, User]:
    """One response that holds the hostile corpus, and an article that repeats it."""
    from annotation.assigning.projects import add_member, create_project

    texts = [json.loads(line)["text"] for line in HOSTILE.read_text().splitlines()]
    text = "\n\n".join(t for t in texts if len(t) < 1_000)
    data = dataset("hostile")
    paragraphs = [{"id": f"p{n}", "kind": "text", "text": t} for n, t in enumerate(texts) if len(t) < 1_000]
    sections = [{"heading": "<script>document.title='owned'</script>", "level": 1, "paragraphs": paragraphs}]
    document = Document.objects.create(dataset=data, key="d", title="<img src=x onerror=alert(1)>", sections=sections)
    prompt = Prompt.objects.create(dataset=data, document=document, key="q", text=texts[0])
    system = System.objects.create(dataset=data, name="Secret system")
    response = Response.objects.create(dataset=data, prompt=prompt, system=system, key="secret-key", text=text)
    Item.objects.bulk_create(
        Item(
            response=response,
            unit="sentence",
            position=n,
            kind=span.kind,
            rate=span.rate,
            start=span.start,
            end=span.end,
            text=text[span.start : span.end],
        )
        for n, span in enumerate(split(text))
    )
    project = create_project("hostile", data, article_accuracy(), title="</title><script>alert(1)</script>")
    add_member(project, person("ravi"), "rater")
    return project, person("ravi")


def test_a_hostile_response_runs_nothing_and_asks_nobody(
    transactional_db: None, open_rating: Callable, page: Page, live_server: Any
) -> None:
    hostile_project()
    elsewhere, dialogs, problems = [], [], []
    page.on("request", lambda request: request.url.startswith(live_server.url) or elsewhere.append(request.url))
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: message.type == "error" and problems.append(message.text))
    open_rating(slug="hostile")
    press(page, "1 1")
    wait_until_saved(page)
    assert (elsewhere, dialogs, problems) == ([], [], [])
    assert "owned" not in page.title()
    assert len(given()) == 2
    assert "Secret system" not in page.content() and "secret-key" not in page.content()
