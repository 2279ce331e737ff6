"""An uploaded protocol about whole responses, from the file to the report.

The project uses data that was loaded as sentences. The whole response is highlighted while it is rated by keyboard.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Project, Rating

from ..cast import Study, person
from ..protocol_text import choice, protocol_text
from .accessibility import accessibility_problems
from .workspace import press, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PROTOCOL = protocol_text(
    "whole-answer",
    choice("useful", "Is the answer useful?", {"yes": "Useful", "no": "Useless"}, "12"),
    counts={"useful": ["yes"]},
    unit="response",
)


def test_from_the_file_to_the_report(
    page: Page, live_server: Any, visit: Callable, june: Study, tmp_path: Path
) -> None:
    upload = tmp_path / "whole-answer.toml"
    upload.write_text(PROTOCOL, encoding="utf-8")
    person("ada", admin=True)
    visit(page, "ada", "/protocols/new/")
    page.set_input_files("[name=file]", upload)
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Store version 1").click()
    page.get_by_role("link", name="New project with this protocol").click()
    page.get_by_label("Data set").select_option(june.project.dataset.slug)
    page.get_by_label("Title").fill("Whole answers")
    page.get_by_label("Short name").fill("whole")
    page.get_by_label("ravi").first.check()
    page.get_by_role("button", name="Create project").click()
    expect(page.get_by_role("heading", name="Whole answers")).to_be_visible()
    assert Project.objects.get(slug="whole").sheets.count() == 2
    visit(page, "ravi", "/projects/whole/rate/")
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("[data-item-number]").first).to_have_text("Response 1 of 1")
    lit, text = page.locator("[data-response] .s.now"), page.locator("[data-response]")
    visible_text = "".join(lit.all_inner_texts())
    assert "".join(visible_text.split()) == "".join(text.inner_text().split())
    assert accessibility_problems(page, schemes=["light"], widths=(390, 1440)) == []
    press(page, "1 Enter")
    expect(page.locator("[data-part=number]")).to_contain_text("2")
    expect(page.locator("[data-progress-text]")).to_have_text("0 of 1")
    press(page, "2")
    wait_until_saved(page)
    press(page, "Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    visit(page, "ada", "/projects/whole/report/")
    expect(page.get_by_role("main")).to_contain_text("Useful")
    answers = Rating.objects.filter(project__slug="whole").values_list("answers", flat=True)
    assert sorted(each["useful"] for each in answers) == ["no", "yes"]
    page.goto(
        f"{live_server.url}/projects/whole/review/{Rating.objects.filter(project__slug='whole')[0].item.public_id}/"
    )
    expect(page.locator(".context .s").first).to_be_visible()
    assert accessibility_problems(page) == []
