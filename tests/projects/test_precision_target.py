"""The half-width a project aims at."""

import pytest

from annotation.models import AuditEvent, Project
from annotation.projects.precision_target import TargetError, set_target

pytestmark = pytest.mark.django_db


def test_a_target_is_kept_and_the_audit_says_who_set_it(june):
    for target in (0.03, 0.03, None):  # where nothing changes, nothing is written
        set_target(june.project, target, actor=june.people["lena"])
    lines = AuditEvent.objects.filter(action="set target").order_by("pk")
    said = [(line.actor.username, line.before, line.after) for line in lines]
    assert said == [("lena", None, 0.03), ("lena", 0.03, None)]


def test_a_width_that_no_interval_has_is_refused(june):
    for wrong in (0, -0.1, 0.6, float("nan"), float("inf")):
        with pytest.raises(TargetError, match="choose a share"):
            set_target(june.project, wrong)
    assert Project.objects.get().target_half_width is None
