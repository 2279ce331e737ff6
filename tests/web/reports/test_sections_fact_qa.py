"""The section of Fact-QA on the report page."""

import pytest
from django.core.cache import cache
from django.test import Client

from annotation import reporting
from annotation.models import FactScore, Rating
from annotation.projects.members import add_member
from annotation.reporting.shared_links import make_link
from tests.cast import person
from tests.exporting.bundles import counts_of, frozen
from tests.fact_qa_studies import score_facts
from tests.reporting.fact_projects import scored_study
from tests.web.pages import queries
from tests.web.reports.pages import get_page, page_with_options

pytestmark = pytest.mark.django_db
MOST_STATEMENTS = 45


@pytest.fixture(scope="module")
def project(module_rows, tmp_path_factory):
    project, _expected, _human = scored_study(tmp_path_factory.mktemp("facts"), "strict", count=64)
    add_member(project, person("lena"), "lead")
    score_facts(project, counts_of(60))
    return project


def test_the_section_has_the_figures_and_leads_to_the_facts(lena, project):
    text = page_with_options(lena, live="1")
    [part] = reporting.build(project).fact_qa
    assert f"facts@1: precision {part.overall.precision.value:.3f}" in text and "from 54 of 64 responses" in text
    assert '<a href="#fact-qa">Fact-QA</a>' in text and "/projects/june/judges/facts/1/fact-qa/" in text
    assert "facts@1: failed, in no mean: 6; not scored yet: 4." in text
    assert "Facts of each response, by judge facts@1" in text
    score_facts(project, counts_of(60), "other")
    assert queries(lena, "/projects/june/report/?live=1") <= MOST_STATEMENTS
    Rating.objects.all().delete()
    text = page_with_options(lena, live="1")
    assert "No ratings to report yet" in text and "from 54 of 64 responses" in text
    FactScore.objects.all().delete()
    cache.clear()
    assert 'id="fact-qa"' not in page_with_options(lena, live="1")


def test_a_frozen_report_keeps_the_section_and_a_shared_one_has_no_link(lena, project):
    stored = frozen(project)
    text = get_page(lena, "frozen_report", stored.public_id)
    assert "from 54 of 64 responses" in text and "/judges/facts/1/fact-qa/" in text
    shared = get_page(Client(), "shared_report", make_link(stored)[1])
    assert "from 54 of 64 responses" in shared and "/judges/facts/1/fact-qa/" not in shared
