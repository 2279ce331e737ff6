"""The section of Fact-QA on the report page."""

import pytest

from annotation import reporting
from annotation.models import Response
from annotation.projects.members import add_member
from annotation.reporting import Choices
from annotation.reporting.shared_links import make_link
from tests.cast import person
from tests.exporting.test_bundle_of_fact_qa import counts_of
from tests.fact_qa_studies import fact_qa_study, prompt, score_facts
from tests.reporting.test_fact_qa_report import scored_study
from tests.web.pages import html_of, queries
from tests.web.reports.pages import get_page, page_with_options

pytestmark = pytest.mark.django_db
MOST_STATEMENTS = 45


@pytest.fixture
def project(client, tmp_path):
    project, _expected, _human = scored_study(tmp_path, "strict", count=64)
    add_member(project, person("lena"), "lead")
    client.force_login(person("lena"))
    return project


def test_the_section_has_the_figures_and_leads_to_the_facts(client, project):
    assert 'id="fact-qa"' not in page_with_options(client, live="1")
    score_facts(project, counts_of(60))
    text = page_with_options(client, live="1")
    [part] = reporting.build(project).fact_qa
    assert f"facts@1: precision {part.overall.precision.value:.3f}" in text and "from 54 of 64 responses" in text
    assert '<a href="#fact-qa">Fact-QA</a>' in text and "/projects/june/judges/facts/1/fact-qa/" in text
    assert "Failed, in no mean: 6; not scored yet: 4." in text
    assert "Correlation with people" in text


def test_a_page_with_scores_sends_few_statements(client, project):
    score_facts(project, counts_of(60))
    score_facts(project, counts_of(60), "other")
    assert queries(client, "/projects/june/report/?live=1") <= MOST_STATEMENTS


def test_a_frozen_report_keeps_the_section_and_a_shared_one_has_no_link(client, project):
    score_facts(project, counts_of(60))
    stored = reporting.freeze(project, Choices(resamples=200), actor=person("lena"))
    text = get_page(client, "frozen_report", str(stored.public_id))
    assert "from 54 of 64 responses" in text and "/judges/facts/1/fact-qa/" in text
    client.logout()
    shared = html_of(client.get(f"/r/{make_link(stored)[1]}/"))
    assert "from 54 of 64 responses" in shared and "/judges/facts/1/fact-qa/" not in shared


def test_without_ratings_the_page_has_the_section(client, tmp_path):
    project = fact_qa_study(tmp_path, (prompt(number) for number in range(12)))
    add_member(project, person("lena"), "lead")
    client.force_login(person("lena"))
    score_facts(project, dict.fromkeys(Response.objects.values_list("key", flat=True), ((1, 2), (1, 1))))
    text = page_with_options(client, live="1")
    assert "No ratings to report yet" in text and "from 12 of 12 responses" in text
