"""The protocols of the studies in a browser, rated by keyboard alone, with the help and with changed keys."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Project, Rating

from ..cast import Study, study_from_files
from .accessibility import accessibility_problems
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


EXPERTQA = Path(__file__).resolve().parents[2] / "fixtures" / "expertqa" / "answers.jsonl"


@pytest.fixture
def experts(transactional_db: None, tmp_path: Path) -> Project:
    """Return a project of the first row of the ExpertQA sample, an answer of three claims, with Ravi as its rater."""
    first = tmp_path / "first.jsonl"
    first.write_text(EXPERTQA.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    return study_from_files("experts", "expertqa", [first], "claim-attribution")


def saved(page: Page) -> list[dict]:
    """Wait until all is saved; return the stored answers in the order of the items."""
    wait_until_saved(page)
    return list(Rating.objects.order_by("item__response", "item__position").values_list("answers", flat=True))


def test_a_sentence_without_facts_takes_one_key_and_an_accurate_one_its_pages(
    web: Study, open_rating: Callable
) -> None:
    page = open_rating()
    press(page, "n y 1 p")
    page.keyboard.type("https://a.example/one\nhttp://b.example/two?q=1#x")
    press(page, "Control+Enter")
    assert accessibility_problems(page) == []
    assert page.locator("[data-item]").nth(1).get_attribute("data-tone") == "accurate"
    links = page.locator("[data-question=supporting_urls] [data-links] a")
    expect(links).to_have_count(2)
    assert links.first.get_attribute("rel") == "noopener noreferrer"
    assert links.first.get_attribute("target") == "_blank"
    pages = "https://a.example/one\nhttp://b.example/two?q=1#x"
    assert saved(page) == [{"factual": "no"}, {"factual": "yes", "accuracy": "accurate", "supporting_urls": pages}]


def test_an_unsupported_sentence_needs_a_comment_and_a_disputed_one_pages_of_both_kinds(
    web: Study, open_rating: Callable
) -> None:
    page = open_rating()
    press(page, "y 3")
    expect(page.locator("textarea[name=comment]")).to_be_focused()
    page.keyboard.type("Three searches, nothing either way.")
    press(page, "Control+Enter j y 2")
    expect(page.locator("textarea[name=supporting_urls]")).to_be_focused()
    page.keyboard.type("javascript:alert(1)")
    press(page, "Control+Enter")
    expect(page.locator("[data-question=supporting_urls] [data-problem]")).to_contain_text("is not a web address")
    expect(page.locator("[data-question=supporting_urls] [data-links] a")).to_have_count(0)
    page.locator("textarea[name=supporting_urls]").fill("https://a.example/yes")
    press(page, "Control+Enter")
    expect(page.locator("textarea[name=contradicting_urls]")).to_be_focused()
    page.keyboard.type("https://b.example/no")
    press(page, "Control+Enter j y 4 s")
    page.keyboard.press("u")  # the whole answer is cleared
    press(page, "y 4 t")
    assert saved(page) == [
        {"factual": "yes", "accuracy": "unsupported", "comment": "Three searches, nothing either way."},
        {
            "factual": "yes",
            "accuracy": "disputed",
            "supporting_urls": "https://a.example/yes",
            "contradicting_urls": "https://b.example/no",
        },
        {"factual": "yes", "accuracy": "inaccurate", "severity": "not_severe"},
    ]


def test_claims_are_rated_beside_their_evidence_and_the_answer_with_the_last(
    experts: Project, open_rating: Callable
) -> None:
    page = open_rating(slug="experts")
    visible = page.locator("[data-sources-of]:visible")
    expect(visible).to_have_count(1)
    first = visible.inner_text()
    expect(page.locator("[data-question=usefulness]")).to_be_hidden()
    assert accessibility_problems(page) == []
    press(page, "2 q y a z w")
    page.keyboard.type("The year is not in the source.")
    press(page, "Control+Enter j")
    expect(visible).to_have_count(1)
    assert visible.inner_text() != first
    expect(page.locator("[data-question=usefulness]")).to_be_hidden()
    press(page, "j")
    expect(page.locator("[data-question=usefulness]")).to_be_visible()
    press(page, "1 o n d v 8 Enter")
    expect(page.locator("#unanswered")).to_be_visible()
    stored = saved(page)
    assert stored[0] == {
        "support": "partial",
        "reason_missing_support": "The year is not in the source.",
        "informativeness": "very_relevant",
        "worthiness": "yes",
        "correctness": "definitely_correct",
        "reliability": "reliable",
    }
    assert stored[-1]["usefulness"] == "partially_useful"


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
    transactional_db: None, open_rating: Callable
) -> None:
    study_from_files("experts", "expertqa", [EXPERTQA], "claim-attribution")
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


def test_the_key_to_a_field_is_in_the_help_and_can_be_changed(web: Study, open_rating: Callable) -> None:
    page = open_rating()
    expect(page.locator(".answer-form [data-key-of=note]")).to_have_text("⇧C")
    press(page, "Shift+C")  # which the protocol needs without Shift
    expect(page.locator("[data-drawer]")).to_be_visible()
    expect(page.locator("[data-drawer] [data-ask=split]")).to_have_count(1)
    press(page, "Escape ?")
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
