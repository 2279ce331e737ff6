"""The crossed random-effects models on the page, and in what they say."""

import pytest
from msgspec import structs

from annotation.reporting.parts import MeasureProportion
from annotation.reporting.report import Report
from annotation.reporting.sections.all_tables import shown_tables
from annotation.reporting.sections.crossed_models import text
from annotation.reporting.sections.crossed_models.figures import (
    CrossedModel,
    MarginalProportion,
    OddsRatio,
    VarianceComponent,
)
from annotation.reporting.tables.kinds import RATIO
from annotation.reporting.text.names import Names
from tests.reporting.report_builders import cell, report
from tests.web.reports.pages import get_page

pytestmark = pytest.mark.seeded

HERON = MeasureProportion(0.8, 80, 100, 0.7, 0.88, "bca", None, None)
PLOVER = MeasureProportion(1.0, 50, 50, 0.93, 1.0, "korn-graubard", None, None)


def fitted(**changed) -> CrossedModel:
    parts = {
        "measure": "accurate", "ratings": 150, "status": "singular", "log_likelihood": -81.5,
        "components": [VarianceComponent("item", 50, 0.25), VarianceComponent("rater", 3, 0.0, True)],
        "marginal": [MarginalProportion("heron", 0.79, 0.68, 0.87)],
        "odds_ratios": [OddsRatio("heron", "plover", 0.312, 0.101, 12.4, 0.0312, 0.0624)],
        "dropped": {"document": "same as prompt"},
    }  # fmt: skip
    return CrossedModel(**(parts | changed))


def not_fitted(reason: str) -> CrossedModel:
    lists: dict[str, list] = {"components": [], "marginal": [], "odds_ratios": []}
    return fitted(**lists, status="not fitted", reason=reason, log_likelihood=None, dropped=None)


def report_with(*models: CrossedModel) -> Report:
    systems = [cell({"accurate": HERON}, "heron"), cell({"accurate": PLOVER}, "plover")]
    return structs.replace(report(systems=systems, overall=cell({"accurate": HERON})), crossed_models=list(models))


def shown(report: Report) -> dict[str, list[list[str]]]:
    return {table.key: table.texts for table in shown_tables(report, Names(None))}


def test_figures_are_formatted():
    assert "odds_ratios" not in shown(structs.replace(report_with(), crossed_models=None)), "a report without models"
    tables = shown(report_with(fitted()))
    assert tables["odds_ratios"] == [["Accurate", "heron / plover", "0.312 [0.101 – 12.4]", ".031", ".062"]]
    assert tables["variance_components"] == [
        ["Accurate", "item", "50", "0.250", "0.500"], ["Accurate", "rater", "3", "0.000", "0.000"],
    ]  # fmt: skip
    assert tables["marginal_proportions"] == [
        ["Accurate", "heron", "79.0 % [68.0 – 87.0]", "80.0 % [70.0 – 88.0]"],
    ]  # fmt: skip


def test_a_singular_fit_few_raters_and_missing_groupings_are_said():
    notes = text.notes(report_with(fitted()), Names(None))
    assert "Accurate: singular fit, the variance of rater is estimated as 0" in notes[0]
    assert notes[1] == "Not a random effect: document (one for each prompt)."
    assert notes[2].startswith("With only 3 raters the variance between raters is poorly estimated")


def test_a_very_large_variance_and_a_system_that_is_not_in_the_model_are_said():
    model = fitted(status="fitted", components=[VarianceComponent("item", 50, 55.6)], dropped=None)
    (note,) = text.notes(report_with(model), Names(None))
    assert note.startswith("Accurate: the variance of item is above 16, where the Laplace approximation fails, so")
    tables = shown(report_with(model))
    assert "marginal_proportions" not in tables and tables["odds_ratios"]
    notes = text.notes(report_with(fitted(status="fitted", components=[], separated=["plover"])), Names(None))
    assert notes[0].startswith("Accurate: the model excludes plover, all or none of whose ratings count")


def of_majorities(**changed) -> CrossedModel:
    components = [VarianceComponent("response", 120, 0.25), VarianceComponent("prompt", 40, 0.1)]
    majorities = {"fitted_to": "majorities", "ratings": 358, "undecided": 2}
    return fitted(**{"status": "fitted", "components": components, "dropped": None, **majorities, **changed})


def test_the_model_of_majorities_says_so_everywhere_and_the_question_is_about_raters_where_another_model_is():
    report = report_with(of_majorities())
    (note,) = text.notes(report, Names(None))
    assert note == (
        "The model of Accurate has one answer per item, the majority of raters (358 items, 2 ties excluded), because "
        "the likelihood of single ratings cannot be estimated by the Laplace approximation (its variance between items "
        "is above 16 or without limit). It is about prompts like these, not about raters in general."
    )
    tables, keys = shown(report), ("odds_ratios", "marginal_proportions", "variance_components")
    assert [tables[key][0][0] for key in keys] == ["Accurate (majority of raters)"] * 3
    question = text.question(report, Names(None))
    assert "raters in general" not in question and "generalize to prompts like these" in question
    both = report_with(fitted(), of_majorities(measure="inaccurate", marginal=[]))
    question = text.question(both, Names(None))
    assert "or for raters in general?" in question and "response" not in question
    assert [row[0] for row in shown(both)["odds_ratios"]] == ["Accurate", "Inaccurate (majority of raters)"]


def test_why_there_is_no_model_is_said():
    for reason, words in (
        ("separation", "all or none of the ratings of plover count"),
        ("too few ratings", "there are fewer than 50 assessed ratings"),
        ("too many ratings", "at most 50,000 ratings"),
        ("no grouping", "fewer than two raters"),
        ("no convergence", "did not converge"),
        ("unlimited variance", "the Laplace approximation of the likelihood gives a variance no limit"),
    ):
        (note,) = text.notes(report_with(not_fitted(reason)), Names(None))
        assert note.startswith("Accurate: no model is fitted, because ") and words in note


def test_numbers_have_about_three_digits():
    numbers = (0.0, 0.0001, 0.312, 3.123, 31.23, 312.3, 5000, None)
    assert [RATIO.show(value).text for value in numbers] == (
        ["0.000", "< 0.001", "0.312", "3.12", "31.2", "312", "> 999", "–"]
    )  # fmt: skip


@pytest.mark.django_db
def test_the_section_is_on_the_page_of_a_frozen_report_only(lena, frozen):
    text = get_page(lena, "frozen_report", frozen.public_id)
    assert "Crossed random-effects model" in text and "or for raters in general?" in text
    assert "Crossed random-effects model: odds ratios" in text and "Alder / Birch" in text
    assert "Crossed random-effects model" not in get_page(lena, "report", "june", query="?live=1")
