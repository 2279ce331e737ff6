"""Leases follow the database's clock, whatever the clock of the web server says."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Slot
from annotation.qualification.next_work import take_next
from annotation.queue.leases import LEASE
from annotation.site import database_clock
from annotation.site.database_clock import database_now
from tests.cast import ACCURATE, study
from tests.gold_studies import rate_next

pytestmark = pytest.mark.django_db


@pytest.fixture
def jumped(monkeypatch: pytest.MonkeyPatch) -> timedelta:
    """Let the system's clock jump by five hours."""
    jump, now = timedelta(hours=5), timezone.now
    monkeypatch.setattr(timezone, "now", lambda: now() + jump)
    return jump


def test_the_databases_time_passes_between_two_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    ask = database_clock._ask
    monkeypatch.setattr(database_clock, "_reading", None)
    monkeypatch.setattr(database_clock, "_ask", lambda: asked.append(1) or ask())
    first, second = database_now(), database_now()
    assert first < second and abs(timezone.now() - second) < timedelta(seconds=5) and len(asked) == 1
    monkeypatch.setattr(database_clock, "REFRESH_SECONDS", 0.0)
    assert database_now() > second and len(asked) == 2


def test_a_web_server_whose_clock_is_ahead_takes_no_lease_away(jumped: timedelta) -> None:
    june = study(overlap=1)
    held = take_next(june.project, june.people["ravi"])
    assert held is not None
    assert Slot.objects.get().expires_at - database_now() <= LEASE
    assert take_next(june.project, june.people["rosa"]) is None


def test_ratings_and_leases_have_times_of_one_clock(jumped: timedelta) -> None:
    june = study()
    assignment, _ = rate_next(june, "ravi", ACCURATE)
    assignment.refresh_from_db()
    assert assignment.finished_at is not None
    rated = assignment.sheet.response.items.values_list("ratings__rated_at", flat=True)
    assert max(assignment.taken_at, assignment.finished_at, *rated) < database_now()
