"""Estimates and plans of a sample with unequal probabilities: weighted as in a report with a judge, and said so."""

import pytest
from django.urls import reverse

from annotation.models import Judge, Project, Rating, SampledItem
from annotation.reporting import build
from annotation.reporting.choices import Choices
from annotation.reporting.compute.planning import half_widths
from annotation.reporting.compute.planning_figures import summarize_ratings
from annotation.reporting.live import live_figures
from annotation.reporting.weighted_estimates import weighted_estimates
from tests.cast import person
from tests.reporting.sampled_studies import random_study
from tests.web.pages import without_layout

pytestmark = pytest.mark.django_db


@pytest.fixture
def uncertain():
    project = random_study(41)
    judge = Judge.objects.get()
    Project.objects.filter(pk=project.pk).update(sampling_design="uncertain", sampling_judge=judge)
    return Project.objects.get(pk=project.pk)


def weighted_share(system):
    """Return Σ w hits / Σ w assessed of a system's ratings, in a plain loop."""
    hits = assessed = 0.0
    for rating in Rating.objects.filter(role="rater", item__response__system__name=system):
        weight = 1 / SampledItem.objects.get(item=rating.item).probability
        if rating.answers["accuracy"] != "cannot_assess":
            hits += weight * (rating.answers["accuracy"] == "accurate")
            assessed += weight
    return hits / assessed


def test_they_are_people_alone_of_a_report_with_a_judge(uncertain):
    report = build(uncertain, Choices(judge="j"))
    estimates = live_figures(uncertain, weighted_estimates)
    assert estimates == {
        cell.system: {key: measure.human for key, measure in cell.measures.items()} for cell in report.hybrid.systems
    }
    assert estimates["tern"]["accurate"].value == pytest.approx(weighted_share("tern"))
    widths = {(width.system, width.measure): width for width in half_widths(report, 0.1, None, estimates)}
    human = report.hybrid.systems[1].measures["accurate"].human
    assert widths["tern", "accurate"].half_width == (human.high - human.low) / 2


def test_plans_take_the_weighted_proportion(uncertain):
    figures = live_figures(uncertain, summarize_ratings).by_measure["accurate"]
    for system in ("heron", "tern"):
        assert figures[system]["share"] == pytest.approx(weighted_share(system))


def test_without_unequal_probabilities_there_are_none():
    assert live_figures(random_study(41), weighted_estimates) == {}


def test_without_a_probability_of_every_item_there_are_none_and_pages_warn(client, uncertain):
    SampledItem.objects.filter(is_drawn=False).first().delete()
    client.force_login(person("lena"))
    text = without_layout(client.get(reverse("planner", args=["june"])).content.decode())
    assert "proportions and margins are not weighted for this" in " ".join(text.split())


def test_pages_say_that_they_are_weighted(client, uncertain):
    client.force_login(person("lena"))
    text = " ".join(without_layout(client.get(reverse("planner", args=["june"])).content.decode()).split())
    drawn = SampledItem.objects.filter(is_drawn=True).count()
    assert f"Raters are asked about a sample of {drawn} of 240 sentences; {drawn} have ratings that count." in text
    assert "Proportions and margins are weighted, as some were drawn more often." in text
    assert "Half the width of weighted 95 % intervals of people alone" in text
    assert "The expected proportion is weighted" in text
    human = build(uncertain, Choices(judge="j")).hybrid.systems[0].measures["accurate"].human
    assert f"± {50 * (human.high - human.low):.1f}" in text
