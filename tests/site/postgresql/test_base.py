"""The health check of a connection, and statements with more parameters than the protocol sends apart."""

from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from annotation.models import User
from annotation.site.postgresql.base import MAX_PARAMETERS, DatabaseWrapper

from ...cast import person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def checked() -> Iterator[DatabaseWrapper]:
    """Return a second connection to the test's database."""
    second = connection.copy()
    assert isinstance(second, DatabaseWrapper)
    second.connect()
    yield second
    second.close()


def terminate(other: BaseDatabaseWrapper) -> None:
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        assert cursor.fetchone() == (True,)


def test_an_open_connection_is_usable_without_a_statement(checked, monkeypatch):
    monkeypatch.setattr(psycopg.Cursor, "execute", None)
    assert checked.is_usable()


def test_a_connection_that_the_server_closed_is_not_usable(as_owner, checked):
    terminate(checked)
    assert not checked.is_usable()


def test_a_connection_with_a_message_is_asked(checked):
    with checked.cursor() as cursor:
        cursor.execute("LISTEN news")
    with connection.cursor() as cursor:
        cursor.execute("NOTIFY news")
    assert checked.is_usable()


def test_the_next_request_gets_a_new_connection(as_owner, checked):
    terminate(checked)
    checked.health_check_enabled, checked.health_check_done = True, False
    with checked.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_a_connection_is_asked_after_an_error(as_owner, checked):
    checked.errors_occurred = True
    assert checked.is_usable()
    terminate(checked)
    assert not checked.is_usable()


def test_a_closed_connection_is_not_usable(checked):
    checked.connection.close()
    assert not checked.is_usable()
    checked.connection = None
    assert not checked.is_usable()


@pytest.mark.parametrize("more", [0, 1])
def test_a_query_for_any_number_of_ids_is_answered(more):
    rosa = person("rosa")
    ids = [*range(-1, -MAX_PARAMETERS - more, -1), rosa.pk]
    assert len(ids) == MAX_PARAMETERS + more
    users = User.objects.filter(pk__in=ids).order_by()
    assert list(users) == [rosa]
    assert list(users.iterator()) == [rosa]


def test_a_percent_sign_stays_one_among_many_parameters():
    rosa = person("100 % ro'sa")
    users = User.objects.filter(pk__in=range(MAX_PARAMETERS + 1), username__contains="% ro'")
    assert list(users | User.objects.filter(pk=rosa.pk)) == [rosa]
