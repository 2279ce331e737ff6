"""Slow queries are logged with their statement, and without the values in it."""

import logging

import pytest
from django.db import connection

from annotation.models import User
from annotation.site.slow_queries import watch_queries

pytestmark = pytest.mark.django_db


def test_a_slow_query_is_logged_without_its_values(settings, caplog):
    settings.SLOW_QUERY_MS = 30
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s, pg_sleep(0.05)", ["a private answer"])
    (record,) = [record for record in caplog.records if record.name == "annotation.site.slow_queries"]
    assert record.levelno == logging.WARNING
    assert record.getMessage().endswith("ms: SELECT %s, pg_sleep(0.05)")
    assert "private" not in caplog.text


def test_a_fast_query_is_not_logged(settings, caplog):
    settings.SLOW_QUERY_MS = 5_000
    assert not User.objects.filter(username="nobody").exists()
    assert "slow query" not in caplog.text


def test_0_turns_the_log_of_slow_queries_off(settings):
    settings.SLOW_QUERY_MS = 0
    unwatched = type("Connection", (), {"execute_wrappers": []})()
    watch_queries(unwatched)
    assert unwatched.execute_wrappers == []
    settings.SLOW_QUERY_MS = 1
    watch_queries(unwatched)
    watch_queries(unwatched)
    assert len(unwatched.execute_wrappers) == 1
