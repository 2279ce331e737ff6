"""The database's time; tests/system/test_two_hosts.py has what follows it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.site import database_clock
from annotation.site.database_clock import database_now


@pytest.mark.django_db
def test_the_databases_time_passes_between_two_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    ask = database_clock._ask
    monkeypatch.setattr(database_clock, "_reading", None)
    monkeypatch.setattr(database_clock, "_ask", lambda: asked.append(1) or ask())
    first, second = database_now(), database_now()
    assert first < second and abs(timezone.now() - second) < timedelta(seconds=5) and len(asked) == 1
    monkeypatch.setattr(database_clock, "REFRESH_SECONDS", 0.0)
    assert database_now() > second and len(asked) == 2
