"""Hide the raters of a project from its leads."""

import pytest

from annotation.models import AuditEvent, Project
from annotation.projects.analysis_plans import set_plan
from annotation.projects.hidden_raters import set_hiding
from annotation.protocols.analysis_plan import PlanError
from annotation.queue.errors import ProjectError
from tests.cast import person, study

pytestmark = pytest.mark.django_db
PLAN = 'measures = ["accurate"]\n[exclusions]\nwithout_raters = ["rosa"]\n'


def test_the_audit_says_who_hides_raters():
    project, ada = study().project, person("ada", admin=True)
    set_hiding(project, True, actor=ada)
    set_hiding(project, True, actor=ada)
    [event] = AuditEvent.objects.filter(action="hide raters")
    assert (event.actor, event.before, event.after) == (ada, False, True)


def test_a_plan_names_no_hidden_rater():
    project = study().project
    set_hiding(project, True, actor=person("ada", admin=True))
    with pytest.raises(PlanError, match="this project hides its raters: a plan cannot name them"):
        set_plan(project, PLAN)


def test_raters_whom_a_plan_names_cannot_be_hidden():
    project = study().project
    set_plan(project, PLAN)
    set_plan(project, 'measures = ["accurate"]\n')
    with pytest.raises(ProjectError, match="the analysis plan names raters"):
        set_hiding(project, True, actor=person("ada", admin=True))
    assert not Project.objects.get(pk=project.pk).hides_raters
