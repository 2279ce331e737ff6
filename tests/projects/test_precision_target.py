"""The half-width a project aims at."""

import pytest

from annotation.models import AuditEvent, Project
from annotation.projects.precision_target import TargetError, set_target
from tests.cast import person, study

pytestmark = pytest.mark.django_db


def test_a_target_is_kept_and_the_audit_says_who_set_it():
    june = study().project
    set_target(june, 0.03, actor=person("lena"))
    set_target(june, 0.03, actor=person("lena"))  # nothing changes, nothing is written
    set_target(june, None, actor=person("lena"))
    assert Project.objects.get(pk=june.pk).target_half_width is None
    lines = AuditEvent.objects.filter(action="set target").order_by("pk")
    assert [(line.actor.username, line.before, line.after) for line in lines] == [
        ("lena", None, 0.03),
        ("lena", 0.03, None),
    ]


@pytest.mark.parametrize("wrong", [0, -0.1, 0.6, float("nan"), float("inf")])
def test_a_width_that_no_interval_has_is_refused(wrong):
    june = study().project
    with pytest.raises(TargetError, match="choose a share"):
        set_target(june, wrong)
    assert Project.objects.get(pk=june.pk).target_half_width is None
