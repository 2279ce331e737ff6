"""Slow queries are logged with their statement, and without the values in it."""

import logging

import pytest
from django.db import connection
from psycopg import sql

from annotation.models import User
from annotation.site.postgresql.base import MAX_PARAMETERS
from annotation.site.slow_queries import watch_queries, without_values

pytestmark = pytest.mark.django_db


def test_a_slow_query_is_logged_without_its_values(settings, caplog):
    settings.SLOW_QUERY_MS = 30
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s, pg_sleep(0.05)", ["a private answer"])
    (record,) = [record for record in caplog.records if record.name == "annotation.site.slow_queries"]
    assert record.levelno == logging.WARNING
    assert record.getMessage().endswith("ms: SELECT %s, pg_sleep(…)")
    assert "private" not in caplog.text


def test_values_in_statements_are_left_out():
    statement = "SELECT \"t1\".x2 FROM t\n WHERE a IN (17, -2.5e3) AND b = 'it''s Nora''s' AND c = $1 AND d = ''"
    expected = "SELECT \"t1\".x2 FROM t WHERE a IN (…, -…) AND b = '…' AND c = $1 AND d = '…'"
    assert without_values(statement) == expected


def test_values_of_merged_parameters_are_left_out(settings, caplog):
    settings.SLOW_QUERY_MS = 1
    numbers = [4711] * (MAX_PARAMETERS + 1)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_sleep(0.05) WHERE 1 IN ({', '.join(['%s'] * len(numbers))})", numbers)
        cursor.execute(sql.SQL("SELECT pg_sleep(0.05), {}").format(sql.Literal("Nora")))
    messages = [record.getMessage() for record in caplog.records if record.name == "annotation.site.slow_queries"]
    assert len(messages) == 2 and "4711" not in messages[0] and messages[1].endswith("SELECT pg_sleep(…), '…'")


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
