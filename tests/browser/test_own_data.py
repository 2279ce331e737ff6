"""A user's own data and protocol by keyboard alone: mapped columns, and a protocol corrected, tried and stored.

Each page is also checked with axe and at the width of a phone.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, expect

from annotation.models import Dataset, DatasetImport, ProtocolVersion

from ..cast import Study, person
from .accessibility import accessibility_problems, problems_of_page
from .layout import widest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


ROWS = Path(__file__).parents[2] / "fixtures" / "rows"
FILES = [ROWS / "answers.csv", ROWS / "articles" / "terns.pdf", ROWS / "articles" / "bees.txt"]


def test_columns_are_mapped_by_keyboard(page: Page, visit: Callable, worker: None) -> None:
    person("ada", admin=True)
    visit(page, "ada", "/datasets/import/")
    page.locator("[name=format][value=rows]").focus()
    page.keyboard.press("Space")
    page.set_input_files("[name=upload]", FILES)
    page.locator("[name=slug]").focus()
    page.keyboard.type("birds")
    page.keyboard.press("Enter")

    note = page.get_by_role("combobox", name="note")
    expect(note).to_have_value("metadata")
    heads = [page.get_by_role("columnheader", name="Field"), note]
    assert len({round(box["x"] / 40) for head in heads if (box := head.bounding_box())}) == 1
    preview = page.locator("#preview")
    expect(preview).to_contain_text("note: checked")
    note.focus()
    page.keyboard.press("End")
    expect(note).to_have_value("leave_out")
    expect(preview).not_to_contain_text("note: checked")
    page.get_by_role("combobox", name="question").focus()
    page.keyboard.press("End")
    expect(preview).to_contain_text("No column is mapped to the prompt's text")
    expect(page.get_by_role("button", name="Check all rows")).to_be_disabled()
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Check all rows")).to_be_enabled()
    assert accessibility_problems(page, schemes=["light"], widths=(390, 1440)) == []

    page.get_by_role("button", name="Check all rows").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Records to import")).to_be_visible(timeout=60_000)
    assert not Dataset.objects.exists()
    page.get_by_role("button", name="new records").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Contents")).to_be_visible(timeout=60_000)
    assert DatasetImport.objects.get().options["columns"]["leave_out"] == ["note"]


def test_a_protocol_is_mended_tried_and_stored_by_keyboard_and_not_left_without_a_word(
    page: Page, live_server: Any, visit: Callable, june: Study
) -> None:
    dialogs: list[str] = []

    def stay(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    visit(page, "lena", "/protocols/new/")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("heading", name="Protocols")).to_be_visible()
    page.goto(f"{live_server.url}/protocols/new/")
    text = page.get_by_label("Text")
    good = text.input_value().replace('slug = "article-accuracy"', 'slug = "own"')
    text.fill(good.replace('unit = "sentence"', 'unit = "sentense"'))
    page.get_by_role("link", name="Cancel").click()
    expect(text).to_be_visible()
    assert dialogs == ["beforeunload"]
    page.get_by_role("button", name="Check").focus()
    page.keyboard.press("Enter")
    link = page.get_by_role("link", name="Line")
    expect(link).to_be_visible()
    link.focus()
    page.keyboard.press("Enter")
    selected = "[...document.querySelectorAll('textarea')].map(t => t.value.slice(t.selectionStart, t.selectionEnd))[0]"
    assert page.evaluate(selected) == 'unit = "sentense"'
    expect(text).to_be_focused()
    assert problems_of_page(page) == []
    page.keyboard.insert_text('unit = "sentence"')

    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Preview as a rater").focus()
        page.keyboard.press("Enter")
    rater = opened.value
    rater.wait_for_selector("body[data-ready]")
    expect(rater.get_by_text("Preview: nothing is saved.")).to_be_visible()
    rater.keyboard.press("1")
    expect(rater.locator("[data-progress-text]")).to_contain_text("1 of 4")
    rater.close()

    page.get_by_role("button", name="Check").focus()
    page.keyboard.press("Enter")
    store = page.get_by_role("button", name="Store version")
    expect(store).to_be_visible()
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_text("Nothing is stored yet")).to_be_visible()
    assert accessibility_problems(page, schemes=["light"], widths=(390, 1440)) == []
    store.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The protocol is stored. Projects can use it.")).to_be_visible()
    assert ProtocolVersion.objects.filter(slug="own").exists()
    assert dialogs == ["beforeunload"] * 2
    page.reload()
    assert problems_of_page(page) == []
    page.get_by_role("button", name="Use this protocol").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=june.project.title)).to_be_visible()
    june.project.refresh_from_db()
    assert june.project.protocol.slug == "own"
    page.goto(f"{live_server.url}/protocols/")
    assert problems_of_page(page) == []


def test_a_protocol_is_edited_as_a_form_by_keyboard(page: Page, visit: Callable, june: Study) -> None:
    visit(page, "lena", "/protocols/new/?from=article-accuracy:1&view=form")
    page.locator("#id_protocol-slug").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("own")
    expect(page.locator("#id_questions-0-text")).to_be_hidden()
    page.locator("#questions-0 > summary").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Move down: Question 1 (accuracy)").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move up: Question 2 (accuracy)")).to_be_focused()
    expect(page.get_by_text("which is not an earlier question").first).to_be_visible()
    assert accessibility_problems(page, schemes=["light"], widths=(390, 1440)) == []
    page.keyboard.press("Enter")
    expect(page.get_by_text("which is not an earlier question")).to_have_count(0)
    page.get_by_role("button", name="Store version").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The protocol is stored. Projects can use it.")).to_be_visible()
    assert ProtocolVersion.objects.get(slug="own").definition.question("accuracy")


def test_the_preview_follows_the_form_and_shows_the_questions_that_answers_lead_to(
    page: Page, visit: Callable, june: Study
) -> None:
    visit(page, "lena", "/protocols/new/?from=article-accuracy:1&slug=own&title=Own&view=form")
    page.wait_for_selector("body[data-ready=preview]")
    preview = page.get_by_role("region", name="Preview")
    severity = preview.locator("[data-question=severity]")
    expect(severity).to_be_hidden()
    preview.get_by_role("radio", name="Inaccurate").check()
    expect(severity).to_be_visible()
    page.get_by_role("heading", name="Question 1: How accurate is the sentence").click()
    page.locator("#id_questions-0-text").fill("Is every claim right?")
    expect(preview).to_contain_text("Is every claim right?")
    expect(severity).to_be_visible()
    preview.get_by_role("radio", name="Accurate", exact=True).check()
    expect(severity).to_be_hidden()
    page.get_by_role("heading", name="Question 2:").click()
    page.get_by_role("group", name="show_when").get_by_role("checkbox", name="Accurate", exact=True).check()
    expect(severity).to_be_visible()
    assert accessibility_problems(page, schemes=["light"], widths=(390, 1440)) == []
    label = page.locator("#id_questions-0-options-0-label")
    expect(label).to_be_hidden()
    page.get_by_role("heading", name="Option 1: Accurate").click()
    label.fill("")
    page.locator("#questions-0 > summary").click()
    expect(label).to_be_hidden()
    problem = preview.get_by_role("link", name="'label' of option 'accurate' of question 'accuracy' is empty")
    problem.click()
    expect(page.locator("#id_questions-0-options-0-label")).to_be_focused()
    page.get_by_role("button", name="Edit as TOML").click()
    text = page.get_by_label("Text")
    text.fill(text.input_value().replace("Is every claim right?", "Is it right?"))
    expect(preview).to_contain_text("Is it right?")
    expect(preview.get_by_role("link", name="Line")).to_be_visible()
    text.fill("slug = ")
    expect(preview).to_contain_text("this is not valid TOML")
    expect(preview).to_contain_text("Is it right?")


def test_the_form_of_a_new_project_shows_the_questions_of_the_chosen_protocol(
    page: Page, visit: Callable, june: Study
) -> None:
    person("ada", admin=True)
    visit(page, "ada", "/projects/new/")
    preview = page.get_by_role("region", name="Preview of the questions")
    expect(preview).to_contain_text("How accurate is the sentence")
    page.get_by_role("radio", name="Preference").check()
    expect(preview.locator("legend").first).to_contain_text("Which")
    assert accessibility_problems(page, schemes=["light"], widths=(390, 1440)) == []


def test_form_and_preview_are_side_by_side_or_one_click_away(june: Study, page: Page, visit: Callable) -> None:
    visit(page, "lena", "/protocols/new/?from=article-accuracy:1&view=form")
    heading = page.get_by_role("heading", name="Preview")
    expect(heading).to_be_in_viewport(ratio=1)
    expect(page.locator(".preview-links")).to_be_hidden()
    links = page.get_by_role("navigation", name="View")
    for width in (390, 768):
        page.set_viewport_size({"width": width, "height": 844})
        expect(heading).not_to_be_in_viewport()
        links.get_by_role("link", name="Preview").click()
        expect(heading).to_be_in_viewport(ratio=1)
        expect(links).to_be_in_viewport(ratio=1)
        assert links.bounding_box()["y"] + links.bounding_box()["height"] <= heading.bounding_box()["y"]
        links.get_by_role("link", name="Protocol").click()
        expect(page.get_by_label("Title").first).to_be_in_viewport(ratio=1)
        assert widest(page) == width
