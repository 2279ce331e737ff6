"""The crossed random-effects models of a report: from its ratings, in frozen reports only."""

import random
from dataclasses import replace

import pytest

from annotation.jobs import Progress
from annotation.models import Project
from annotation.reporting import Choices, build
from annotation.reporting.build import STEPS, build_closed_form, build_from_tally
from annotation.reporting.compute import crossed_models
from annotation.reporting.report import Report
from annotation.stats.crossed_model import crossed_model
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import Row, documents_of_prompts, project_of
from tests.stats.crossed_ratings import draw, ratings_of

pytestmark = pytest.mark.django_db

STUDY = draw(logits=(1.0, 2.0), documents=5, prompts=15, items=2, raters=4, overlap=3)
SYSTEMS = ("heron", "plover")


def study_rows(study: list[tuple[int, ...]] = STUDY) -> list[Row]:
    return [
        Row(
            f"q{prompt:02}",
            SYSTEMS[system],
            f"rater{rater}",
            ACCURATE if hit else SEVERE,
            item % 2,
        )
        for hit, system, _, prompt, _, item, rater in study
    ]


def project_with_documents(rows: list[Row]) -> Project:
    """Create the project of these ratings with the documents of STUDY."""
    return documents_of_prompts(project_of(rows), {f"q{row[3]:02}": f"d{row[2]}" for row in STUDY})


def frozen_report(rows: list[Row]) -> Report:
    return build(project_with_documents(rows), Choices(resamples=100), agreement_intervals=True)


def test_a_live_report_has_no_models():
    project, choices = project_with_documents(study_rows()), Choices(resamples=100)
    for report in (build(project, choices), build_from_tally(project, choices), build_closed_form(project, choices)):
        assert report.crossed_models is None
        assert "crossed_models" not in report.to_dict()


def test_a_frozen_report_has_the_model_of_each_measure():
    models = frozen_report(study_rows()).crossed_models
    assert [model.measure for model in models] == ["accurate", "inaccurate", "severely_inaccurate"]
    expected = crossed_model(ratings_of(STUDY))
    accurate = models[0]
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


def test_figures_have_six_digits():
    model = frozen_report(study_rows()).crossed_models[0]
    figures = [model.log_likelihood, *(row.variance for row in model.components), model.odds_ratios[0].p]
    assert all(figure == float(f"{figure:.6g}") for figure in figures)


def test_the_same_ratings_give_the_same_bytes():
    project = project_of(study_rows())
    first, again = (build(project, Choices(resamples=100), agreement_intervals=True) for _ in range(2))
    assert first.to_json() == again.to_json()


def test_measures_of_opposite_answers_have_opposite_models():
    accurate, inaccurate, _ = frozen_report(study_rows()).crossed_models
    assert accurate.odds_ratios[0].value == pytest.approx(1 / inaccurate.odds_ratios[0].value, rel=1e-4)
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


def test_progress_counts_the_models_as_a_step():
    written = []
    progress = Progress(lambda state: written.append((state.done, state.message)))
    build(project_of(study_rows()), Choices(resamples=100), agreement_intervals=True, progress=progress)
    assert (6, "Crossed random-effects models") in written
    assert max(done for done, _ in written) < STEPS
