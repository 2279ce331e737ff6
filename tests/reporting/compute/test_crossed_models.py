"""The crossed random-effects models of a report: from its ratings, in frozen reports only."""

import random
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from annotation.jobs import Progress
from annotation.models import Project
from annotation.reporting import Choices, build
from annotation.reporting.build import STEPS, build_closed_form, build_from_tally
from annotation.reporting.compute import crossed_models
from annotation.reporting.report import Report
from annotation.stats.crossed_model import Ratings, crossed_model
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.compute.crossed_rows import (
    STUDY,
    SYSTEMS,
    TRUTH,
    ratings_of_accurate_raters,
    rows_of_accurate_raters,
    study_rows,
)
from tests.reporting.project_rows import Row, documents_of_prompts, project_of
from tests.stats.crossed_ratings import COLUMNS, ratings_of

pytestmark = pytest.mark.django_db

"""Sentences of two systems: a sentence is accurate or not, and raters err about 3 % of them."""


def project_with_documents(rows: list[Row]) -> Project:
    """Create the project of these ratings with the documents of STUDY."""
    return documents_of_prompts(project_of(rows), {f"q{row[3]:02}": f"d{row[2]}" for row in STUDY})


def freeze(project: Project, **options) -> Report:
    return build(project, Choices(resamples=100), agreement_intervals=True, **options)


def frozen_report(rows: list[Row]) -> Report:
    return freeze(project_with_documents(rows))


def test_a_live_report_has_no_models():
    project, choices = project_with_documents(study_rows()), Choices(resamples=100)
    for report in (build(project, choices), build_from_tally(project, choices), build_closed_form(project, choices)):
        assert report.crossed_models is None
        assert "crossed_models" not in report.to_dict()


def test_a_frozen_report_has_the_model_of_each_measure_with_six_digits():
    project, written = project_with_documents(study_rows()), []
    progress = Progress(lambda state: written.append((state.done, state.message)))
    report = freeze(project, progress=progress)
    assert freeze(project).to_json() == report.to_json()
    assert (6, "Crossed random-effects models") in written
    assert max(done for done, _ in written) < STEPS
    accurate, inaccurate, severe = report.crossed_models
    assert [model.measure for model in (accurate, inaccurate, severe)] == [
        "accurate", "inaccurate", "severely_inaccurate"
    ]  # fmt: skip
    expected = crossed_model(ratings_of(STUDY))
    assert (accurate.status, accurate.ratings) == (expected.status, len(STUDY))
    assert accurate.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-5)
    assert [(row.grouping, row.levels) for row in accurate.components] == [
        (row.grouping, row.levels) for row in expected.components
    ]
    assert [row.variance for row in accurate.components] == pytest.approx(
        [row.variance for row in expected.components], rel=1e-5
    )
    (odds,) = accurate.odds_ratios
    assert (odds.a, odds.b) == SYSTEMS
    assert odds.value == pytest.approx(expected.odds_ratios[0].value, rel=1e-5)
    assert [row.system for row in accurate.marginal] == list(SYSTEMS)
    figures = [accurate.log_likelihood, *(row.variance for row in accurate.components), odds.p]
    assert all(figure == float(f"{figure:.6g}") for figure in figures)
    # Opposite answers have opposite models.
    assert odds.value == pytest.approx(1 / inaccurate.odds_ratios[0].value, rel=1e-4)
    assert accurate.marginal[0].value == pytest.approx(1 - inaccurate.marginal[0].value, rel=1e-4)


def test_ratings_that_are_not_assessed_are_in_no_model():
    rows = study_rows()
    drawn = random.Random(3)
    for row in drawn.sample(range(len(rows)), 20):
        rows[row] = replace(rows[row], answers=CANNOT_ASSESS)
    assert frozen_report(rows).crossed_models[0].ratings == len(STUDY) - 20


def test_a_measure_that_counts_nothing_of_a_system_has_no_model():
    rows = [replace(row, answers=ACCURATE) if row.system == "heron" else row for row in study_rows()]
    for model in frozen_report(rows).crossed_models:
        assert (model.status, model.reason, list(model.odds_ratios)) == ("not fitted", "separation", [])


