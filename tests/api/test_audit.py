"""Audit events, by a program."""

import pytest

from tests.api.clients import program, send
from tests.cast import study

pytestmark = pytest.mark.django_db


def test_admins_read_who_changed_what():
    study()
    assert send(program("lena"), "PATCH", "projects/june/", {"title": "A"})[0] == 200
    ada = program("ada", admin=True)
    [event] = send(ada, "GET", "audit/?project=june&action=set%20title&actor=lena")[1]["results"]
    assert (event["target"], event["after"], event["actor"]) == ("project:june", "A", "lena")
    assert send(ada, "GET", "audit/?target=project:july")[1]["results"] == []
    assert send(program("lena"), "GET", "audit/")[0] == 403
