"""Analysis plans of a project: versions, whether they are older than the first rating, and what they may name."""

import pytest
from django.db import ProgrammingError, connection, transaction
from django.utils import timezone

from annotation.models import AnalysisPlanVersion, AuditEvent, Rating
from annotation.projects.analysis_plans import has_been_rated, newest_plan, plan_names, set_plan, starting_text
from annotation.projects.deleting import delete_project
from annotation.projects.project_settings import change_settings
from annotation.protocols.analysis_plan import PlanError, plan_sha256
from tests.cast import ACCURATE, study, which_is_better
from tests.gold_studies import gold_sheets_for, rate_next, start_attempt
from tests.queue.assignments import take_work

pytestmark = pytest.mark.django_db

PLAN = 'measures = ["accurate"]\n'
OTHER = 'measures = ["severely_inaccurate"]\n'


def test_versions_are_counted_and_the_same_text_again_is_none(june):
    with pytest.raises(PlanError, match="did you mean 'accurate'"):
        set_plan(june.project, 'measures = ["acurate"]')
    assert not AnalysisPlanVersion.objects.exists() and not AuditEvent.objects.filter(action="set analysis plan")
    first, is_new = set_plan(june.project, PLAN, actor=june.people["lena"])
    assert is_new and (first.number, first.sha256, first.source) == (1, plan_sha256(PLAN), PLAN)
    assert set_plan(june.project, PLAN) == (first, False)
    second, _ = set_plan(june.project, OTHER)
    assert (second.number, newest_plan(june.project)) == (2, second)
    assert set_plan(june.project, PLAN)[0].number == 3
    event = AuditEvent.objects.filter(action="set analysis plan").earliest("at")
    assert event.actor == june.people["lena"]
    assert event.after == {"version": 1, "sha256": first.sha256, "before_first_rating": True}


def test_the_target_of_a_plan_becomes_that_of_a_project_without_one(june):
    for target in (0.04, 0.02):
        set_plan(june.project, PLAN + f"target = {target}\n")
        june.project.refresh_from_db()
        assert june.project.target_half_width == 0.04
    assert AuditEvent.objects.get(action="set target").after == 0.04


def test_the_starting_text_has_the_target_of_the_project(june):
    assert "target" not in starting_text(june.project)
    change_settings(june.project, {"target_half_width": 0.035})
    assert "\ntarget = 0.035  # half-width" in starting_text(june.project)
    set_plan(june.project, starting_text(june.project))


def test_a_plan_is_from_before_or_after_the_first_rating(june):
    assert set_plan(june.project, PLAN)[0].before_first_rating
    take_work(june.project, june.people["ravi"])
    assert not set_plan(june.project, OTHER)[0].before_first_rating
    assert AnalysisPlanVersion.objects.get(number=1).before_first_rating


def test_a_rating_that_is_not_finished_or_was_deleted_is_a_rating(june):
    given = {"answers": ACCURATE, "choices": ACCURATE, "rated_at": timezone.now()}
    rating = Rating.objects.create(project=june.project, item=june.items()[0], rater=june.people["ravi"], **given)
    assert has_been_rated(june.project)
    rating.delete()
    assert not Rating.objects.exists() and has_been_rated(june.project)
    assert not has_been_rated(study("july").project)


def test_training_is_before_the_first_rating():
    june = study(prompts=2, overlap=1, sentences=1)
    gold_sheets_for(june, "training", 0)
    start_attempt(june.project, june.people["ravi"], "training")
    rate_next(june, "ravi")
    assert Rating.objects.filter(role="rater").exists() and not has_been_rated(june.project)
    rate_next(june, "ravi")
    assert has_been_rated(june.project)


@pytest.mark.study(prompts=2, systems=("heron", "plover"))
def test_a_plan_names_what_the_project_has_and_compares_no_systems_under_a_protocol_about_pairs(june):
    prompt = june.responses[0].prompt
    prompt.metadata = {"question_type": "factual"}
    prompt.save()
    names = plan_names(june.project)
    assert list(names.measures) == ["accurate", "inaccurate", "severely_inaccurate"]
    assert (list(names.systems), list(names.metadata), names.compares) == (["heron", "plover"], ["question_type"], True)
    june.project.protocol = which_is_better()
    assert not plan_names(june.project).compares


def test_a_version_never_changes_and_goes_with_its_project(june):
    version, _ = set_plan(june.project, PLAN, actor=june.people["lena"])
    with pytest.raises(ProgrammingError, match="Cannot update"), transaction.atomic():
        AnalysisPlanVersion.objects.update(source=OTHER)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE annotation_analysisplanversion SET created_by_id = NULL")  # its author is erased
    version.refresh_from_db()
    assert (version.source, version.created_by) == (PLAN, None)
    july = study("july").project
    set_plan(july, PLAN)
    delete_project(june.project)
    assert AnalysisPlanVersion.objects.get().project == july
