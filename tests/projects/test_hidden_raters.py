"""Hide the raters of a project from its leads."""

import pytest

from annotation.models import AuditEvent, Project
from annotation.projects.analysis_plans import set_plan
from annotation.projects.hidden_raters import set_hiding
from annotation.protocols.analysis_plan import PlanError
from annotation.queue.errors import ProjectError
from tests.cast import person

pytestmark = pytest.mark.django_db
PLAN = 'measures = ["accurate"]\n[exclusions]\nwithout_raters = ["rosa"]\n'


def test_the_audit_says_who_hides_raters_whom_a_plan_then_does_not_name(june):
    ada = person("ada", admin=True)
    for _again in range(2):
        set_hiding(june.project, True, actor=ada)
    [event] = AuditEvent.objects.filter(action="hide raters")
    assert (event.actor, event.before, event.after) == (ada, False, True)
    with pytest.raises(PlanError, match="this project hides its raters: a plan cannot name them"):
        set_plan(june.project, PLAN)


def test_raters_whom_a_plan_names_cannot_be_hidden(june):
    for plan in (PLAN, 'measures = ["accurate"]\n'):
        set_plan(june.project, plan)
    with pytest.raises(ProjectError, match="the analysis plan names raters"):
        set_hiding(june.project, True, actor=person("ada", admin=True))
    assert not Project.objects.get(pk=june.project.pk).hides_raters
