from collections.abc import Callable

import pytest
from django.db import connection
from psycopg import sql

from annotation.models import User
from annotation.site.postgresql import base
from annotation.site.slow_queries import watch_queries, without_values

pytestmark = pytest.mark.django_db


@pytest.fixture
def logged(caplog) -> Callable[[], list[str]]:
    """Return a function that returns the lines so far."""
    return lambda: [record.getMessage() for record in caplog.records if record.name == "annotation.site.slow_queries"]


def test_slow_queries_are_logged_without_their_values_and_fast_ones_are_not(settings, logged, monkeypatch):
    monkeypatch.setattr(base, "MAX_PARAMETERS", 10)
    settings.SLOW_QUERY_MS = 30
    numbers = [4711] * 11
    cursor = connection.cursor()
    cursor.execute("SELECT %s, pg_sleep(0.05)", ["a private answer"])
    cursor.execute(f"SELECT pg_sleep(0.05) WHERE 4711 IN ({', '.join(['%s'] * len(numbers))})", numbers)
    cursor.execute(sql.SQL("SELECT pg_sleep(0.05), {}").format(sql.Literal("Nora")))
    first, second, third = logged()
    assert first.endswith("ms: SELECT %s, pg_sleep(…)")
    assert "4711" not in second and third.endswith("SELECT pg_sleep(…), '…'")
    settings.SLOW_QUERY_MS = 5_000
    assert not User.objects.filter(username="nobody").exists()
    assert len(logged()) == 3


def test_values_in_statements_are_left_out():
    statement = "SELECT \"t1\".x2 FROM t\n WHERE a IN (17, -2.5e3) AND b = 'it''s Nora''s' AND c = $1 AND d = ''"
    expected = "SELECT \"t1\".x2 FROM t WHERE a IN (…, -…) AND b = '…' AND c = $1 AND d = '…'"
    assert without_values(statement) == expected


def test_0_turns_the_log_of_slow_queries_off(settings):
    settings.SLOW_QUERY_MS = 0
    unwatched = type("Connection", (), {"execute_wrappers": []})()
    watch_queries(unwatched)
    assert unwatched.execute_wrappers == []
    settings.SLOW_QUERY_MS = 1
    watch_queries(unwatched)
    watch_queries(unwatched)
    assert len(unwatched.execute_wrappers) == 1
