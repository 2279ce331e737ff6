"""Systems that answered prompts of their own are not compared, and the page and the files say so."""

import pytest

from annotation.exporting.report_formats import render
from annotation.reporting import Choices, build
from tests.cast import ACCURATE, SEVERE
from tests.reporting.project_rows import Row, project_of
from tests.web.reports.pages import get_page

pytestmark = pytest.mark.django_db


def compared(text: str) -> str:
    """Return the part of a report's page about differences."""
    return text.split('aria-labelledby="differences"')[1].split("</section>")[0]


def rows(*, shared: bool) -> list[Row]:
    """Return twelve prompts for each of two systems, the same ones or others."""
    prompts = range(12)
    return [
        Row(f"q{n}" if shared else f"{system}{n}", system, "ravi", ACCURATE if n % 2 else SEVERE)
        for system in ("heron", "tern")
        for n in prompts
    ]


def test_the_page_says_why_nothing_is_compared(lena):
    project_of(rows(shared=False), "apart")
    text = get_page(lena, "report", "apart")
    assert "No two systems have assessed ratings for the same prompt" in compared(text)
    assert "no significant difference" not in compared(text) and "<table" not in compared(text)
    assert "Systems were not compared in pairs" in text


def test_the_files_say_so_and_have_no_table_of_dashes(lena):
    report = build(project_of(rows(shared=False), "apart"), Choices(resamples=100))
    text = render(report, "markdown")
    assert "Systems were not compared in pairs" in text and "Differences between systems" not in text


def test_systems_with_prompts_in_common_are_compared_as_before(lena):
    project_of(rows(shared=True), "together")
    text = get_page(lena, "report", "together")
    assert "No two systems have assessed" not in text and "no significant difference" in compared(text)


def test_one_pair_without_prompts_in_common_is_named_so(lena):
    others = [Row(f"other{n}", "wren", "ravi", ACCURATE) for n in range(12)]
    project_of([*rows(shared=True), *others], "mixed")
    text = get_page(lena, "report", "mixed")
    assert "no prompts in common" in compared(text) and "no significant difference" in compared(text)
