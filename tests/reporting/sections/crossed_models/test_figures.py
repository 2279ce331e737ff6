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
from annotation.reporting.data.study import read_study
from annotation.reporting.sections.crossed_models import figures as crossed_models
from annotation.reporting.sections.crossed_models.figures import CrossedModel
from annotation.stats.crossed_model import Ratings, crossed_model
from annotation.stats.crossed_results import CrossedFit
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import (
    STUDY,
    SYSTEMS,
    TRUTH,
    Row,
    documents_of_prompts,
    project_of,
    ratings_of_accurate_raters,
    rows_of_accurate_raters,
    study_rows,
)
from tests.stats.crossed_ratings import COLUMNS, ratings_of

pytestmark = pytest.mark.django_db

FEW = Choices(resamples=100)


def project_with_documents(rows: list[Row], study: list[tuple[int, ...]] = STUDY) -> Project:
    return documents_of_prompts(project_of(rows), {f"q{row[3]:02}": f"d{row[2]}" for row in study})


def accurate_model(project: Project) -> CrossedModel:
    """Return the model of the first measure of a frozen report of this project."""
    study = read_study(project)
    return crossed_models.model_of(study.protocol.measures[0], study)


def assert_fit(model: CrossedModel, expected: CrossedFit) -> None:
    """Compare the estimates of a model in a report with those of annotation.stats."""
    assert (model.status, model.reason) == (expected.status, None)
    assert model.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-5)
    components, fitted = model.components, expected.components
    assert [(row.grouping, row.levels) for row in components] == [(row.grouping, row.levels) for row in fitted]
    assert [row.variance for row in components] == pytest.approx([row.variance for row in fitted], rel=1e-5)
    (odds,), (of_fit,) = model.odds_ratios, expected.odds_ratios
    assert (odds.a, odds.b) == SYSTEMS
    assert (odds.value, odds.low, odds.high) == pytest.approx((of_fit.value, of_fit.low, of_fit.high), rel=1e-5)


def test_a_frozen_report_alone_has_the_model_of_each_measure_with_six_digits():
    project, written = project_with_documents(study_rows()), []
    for report in (build(project, FEW), build_from_tally(project, FEW), build_closed_form(project, FEW)):
        assert report.crossed_models is None and "crossed_models" not in report.to_dict()
    progress = Progress(lambda state: written.append((state.done, state.message)))
    report = build(project, FEW, agreement_intervals=True, progress=progress)
    assert (6, "Crossed random-effects models") in written
    assert max(done for done, _ in written) < STEPS
    accurate, inaccurate, _ = report.crossed_models
    measures = [model.measure for model in report.crossed_models]
    assert measures == ["accurate", "inaccurate", "severely_inaccurate"]
    assert accurate == accurate_model(project) and accurate.ratings == len(STUDY)
    assert_fit(accurate, crossed_model(ratings_of(STUDY)))
    assert [row.system for row in accurate.marginal] == list(SYSTEMS)
    [odds], [opposite] = accurate.odds_ratios, inaccurate.odds_ratios
    figures = [accurate.log_likelihood, *(row.variance for row in accurate.components), odds.p]
    assert all(figure == float(f"{figure:.6g}") for figure in figures)
    assert odds.value == pytest.approx(1 / opposite.value, rel=1e-4), "opposite answers have opposite models"
    assert accurate.marginal[0].value == pytest.approx(1 - inaccurate.marginal[0].value, rel=1e-4)


def test_ratings_that_are_not_assessed_are_in_no_model_and_a_project_beyond_the_limit_has_none(monkeypatch):
    rows = study_rows()
    for row in random.Random(3).sample(range(len(rows)), 20):
        rows[row] = replace(rows[row], answers=CANNOT_ASSESS)
    project = project_with_documents(rows)
    assert accurate_model(project).ratings == len(STUDY) - 20
    monkeypatch.setattr(crossed_models, "MAX_RATINGS", 100)
    model = accurate_model(project)
    assert (model.status, model.reason, model.ratings) == ("not fitted", "too many ratings", len(STUDY) - 20)


def test_a_measure_that_counts_all_of_one_of_two_systems_has_no_model():
    rows = [replace(row, answers=ACCURATE) if row.system == "heron" else row for row in study_rows()]
    model = accurate_model(project_with_documents(rows))
    assert (model.status, model.reason, list(model.odds_ratios)) == ("not fitted", "separation", [])


def test_a_system_that_a_measure_always_counts_is_left_out_of_its_model():
    third = [replace(row, system="avocet", answers=ACCURATE) for row in study_rows() if row.system == "heron"]
    model = accurate_model(project_with_documents([*study_rows(), *third]))
    assert model.status != "not fitted" and model.ratings == len(STUDY)
    assert model.separated == ["avocet"]
    assert [(row.a, row.b) for row in model.odds_ratios] == [SYSTEMS]
    assert [row.system for row in model.marginal] == list(SYSTEMS)


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
    model = accurate_model(project_with_documents(rows_of_accurate_raters(), TRUTH))
    assert (model.fitted_to, model.ratings, model.undecided) == ("majorities", len(decided), ties) and ties > 0
    assert [row.grouping for row in model.components] == ["response", "prompt", "document"]
    assert_fit(model, expected)


def test_ties_of_a_separated_system_are_not_those_of_the_model():
    rows = rows_of_accurate_raters()
    third = [replace(row, system="avocet", answers=ACCURATE) for row in rows if row.system == "heron"]
    third[0] = replace(third[0], answers=SEVERE)  # one of two ratings of a sentence: a tie
    model = accurate_model(project_of([*rows, *third]))
    decided, ties = majorities_of(ratings_of_accurate_raters())
    assert model.separated == ["avocet"] and model.fitted_to == "majorities"
    assert (model.ratings, model.undecided) == (len(decided), ties)


def test_without_a_model_of_majorities_the_first_reason_remains():
    """Forty-eight sentences: too few majorities, and ratings that all agree."""
    rows = [replace(row, rater=f"{row.rater}{n}") for row in rows_of_accurate_raters()[:96:2] for n in range(3)]
    model = accurate_model(project_of(rows))
    assert (model.status, model.reason, model.ratings) == ("not fitted", "unlimited variance", 144)
    assert (model.fitted_to, model.undecided) == ("ratings", None)
    assert not {"fitted_to", "undecided"} & set(msgspec.to_builtins(model))


def test_with_many_ties_there_is_no_model_of_majorities(monkeypatch):
    project = project_of(rows_of_accurate_raters())  # 10 of 240 sentences have no majority
    for largest_share, fitted_to in ((10 / 240, "majorities"), (9 / 240, "ratings")):
        monkeypatch.setattr(crossed_models, "MAX_UNDECIDED", largest_share)
        assert accurate_model(project).fitted_to == fitted_to
