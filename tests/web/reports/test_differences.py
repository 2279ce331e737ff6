"""Systems that answered prompts of their own are not compared, and the page and the files say so."""

import re

import pytest
from django.urls import reverse

from annotation.exporting.report_formats import render
from annotation.reporting import Choices, build, freeze
from tests.cast import ACCURATE, SEVERE
from tests.reporting.compute.test_scores import scored_project
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


@pytest.mark.slow
def test_many_pairs_have_a_figure_for_each_measure_and_every_pair_in_the_table(lena):
    systems = [f"system {letter}" for letter in "abcdefg"]
    rows = [
        Row(f"q{n:02}", system, "ravi", SEVERE if n % 7 == number else ACCURATE)
        for n in range(12)
        for number, system in enumerate(systems)
    ]
    stored = freeze(project_of(rows, "many"), Choices(resamples=100))
    live, frozen = get_page(lena, "report", "many"), get_page(lena, "frozen_report", stored.public_id)
    for page in map(compared, (live, frozen)):
        figures = re.findall(r'data-figure="([\w-]+)"', page)
        assert figures == ["differences-accurate", "differences-inaccurate", "differences-severely_inaccurate"]
        assert page.count("no significant difference") + page.count("<b>") == 3 * 21
    assert compared(frozen).count(">p = ") == 3 * 21
    for name in ("differences-accurate-light.png", "differences-accurate-narrow-light.svg"):
        assert lena.get(reverse("report_file", args=[stored.public_id, name])).status_code == 200
        assert lena.get(reverse("report_figure", args=["many", name])).status_code == 200


def test_a_page_that_does_not_show_all_pairs_says_how_many(lena, monkeypatch):
    for module in ("differences", "scores"):
        monkeypatch.setattr(f"annotation.web.reports.{module}.MAX_PAIRS", 1)
    project = scored_project(rows(shared=True) + [Row(f"q{n}", "wren", "ravi", SEVERE) for n in range(12)], "many")
    text = get_page(lena, "report", project.slug)
    measures, scores = compared(text), text.split('aria-labelledby="scores"')[1].split("</section>")[0]
    assert "1 of 9 comparisons are shown; “Copy as” and the files" in " ".join(measures.split())
    assert "1 of 3 comparisons are shown; “Copy as” and the files" in " ".join(scores.split())
    assert "Differences between systems in percentage points" in measures
    assert "Differences between systems in scores, per 100 ratings" in scores
