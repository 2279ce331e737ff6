"""The section of people and a judge on the report page, and the choice of the judge."""

from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.test import Client

from annotation import reporting
from annotation.judging.judges import find_judge, repeat_judge
from annotation.models import Project
from annotation.reporting import Choices
from annotation.reporting.sections.judge.comparison import compare_judge
from annotation.reporting.shared_links import make_link
from tests.cast import ACCURATE
from tests.exporting.bundles import frozen
from tests.reporting.project_rows import judge_items
from tests.reporting.sampled_studies import items_of, random_study
from tests.seeds import seeded
from tests.web.pages import queries
from tests.web.reports.pages import get_page, page_with_options

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]
MOST_STATEMENTS = 45


@pytest.fixture
def judged() -> Project:
    """Return the study with a judge, without its frozen report."""
    project = seeded("judged")
    project.reports.all().delete()
    return project


def page(client, **switches: str) -> str:
    return get_page(client, "report", "judged", query="?" + urlencode({"live": "1", **switches}))


def test_a_shared_report_has_the_section_without_a_link_to_the_comparison(lena, judged):
    item = items_of(judged)[0]
    judge_items(judged, {(item.response.key, item.position): ACCURATE}, judge=repeat_judge("j"))
    stored = frozen(judged, Choices(resamples=100, judge="j@1"))
    text = get_page(lena, "frozen_report", stored.public_id)
    assert "People and judge j@1" in text
    assert "/judges/j/1/comparison/" in text and "Drift between versions on the same items" in text
    shared = get_page(Client(), "shared_report", make_link(stored)[1])
    assert 'id="judge"' in shared and "Drift between versions on the same items" in shared
    assert "/judges/" not in shared


def test_without_a_sample_or_a_known_judge_the_page_says_why_there_are_no_estimates(lena, june):
    assert "there is no judge &#x27;nobody&#x27;" in page_with_options(lena, judge="nobody")
    judge_items(june, {("tide-01.alder", 0): {"accuracy": "accurate"}})
    assert "No estimates with judge j@1: no sample was drawn" in page_with_options(lena, judge="j")


def test_a_judge_is_offered_with_its_estimates_and_its_comparison_with_people(lena, judged):
    plain = page(lena)
    assert '<option value="j@1">j@1</option>' in plain and 'id="hybrid"' not in plain and 'id="judge"' not in plain
    text = page(lena, judge="j@1")
    assert '<option value="j@1" selected>j@1</option>' in text
    assert "Judge j@1" in text, "the active option, with a link that removes it"
    report = reporting.build(judged, Choices(judge="j"))
    measure = report.hybrid.overall.measures["accurate"]
    assert f"from {measure.human.n} ratings of people in {measure.human.units} prompts and judge j@1 on" in text
    assert f"{100 * measure.value:.1f} ± {50 * (measure.high - measure.low):.1f} %" in text
    assert "Judge alone (not an estimate)" in text
    assert '<a href="#hybrid">People and judge</a>' in text and '<a href="#judge">Judge against people</a>' in text
    assert 'id="judge"' in text and 'href="/projects/judged/judges/j/1/comparison/"' in text
    part, comparison = report.judge_against_people, compare_judge(judged, find_judge("j"))
    assert (part.majority.accuracy, part.detection) == (comparison.accuracy, comparison.detection)
    assert (part.confusion, part.by, part.measures) == (comparison.confusion, comparison.by, comparison.measures)
    assert comparison.use and all(f">{sentence}</p>" in text for sentence in comparison.use)
    assert f"{100 * part.majority.accuracy:.1f} % [" in text
    assert f"{part.items} sentences compared, of {part.verdicts} verdicts." in text
    assert "Alternative annotator test" in text
    for heading in (
        "People’s answers (rows) and the judge’s (columns)",
        "Detection",
        "Bias: the judge’s rate less people’s, in percentage points",
    ):
        assert f'<h3 class="label">{heading}</h3>' in text
    assert "table=judge_confusion&amp;format=csv" in text
    assert f"Judge j@1 was compared with people on {part.items} sentences: accuracy" in text, "in the Methods"
    assert "is that of Calderon et al., 2025." in text
    judged.ratings.filter(role="rater").update(verdict_shown=True)
    text = page(lena, judge="j@1")
    assert 'id="judge"' in text and "0 sentences compared" in text
    assert "was compared with people on" not in text


def test_a_page_with_a_judge_sends_few_statements(lena):
    project = random_study(22, overlap=2, slug="own")
    for design, judge in (("uniform", None), ("uncertain", find_judge("j"))):
        Project.objects.filter(pk=project.pk).update(sampling_design=design, sampling_judge=judge)
        cache.clear()
        assert reporting.build(project).disagreements
        assert queries(lena, "/projects/own/report/?live=1&judge=j@1") <= MOST_STATEMENTS
