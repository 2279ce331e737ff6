"""Estimates and plans of a sample with unequal probabilities: weighted as in a report with a judge, and said so."""

import pytest
from django.urls import reverse

from annotation.models import Judge, Project, Rating, SampledItem
from annotation.reporting import Choices, build
from annotation.reporting.live import live_figures
from annotation.reporting.planning.figures import summarize_ratings
from annotation.reporting.planning.plans import half_widths
from annotation.reporting.sections.all_tables import shown_tables
from annotation.reporting.sections.hybrid.figures import weighted_estimates
from annotation.reporting.text.names import Names
from tests.cast import signed_in
from tests.reporting.sampled_studies import random_study
from tests.web.pages import without_layout
from tests.web.reports.pages import page_with_options

pytestmark = pytest.mark.django_db
FEW = Choices(resamples=200)


@pytest.fixture(scope="module")
def uncertain(module_rows):
    project = random_study(41)
    Project.objects.filter(pk=project.pk).update(sampling_design="uncertain", sampling_judge=Judge.objects.get())
    return Project.objects.get(pk=project.pk)


@pytest.fixture(scope="module")
def with_judge(uncertain):
    return build(uncertain, Choices(judge="j", resamples=200))


def planner() -> str:
    text = without_layout(signed_in("lena").get(reverse("planner", args=["june"])).content.decode())
    return " ".join(text.split())


def report_page() -> str:
    return page_with_options(signed_in("lena"), live="1")


def weighted_share(system):
    """Return Σ w hits / Σ w assessed of a system's ratings, in a plain loop."""
    hits = assessed = 0.0
    for rating in Rating.objects.filter(role="rater", item__response__system__name=system):
        weight = 1 / SampledItem.objects.get(item=rating.item).probability
        if rating.answers["accuracy"] != "cannot_assess":
            hits += weight * (rating.answers["accuracy"] == "accurate")
            assessed += weight
    return hits / assessed


def test_they_are_people_alone_of_a_report_with_a_judge(uncertain, with_judge):
    report = with_judge
    estimates = live_figures(uncertain, weighted_estimates)
    assert estimates == {
        cell.system: {key: measure.human for key, measure in cell.measures.items()} for cell in report.hybrid.systems
    }
    assert estimates["tern"]["accurate"].value == pytest.approx(weighted_share("tern"))
    widths = {(width.system, width.measure): width for width in half_widths(report, 0.1, None, estimates)}
    human = report.hybrid.systems[1].measures["accurate"].human
    assert widths["tern", "accurate"].half_width == (human.high - human.low) / 2
    figures = live_figures(uncertain, summarize_ratings).by_measure["accurate"]
    for system in ("heron", "tern"):
        assert figures[system]["share"] == pytest.approx(weighted_share(system))


def test_with_equal_probabilities_neither_they_nor_a_key_of_the_report_are_there(uncertain):
    Project.objects.update(sampling_design="uniform", sampling_judge=None)
    project = Project.objects.get(pk=uncertain.pk)
    assert live_figures(project, weighted_estimates) == {}
    assert build(project, FEW).weighted_estimates is None


def test_without_a_probability_of_every_item_there_are_none_and_pages_say_why(uncertain):
    SampledItem.objects.filter(is_drawn=False).first().delete()
    assert "proportions and margins are not weighted for this" in planner()
    assert build(uncertain, FEW).weighted_estimates.overall is None
    text = report_page()
    assert "No weighted estimates: some items have no stored probability" in text
    assert "must not be published" in text


def test_pages_say_that_they_are_weighted(uncertain, with_judge):
    text = planner()
    drawn = SampledItem.objects.filter(is_drawn=True).count()
    assert f"Raters are asked about a sample of {drawn} of 240 sentences; {drawn} have ratings that count." in text
    assert "Proportions and margins are weighted, as some were drawn more often." in text
    assert "Half the width of weighted 95 % intervals of people alone" in text
    assert "The expected proportion is weighted" in text
    human = with_judge.hybrid.systems[0].measures["accurate"].human
    assert f"± {50 * (human.high - human.low):.1f}" in text


def test_a_report_has_them_without_a_judge(uncertain, with_judge):
    report = build(uncertain, FEW)
    part = report.weighted_estimates
    cells = [*with_judge.hybrid.systems, with_judge.hybrid.overall]
    assert [cell.measures for cell in (*part.systems, part.overall)] == [
        {key: measure.human for key, measure in cell.measures.items()} for cell in cells
    ]
    assert with_judge.weighted_estimates == part
    heron, tern = (cell.measures["accurate"].value for cell in part.systems)
    difference = part.comparisons[0]
    assert (difference.a, difference.b, difference.measure) == ("heron", "tern", "accurate")
    assert difference.difference == pytest.approx(heron - tern) and difference.low < difference.difference
    text = report_page()
    assert 'id="weighted"' in text and '<a href="#weighted">People alone, weighted</a>' in text
    accurate = part.overall.measures["accurate"]
    margin = f"{100 * accurate.value:.1f} ± {50 * (accurate.high - accurate.low):.1f} %"
    sentence = f"Accurate: {margin}, from {accurate.n} ratings of people in {accurate.units} prompts."
    assert text.count(sentence) == 3, "in the section, in the Methods, and in the Methods to copy"
    assert "Publish the estimates “People alone, weighted”, or those with a judge" in text
    tables = {grid.key: grid.note for grid in shown_tables(report, Names(uncertain.protocol.definition))}
    assert "not weighted" in tables["systems"]
    assert "not weighted" not in tables["weighted_estimates"] and "counts 1/π" in tables["weighted_estimates"]


def test_filters_and_ratings_after_verdicts_are_those_of_the_report(uncertain):
    Rating.objects.filter(role="rater").update(verdict_shown=True)
    part = build(uncertain, Choices(judge="j", systems=("tern",), resamples=200)).weighted_estimates
    assert [cell.system for cell in part.systems] == ["tern"] and not part.comparisons
    assert part.systems[0].measures["accurate"].value == pytest.approx(weighted_share("tern"))
