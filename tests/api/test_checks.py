"""Rules of qualification and hidden gold, by a program."""

import pytest

from annotation.models import AuditEvent
from tests.api.clients import send

pytestmark = pytest.mark.django_db
CHECKS = "projects/june/checks/"


def test_rules_are_read_and_changed(lena):
    before = send(lena, "GET", CHECKS)[1]
    changed = send(lena, "PATCH", CHECKS, {"gold_every": 10, "least_gold": 0.7})
    assert changed == (200, before | {"gold_every": 10, "least_gold": 0.7})
    assert send(lena, "PATCH", CHECKS, {"gold_every": 1})[0] == 400
    assert send(lena, "PATCH", CHECKS, {"gold_every": None})[1]["gold_every"] is None
    assert AuditEvent.objects.filter(action="set checks").count() == 2


def test_a_rater_is_paused_and_let_in_again(lena, june):
    rosa = f"{CHECKS}raters/rosa/"
    assert send(lena, "POST", rosa, {"action": "pause"}) == (200, {})
    rows = {row["rater"]: row for row in send(lena, "GET", f"{CHECKS}raters/")[1]["raters"]}
    assert rows["rosa"]["gate"] == "paused" and rows["rosa"]["paused_at"] and rows["ravi"]["gate"] is None
    assert send(lena, "POST", rosa, {"action": "lift"}) == (200, {})
    assert june.project.memberships.get(user__username="rosa").paused_at is None
    assert send(lena, "POST", f"{CHECKS}raters/lena/", {"action": "pause"})[0] == 404
    assert send(lena, "POST", rosa, {"action": "praise"})[0] == 400
