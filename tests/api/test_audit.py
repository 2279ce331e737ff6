"""Audit events, by a program."""

import pytest

from tests.api.clients import send

pytestmark = pytest.mark.django_db


def test_admins_read_who_changed_what(lena, ada):
    assert send(lena, "PATCH", "projects/june/", {"title": "A"})[0] == 200
    [event] = send(ada, "GET", "audit/?project=june&action=set%20title&actor=lena")[1]["results"]
    assert (event["target"], event["after"], event["actor"]) == ("project:june", "A", "lena")
    assert send(ada, "GET", "audit/?target=project:july")[1]["results"] == []