def test_a_system_that_a_measure_always_counts_is_left_out_of_its_model():
    third = [replace(row, system="avocet", answers=ACCURATE) for row in study_rows() if row.system == "heron"]
    accurate = frozen_report([*study_rows(), *third]).crossed_models[0]
    assert accurate.status != "not fitted" and accurate.ratings == len(STUDY)
    assert accurate.separated == ["avocet"]
    assert [(row.a, row.b) for row in accurate.odds_ratios] == [SYSTEMS]
    assert [row.system for row in accurate.marginal] == list(SYSTEMS)


def test_a_project_beyond_the_limit_has_no_model(monkeypatch):
    monkeypatch.setattr(crossed_models, "MAX_RATINGS", 100)
    model = frozen_report(study_rows()).crossed_models[0]
    assert (model.status, model.reason, model.ratings) == ("not fitted", "too many ratings", len(STUDY))


def majorities_of(study: list[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], int]:
    """Return (hit, system, document, prompt, response) of the items with a majority, and the number of ties."""
    votes: dict[tuple[int, ...], list[int]] = {}
    for hit, *levels, _rater in study:
        votes.setdefault(tuple(levels), []).append(hit)
    answers = [(2 * sum(hits) - len(hits), *levels[:-1]) for levels, hits in votes.items()]
    return [(lead > 0, *levels) for lead, *levels in answers if lead], sum(lead == 0 for lead, *_ in answers)


def test_ratings_that_hardly_ever_differ_have_the_model_of_their_majorities():
    study = ratings_of_accurate_raters()
    assert crossed_model(ratings_of(study)).reason == "unlimited variance"
    decided, ties = majorities_of(study)
    hit, system, *levels = np.array(decided).T
    expected = crossed_model(Ratings.of(hit, system, 2, dict(zip(COLUMNS[2:5], levels, strict=True))))
    documents = {f"q{row[3]:02}": f"d{row[2]}" for row in TRUTH}
    project = documents_of_prompts(project_of(rows_of_accurate_raters()), documents)
    model = freeze(project).crossed_models[0]
    assert (model.fitted_to, model.ratings, model.undecided) == ("majorities", len(decided), ties)
    assert (model.status, model.reason) == (expected.status, None) and ties > 0
    assert [row.grouping for row in model.components] == ["response", "prompt", "document"]
    assert [row.variance for row in model.components] == pytest.approx(
        [row.variance for row in expected.components], rel=1e-5
    )
    (odds,), (of_stats,) = model.odds_ratios, expected.odds_ratios
    assert (odds.value, odds.low, odds.high) == pytest.approx((of_stats.value, of_stats.low, of_stats.high), rel=1e-5)


def test_ties_of_a_separated_system_are_not_those_of_the_model():
    rows = rows_of_accurate_raters()
    third = [replace(row, system="avocet", answers=ACCURATE) for row in rows if row.system == "heron"]
    third[0] = replace(third[0], answers=SEVERE)  # one of two ratings of a sentence: a tie
    model, without = (
        freeze(project_of(each, slug)).crossed_models[0] for each, slug in (([*rows, *third], "june"), (rows, "july"))
    )
    assert model.separated == ["avocet"] and model.fitted_to == "majorities"
    assert (model.ratings, model.undecided) == (without.ratings, without.undecided)


def test_without_a_model_of_majorities_the_first_reason_remains():
    """Forty-eight sentences: too few majorities, and ratings that all agree."""
    rows = [replace(row, rater=f"{row.rater}{n}") for row in rows_of_accurate_raters()[:96:2] for n in range(3)]
    model = freeze(project_of(rows)).crossed_models[0]
    assert (model.status, model.reason, model.ratings) == ("not fitted", "unlimited variance", 144)
    assert (model.fitted_to, model.undecided) == ("ratings", None)
    assert not {"fitted_to", "undecided"} & set(msgspec.to_builtins(model))


def test_with_many_ties_there_is_no_model_of_majorities(monkeypatch):
    project = project_of(rows_of_accurate_raters())  # 10 of 240 sentences have no majority
    for largest_share, fitted_to in ((10 / 240, "majorities"), (9 / 240, "ratings")):
        monkeypatch.setattr(crossed_models, "MAX_UNDECIDED", largest_share)
        assert freeze(project).crossed_models[0].fitted_to == fitted_to
