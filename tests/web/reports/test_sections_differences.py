"""Systems that answered prompts of their own are not compared, and the page and the files say so."""

import re

import pytest
from django.urls import reverse

from annotation.exporting.report_formats import render
from annotation.reporting import build
from tests.cast import ACCURATE, SEVERE
from tests.exporting.bundles import FEW
from tests.exporting.bundles import frozen as frozen_report
from tests.reporting.project_rows import Row, project_of
from tests.reporting.scored_projects import scored_project
from tests.web.reports.pages import get_page, section

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


def rows(*, shared: bool) -> list[Row]:
    """Return twelve prompts for each of two systems, the same ones or others."""
    return [
        Row(f"q{n}" if shared else f"{system}{n}", system, "ravi", ACCURATE if n % 2 else SEVERE)
        for system in ("heron", "tern")
        for n in range(12)
    ]


def test_page_and_files_say_why_nothing_is_compared(lena):
    project = project_of(rows(shared=False), "apart")
    text = get_page(lena, "report", "apart")
    part = section(text, "differences")
    assert "No two systems have assessed ratings for the same prompt" in part
    assert "no significant difference" not in part and "<table" not in part
    assert "Systems were not compared in pairs" in text
    markdown = render(build(project, FEW), "markdown")
    assert "Systems were not compared in pairs" in markdown and "Differences between systems" not in markdown


def test_systems_with_prompts_in_common_are_compared_and_a_pair_without_is_named_so(lena):
    project_of(rows(shared=True), "together")
    text = get_page(lena, "report", "together")
    assert "No two systems have assessed" not in text
    assert "no significant difference" in section(text, "differences")
    project_of([*rows(shared=True), *(Row(f"other{n}", "wren", "ravi", ACCURATE) for n in range(12))], "mixed")
    part = section(get_page(lena, "report", "mixed"), "differences")
    assert "no prompts in common" in part and "no significant difference" in part


def test_many_pairs_have_a_figure_for_each_measure_and_every_pair_in_the_table(lena):
    systems = [f"system {letter}" for letter in "abcdefg"]
    rows = [
        Row(f"q{n:02}", system, "ravi", SEVERE if n % 7 == number else ACCURATE)
        for n in range(12)
        for number, system in enumerate(systems)
    ]
    stored = frozen_report(project_of(rows, "many"), figures=True)
    live, frozen = get_page(lena, "report", "many"), get_page(lena, "frozen_report", stored.public_id)
    for page in (section(text, "differences") for text in (live, frozen)):
        figures = re.findall(r'data-figure="([\w-]+)"', page)
        assert figures == ["differences-accurate", "differences-inaccurate", "differences-severely_inaccurate"]
        assert len(re.findall(" is better<|no significant difference<", page)) == 3 * 21
    assert section(frozen, "differences").count(">p = ") == 3 * 21
    for name in ("differences-accurate-light.png", "differences-accurate-narrow-light.svg"):
        assert lena.get(reverse("report_file", args=[stored.public_id, name])).status_code == 200
        assert lena.get(reverse("report_figure", args=["many", name])).status_code == 200


def test_a_page_that_does_not_show_all_pairs_says_how_many(lena, monkeypatch):
    monkeypatch.setattr("annotation.reporting.tables.table.MAX_ROWS", 1)
    project = scored_project(rows(shared=True) + [Row(f"q{n}", "wren", "ravi", SEVERE) for n in range(12)], "many")
    text = get_page(lena, "report", project.slug)
    measures, scores = section(text, "differences"), section(text, "scores")
    assert "1 of 9 rows are shown; “Copy as” and the files" in " ".join(measures.split())
    assert "1 of 3 rows are shown; “Copy as” and the files" in " ".join(scores.split())
