"""Quality alerts beside the headline, and the section of the sensitivity analyses."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.exporting.rater_names import pseudonymous
from annotation.exporting.report_formats import render
from annotation.models import Project, Report
from annotation.pseudonyms import Pseudonyms
from annotation.reporting import Choices
from annotation.reporting.freeze import freeze
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.shared_links import make_link
from tests.reporting.project_rows import opposite_raters, project_of, worked_example
from tests.web.reports.pages import get_page, section

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def opposite(module_rows) -> Project:
    return project_of(opposite_raters())


@pytest.fixture(scope="module")
def stored(opposite) -> Report:
    return freeze(opposite, Choices(resamples=100))


def flat(text: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def test_a_live_report_names_the_raters_with_an_alert_beside_the_headline(lena, opposite):
    page = get_page(lena, "report", "june", query="?live=1")
    text = flat(page)
    assert "2 of 4 raters have a quality alert: bo (strict, disagrees) and kim (lenient, disagrees)." in text
    assert "Excluding bo: heron +16.7, plover +16.7 points" in text
    assert "Excluding kim: heron −16.7, plover −16.7 points" in text
    assert "Excluding bo and kim: heron 0.0, plover 0.0 points" in text
    assert page.index('id="quality-alerts"') < page.index('id="proportions"')
    assert f'href="{reverse("raters", args=["june"])}"' in page
    assert 'id="sensitivity"' not in page
    project_of(worked_example(), "plain")
    assert "quality alert:" not in get_page(lena, "report", "plain")


def test_a_frozen_report_has_figure_table_and_sentence_and_a_shared_one_names_pseudonyms_alone(lena, stored):
    text = flat(section(get_page(lena, "report", "june"), "sensitivity"))
    assert "the largest shift is" in text and "No two systems differ significantly" in text
    for label in ("As reported", "Majority of each sentence", "Dawid-Skene", "Responses weighted equally"):
        assert label in text
    assert "Prompts as units" not in text and "Quality alerts" not in text
    assert "Excluding rater 1 of 2" in stored.figures["sensitivity-light"]
    assert not re.search(r"\b(ravi|rosa|kim|bo)\b", " ".join(stored.figures.values()))
    text = get_page(Client(), "shared_report", make_link(stored)[1])
    assert "have a quality alert" in text and "Excluding rater-" in text
    assert not re.search(r"\b(kim|bo)\b", text)
    assert reverse("raters", args=["june"]) not in text


def test_pseudonymous_analyses_are_in_the_order_of_pseudonyms_and_files_have_the_table(opposite, stored):
    report, names = stored_report(stored), Pseudonyms(opposite)
    analyses = pseudonymous(report, names).sensitivity
    alone = [row.without[0] for row in analyses if row.analysis == "without rater"]
    assert alone == sorted(map(names.pseudonym, ("bo", "kim")))
    assert [row.analysis for row in analyses] == [row.analysis for row in report.sensitivity]
    markdown = render(report, "markdown").partition("## Sensitivity")[2]
    assert re.search(r"\| Accurate \| Excluding kim \|.*\| 33\.3 % \[[\d. –]+\] −16\.7 \|", markdown)
    csv = render(report, "csv").replace('"', "")
    assert "\nsensitivity,heron,kim,without rater,accurate,,180,0.3333333333333333," in csv
