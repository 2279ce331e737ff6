"""The settings of a project: what is declared, and the function that changes them."""

from itertools import pairwise

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from annotation.judging.judges import create_judge, find_judge
from annotation.models import AuditEvent, Judge, Project
from annotation.projects.analysis_plans import set_plan
from annotation.projects.archiving import archive
from annotation.projects.project_settings import SettingError, change_settings
from annotation.protocols.analysis_plan import PlanError
from annotation.queue.errors import ProjectError
from tests.cast import person
from tests.rating.judged_study import judged_study

pytestmark = pytest.mark.django_db
PLAN = 'measures = ["accurate"]\n[exclusions]\nwithout_raters = ["rosa"]\n'


def events(action: str) -> list[tuple[object, object]]:
    """Return the states before and after of the events."""
    return list(AuditEvent.objects.filter(action=action).order_by("pk").values_list("before", "after"))


def test_a_change_is_stored_and_recorded_once_with_who_made_it(june):
    lena = june.people["lena"]
    for _again in range(2):
        project = change_settings(june.project, {"title": " June,\n second round ", "prefetch_limit": 3}, actor=lena)
        assert project is june.project
    stored = Project.objects.get()
    assert (project.title, stored.title, stored.prefetch_limit) == ("June, second round", "June, second round", 3)
    assert events("set title") == [("Study june", "June, second round")]
    assert events("set ahead") == [(8, 3)]
    assert AuditEvent.objects.get(action="set title").actor == lena


def test_settings_change_all_or_none(june):
    with pytest.raises(SettingError, match="overlap 0: choose a number from 1 to 100") as refused:
        change_settings(june.project, {"title": "June", "overlap": 0})
    assert refused.value.setting.name == "overlap"
    assert Project.objects.get().title == june.project.title == "Study june"
    assert events("set title") == []


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("title", ("", "  ", "x" * 201), "use a title of 1 to 200 characters"),
        ("target_half_width", (0, -0.1, 0.6, float("nan"), float("inf")), "choose a number from 0.001 to 0.5"),
        ("prefetch_limit", (0, 11, None), "choose a number from 1 to 10"),
        ("overlap", (0, 101), "choose a number from 1 to 100"),
        ("verdict_visibility", ("sometimes",), "choose one of never, after, before"),
    ],
)
def test_a_value_out_of_bounds_is_refused(june, name, values, message):
    for value in values:
        with pytest.raises(SettingError, match=message):
            change_settings(june.project, {name: value})
    assert AuditEvent.objects.filter(action__startswith="set").count() == 0


def test_a_target_is_removed_by_none(june):
    for target in (0.03, 0.03, None):
        change_settings(june.project, {"target_half_width": target})
    assert events("set target") == [(None, 0.03), (0.03, None)]


def test_rules_for_training_and_checks_are_recorded_together(june):
    change_settings(june.project, {"pass_mark": 0.7, "tries": 2, "gold_every": 20})
    assert events("set checks") == [({"pass_mark": 0.8, "gold_every": None}, {"pass_mark": 0.7, "gold_every": 20})]


def test_an_archived_project_keeps_its_overlap_and_may_get_another_title(june):
    archive(june.project)
    change_settings(june.project, {"title": "June"})
    with pytest.raises(SettingError, match="this project is archived: unarchive it first"):
        change_settings(june.project, {"overlap": 3})


class TestHiddenRaters:
    def test_only_admins_hide_raters_whom_a_plan_then_does_not_name(self, june):
        with pytest.raises(PermissionDenied):
            change_settings(june.project, {"hides_raters": True}, actor=june.people["lena"])
        for _again in range(2):
            change_settings(june.project, {"hides_raters": True}, actor=person("ada", admin=True))
        assert events("hide raters") == [(False, True)]
        with pytest.raises(PlanError, match="this project hides its raters: a plan cannot name them"):
            set_plan(june.project, PLAN)

    def test_raters_whom_a_plan_names_cannot_be_hidden(self, june):
        for plan in (PLAN, 'measures = ["accurate"]\n'):
            set_plan(june.project, plan)
        with pytest.raises(ProjectError, match="the analysis plan names raters"):
            change_settings(june.project, {"hides_raters": True})
        assert not Project.objects.get(pk=june.project.pk).hides_raters


class TestVerdicts:
    def test_a_judge_is_chosen_with_when_its_verdicts_are_shown_and_removed_with_it(self):
        june = judged_study("never")
        judge = find_judge("rule")
        for _again in range(2):
            change_settings(june.project, {"verdict_visibility": "before", "shown_judge": judge})
        change_settings(june.project, {"verdict_visibility": "after"})
        change_settings(june.project, {"verdict_visibility": "never", "shown_judge": judge})
        stored = Project.objects.get()
        assert (stored.verdict_visibility, stored.shown_judge) == ("never", None)
        states = [{"visibility": when, "judge": None if when == "never" else "rule@1"}
                  for when in ("never", "before", "after", "never")]  # fmt: skip
        assert events("set verdict visibility") == list(pairwise(states))

    def test_none_are_shown_unless_a_lead_chooses_so_and_never_without_a_judge(self, june):
        assert (june.project.verdict_visibility, june.project.shown_judge) == ("never", None)
        with pytest.raises(IntegrityError, match="shown_verdicts_have_judge"), transaction.atomic():
            Project.objects.filter(pk=june.project.pk).update(verdict_visibility="after")

    def test_a_judge_without_verdicts_is_refused(self):
        june = judged_study("never")
        other, _is_new = create_judge(Judge(name="other", rule="always-accurate"))
        for visibility, judge in (("after", None), ("before", other)):
            with pytest.raises(ProjectError, match="Choose a judge that has rated"):
                change_settings(june.project, {"verdict_visibility": visibility, "shown_judge": judge})
        assert Project.objects.get().verdict_visibility == "never"
        assert events("set verdict visibility") == []
