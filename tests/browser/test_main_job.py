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
from annotation.projects.create import create_project
from annotation.projects.members import add_member

from ..cast import article_accuracy, person, study
from .workspace import press, stored_answers, wait_until_saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "qasper" / "qasper-train-first10.v0.3-shape.json"


def test_three_sentences_rated_by_keyboard_come_out_in_the_report(
    page: Page, visit: Callable, open_rating: Callable, celery_worker: Any, wait_until: Callable
) -> None:
    study(overlap=1, raters=("ravi",))
    open_rating()
    press(page, "1 4 s 5")
    wait_until_saved(page)
    press(page, "Enter")
    page.wait_for_url("**/projects/june/rate/")
    assert Rating.objects.filter(counted=True).count() == 3

    visit(page, "lena", "/projects/june/report/")
    page.get_by_role("button", name="Freeze report").click()
    page.get_by_role("dialog").get_by_role("button", name="Freeze report").click()
    page.wait_for_url("**/reports/**")
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


if REAL.exists():

    def test_a_real_article_is_read_and_its_answer_rated(open_rating: Callable, tmp_path: Path) -> None:
        call_command("import_dataset", "qasper", str(REAL), "--dataset", "qasper", "--sample", "1")
        prompt = Prompt.objects.select_related("dataset").get()
        answer = "It does, for **three** languages. So say the authors in Sect. 3 [1].\n\n- It holds for 12.5 % of it."
        answers = tmp_path / "answers.jsonl"
        answers.write_text(json.dumps({"prompt": prompt.key, "system": "model-a", "text": answer}))
        call_command("import_responses", str(answers), "--dataset", "qasper")
        add_member(create_project("real", prompt.dataset, article_accuracy()), person("ravi"), "rater")
        page = open_rating(slug="real")
        press(page, "1 3 n 1")
        wait_until_saved(page)
        article = page.locator("[data-paragraph]")
        assert article.count() > 20
        assert not [text for text in article.all_inner_texts() if "BIBREF" in text or "INLINEFORM" in text]
        assert [answers["accuracy"] for answers in stored_answers()] == ["accurate", "unsupported", "accurate"]
