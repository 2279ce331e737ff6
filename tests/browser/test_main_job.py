"""The whole process in a browser: rate three sentences by keyboard, have a worker freeze the report, read the numbers.

Worked by hand: one response of three sentences, overlap 1. Ravi answers Accurate, Inaccurate and Severe, Can't assess.
So 3 ratings, 2 of them assessed: accurate 1 of 2, inaccurate 1 of 2, severely inaccurate 1 of 2, left out 1.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from annotation.models import Prompt, Rating, Report

from ..cast import PASSWORD, person, study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "qasper" / "qasper-train-first10.v0.3-shape.json"


def sign_in(page: Page, site: str, name: str) -> None:
    page.context.clear_cookies()
    page.goto(f"{site}/accounts/login/")
    page.fill("[name=login]", name)
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/")


def rate(page: Page, keys: str) -> None:
    page.wait_for_selector("body[data-ready]")
    for key in keys.split():
        page.keyboard.press(key)
    expect(page.locator("[data-saved-text]")).to_have_text("Saved")


def test_three_sentences_rated_by_keyboard_come_out_in_the_report(
    page: Page, live_server: Any, celery_worker: Any, wait_until: Callable
) -> None:
    study(overlap=1, raters=("ravi",))
    sign_in(page, live_server.url, "ravi")
    page.goto(f"{live_server.url}/projects/june/rate/")
    rate(page, "1 4 s 5")
    page.keyboard.press("Enter")
    wait_until(lambda: Rating.objects.filter(counted=True).count() == 3)
    page.wait_for_url(f"{live_server.url}/projects/june/rate/")  # by itself; it would abort a page asked for meanwhile

    sign_in(page, live_server.url, "lena")
    page.goto(f"{live_server.url}/projects/june/report/")
    page.get_by_role("button", name="Freeze report").click()
    page.get_by_role("dialog").get_by_role("button", name="Freeze report").click()
    wait_until(lambda: Report.objects.exists())
    page.goto(f"{live_server.url}/projects/june/report/")
    table = page.get_by_role("region", name="Proportions of ratings").get_by_role("table")
    row = table.get_by_role("row", name="heron")
    expect(row.get_by_text("1 of 2")).to_have_count(3)
    expect(row).to_contain_text("50.0")
    expect(row.locator("[data-label='Excluded']")).to_have_text("1")
    measures = json.loads(Report.objects.get().document)["overall"]["measures"]
    assert {name: (m["k"], m["n"]) for name, m in measures.items()} == {
        "accurate": (1, 2),
        "inaccurate": (1, 2),
        "severely_inaccurate": (1, 2),
    }


def real_study(folder: Path) -> None:
    """Create a project about a real paper, with an answer in Markdown to one of its prompts."""
    call_command("import_dataset", "qasper", str(REAL), "--dataset", "qasper", "--sample", "1")
    answer = (
        "It does, for **three** languages. The authors say so in Sect. 3 [1].\n\n- It holds for 12.5 % of the data."
    )
    row = {"prompt": Prompt.objects.get().key, "system": "model-a", "text": answer}
    (folder / "answers.jsonl").write_text(json.dumps(row))
    call_command("import_responses", str(folder / "answers.jsonl"), "--dataset", "qasper")
    call_command("create_project", "real", "--dataset", "qasper", "--protocol", "article-accuracy")
    person("ravi")
    call_command("add_member", "real", "ravi", "--role", "rater")


if REAL.exists():

    def test_a_real_article_is_read_and_its_answer_rated(
        page: Page, live_server: Any, tmp_path: Path, wait_until: Callable
    ) -> None:
        real_study(tmp_path)
        sign_in(page, live_server.url, "ravi")
        page.goto(f"{live_server.url}/projects/real/rate/")
        rate(page, "1 3 n 1")
        article = page.locator("[data-paragraph]")
        assert article.count() > 20
        assert not [text for text in article.all_inner_texts() if "BIBREF" in text or "INLINEFORM" in text]
        page.keyboard.press("Enter")
        wait_until(lambda: Rating.objects.filter(counted=True).count() == 3)
        answers = list(Rating.objects.order_by("item__position").values_list("answers", flat=True))
        assert answers == [
            {"accuracy": "accurate"},
            {"accuracy": "unsupported", "severity": "not_severe"},
            {"accuracy": "accurate"},
        ]
