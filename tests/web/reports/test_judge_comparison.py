"""The page that compares a judge with people."""

import pytest
from django.urls import reverse

from annotation.judging.judges import find_judge
from annotation.models import Item, Project
from tests.cast import ACCURATE, SEVERE, person
from tests.reporting.judged_rows import judge_items
from tests.reporting.project_rows import Row, project_of
from tests.web.reports.pages import get_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def judged(client):
    client.force_login(person("lena"))
    rows = [Row(f"q{n:02}", "heron", who, ACCURATE if n % 3 else SEVERE) for n in range(12) for who in ("ravi", "rosa")]
    project = project_of(rows)
    items = {(f"q{n:02}.heron", 0): ACCURATE if n % 2 else SEVERE for n in range(12)}
    judge_items(project, items, confidence=dict.fromkeys(items, 0.75))
    return project


def test_it_shows_the_figures_with_the_human_ceiling_and_links_the_items(client, judged):
    text = get_page(client, "judge_comparison", "june", "j", "1")
    assert "Judge j against people" in text and "12 sentences compared, of 12 verdicts." in text
    assert "Judge, against the majority of people" in text and "50.0 % [" in text
    assert "People, against the majority of the other raters" in text and "100.0 % [" in text
    assert "33.3 %" in text, "precision of Inaccurate"
    assert "−16.7 [" in text, "the judge's rate of Accurate less people's"
    assert "Calibration: expected calibration error .250" in text
    item = Item.objects.get(response__key="q02.heron")
    assert reverse("review_item", args=["june", item.public_id]) in text
    assert "NaN" not in text and "None" not in text


@pytest.mark.parametrize("design", ["uniform", "uncertain"])
def test_it_warns_where_the_sample_has_unequal_probabilities(client, judged, design):
    judge = find_judge("j") if design == "uncertain" else None
    Project.objects.update(sampling_design=design, sample_size=12, sampling_judge=judge)
    warning = "The figures are not weighted for these unequal probabilities"
    assert (warning in get_page(client, "judge_comparison", "june", "j", "1")) == (design == "uncertain")


def test_the_judges_of_the_project_lead_to_it(client, judged):
    address = reverse("judge_comparison", args=["june", "j", 1])
    assert f'<a href="{address}">' in get_page(client, "project_judges", "june")


def test_a_judge_without_ratings_in_the_project_is_not_found(client, judged):
    project_of([], "july")
    for slug, name, version in (("july", "j", 1), ("june", "j", 2), ("june", "nobody", 1)):
        assert client.get(reverse("judge_comparison", args=[slug, name, version])).status_code == 404
