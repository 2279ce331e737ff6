"""Setting a project's title."""

import pytest

from annotation.models import AuditEvent, Project
from annotation.projects.title import set_title
from annotation.queue.errors import ProjectError

pytestmark = pytest.mark.django_db


def test_a_title_is_set_without_line_breaks_and_recorded(june):
    set_title(june.project, " June,\n second round ", actor=june.people["lena"])
    assert Project.objects.get().title == "June, second round"
    event = AuditEvent.objects.get(action="set title")
    assert (event.actor, event.before, event.after) == (june.people["lena"], "Study june", "June, second round")


def test_an_empty_or_long_title_is_refused(june):
    for title in ("", "  ", "x" * 201):
        with pytest.raises(ProjectError, match="1 to 200 characters"):
            set_title(june.project, title)
    assert Project.objects.get().title == "Study june"
