"""Each step of a new project's checklist is done when the data say so."""

import pytest

from annotation.models import Membership, Project
from annotation.projects.analysis_plans import set_plan
from annotation.projects.checklist import Checklist, project_checklist
from annotation.projects.create import create_project
from annotation.projects.guidelines import publish_guidelines
from annotation.projects.members import add_member
from annotation.projects.progress import slot_counts
from annotation.projects.project_settings import change_settings
from tests.cast import article_accuracy, dataset, person
from tests.gold_studies import gold_sheets_for
from tests.web.pages import rates

pytestmark = pytest.mark.django_db


def checklist_of(project: Project, raters: int = 2, ratings: int = 0) -> Checklist:
    return project_checklist(project, slot_counts(project), raters, ratings=ratings)


def steps_done(project: Project, raters: int = 2) -> list[str]:
    return [step for step, is_done in checklist_of(project, raters).steps.items() if is_done]


def test_a_project_on_an_empty_data_set_has_its_protocol_alone():
    assert steps_done(create_project("bare", dataset("bare"), article_accuracy(), overlap=2), raters=0) == ["protocol"]


@pytest.mark.study(prompts=3)
def test_each_step_ticks_from_the_data(june):
    project, done = june.project, ["data", "protocol", "people"]
    assert steps_done(project) == done
    for step, act in (
        ("guidelines", lambda: publish_guidelines(project, "Read.", {})),
        ("target", lambda: change_settings(project, {"target_half_width": 0.03})),
        ("plan", lambda: set_plan(project, 'measures = ["accurate"]\n', actor=june.people["lena"])),
    ):
        act()
        done.append(step)
        assert sorted(steps_done(project)) == sorted(done)
    checklist = checklist_of(project)
    assert (checklist.done, checklist.is_complete, checklist.has_started) == (6, False, False)
    assert checklist_of(project, ratings=1).has_started, "imported ratings start a project"
    rates(june.people["ravi"], project, sentences=1)
    assert checklist_of(project).has_started and checklist_of(project).is_shown
    gold_sheets_for(june, "training", 2)
    assert checklist_of(project).is_complete


@pytest.mark.study(prompts=3)
def test_hidden_gold_is_no_training(june):
    gold_sheets_for(june, "gold", 2)
    assert not checklist_of(june.project).steps["training"]


@pytest.mark.study(raters=("ravi",))
def test_a_project_with_fewer_raters_than_the_overlap_lacks_people(june):
    assert not checklist_of(june.project, raters=1).steps["people"]
    add_member(june.project, person("rosa"), Membership.Role.RATER)
    assert checklist_of(june.project, raters=2).steps["people"]
