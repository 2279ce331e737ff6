"""When raters see verdicts: the setting of a project."""

import pytest
from django.db import IntegrityError, transaction

from annotation.judging.judges import create_judge, find_judge
from annotation.models import AuditEvent, Judge, Project
from annotation.projects.verdict_visibility import set_verdict_visibility
from annotation.queue.errors import ProjectError
from tests.rating.judged_study import judged_study

pytestmark = pytest.mark.django_db


def test_a_change_is_stored_and_recorded_once():
    june = judged_study("never")
    judge, lena = find_judge("rule"), june.people["lena"]
    for _again in range(2):
        set_verdict_visibility(june.project, "before", judge, actor=lena)
    stored = Project.objects.get()
    assert (stored.verdict_visibility, stored.shown_judge) == ("before", judge)
    event = AuditEvent.objects.get(action="set verdict visibility")
    assert event.actor == lena
    assert event.before == {"visibility": "never", "judge": None}
    assert event.after == {"visibility": "before", "judge": "rule@1"}
    set_verdict_visibility(june.project, "never", judge)
    stored.refresh_from_db()
    assert (stored.verdict_visibility, stored.shown_judge) == ("never", None)


def test_no_verdicts_are_shown_unless_a_lead_chooses_so_and_never_without_a_judge(june):
    assert (june.project.verdict_visibility, june.project.shown_judge) == ("never", None)
    with pytest.raises(IntegrityError, match="shown_verdicts_have_judge"), transaction.atomic():
        Project.objects.filter(pk=june.project.pk).update(verdict_visibility="after")


def test_a_choice_without_verdicts_is_refused():
    june = judged_study("never")
    create_judge(Judge(name="other", rule="always-accurate"))
    for visibility, label, message in (
        ("sometimes", "rule", "Choose when raters see verdicts"),
        ("after", None, "Choose a judge that has rated"),
        ("before", "other", "Choose a judge that has rated"),
    ):
        with pytest.raises(ProjectError, match=message):
            set_verdict_visibility(june.project, visibility, find_judge(label) if label else None)
    assert Project.objects.get().verdict_visibility == "never"
    assert not AuditEvent.objects.filter(action="set verdict visibility").exists()
