"""Other clocks in tests: the database's, which decides, and a host's, which does not."""

import time
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from annotation.site import database_clock


def set_database_time(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    """Let `database_now` return `now`. Statements that ask the database itself get its own time."""
    monkeypatch.setattr(database_clock, "_steady_now", lambda: 0.0)
    monkeypatch.setattr(database_clock, "_reading", database_clock._Reading(now, 0.0, 0.0))


def set_host_clock(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let the clock of this host be ahead of the database's by so much."""
    now, since_1970 = timezone.now, time.time
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(seconds=seconds))
    monkeypatch.setattr(time, "time", lambda: since_1970() + seconds)
