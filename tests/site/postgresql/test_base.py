from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import QuerySet

from annotation.models import User
from annotation.site.postgresql import base
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
    pid = other.connection.info.backend_pid
    assert connection.cursor().execute("SELECT pg_terminate_backend(%s, 5000)", [pid]).fetchone() == (True,)


def test_an_open_connection_is_usable_without_a_statement(checked, monkeypatch):
    monkeypatch.setattr(psycopg.Cursor, "execute", None)
    assert checked.is_usable()


@pytest.mark.parametrize("errors_occurred", [False, True])
def test_a_connection_that_the_server_closed_is_not_usable_and_the_next_request_gets_a_new_one(
    as_owner, checked, errors_occurred
):
    checked.errors_occurred = errors_occurred
    assert checked.is_usable()
    terminate(checked)
    assert not checked.is_usable()
    checked.health_check_enabled, checked.health_check_done = True, False
    assert checked.cursor().execute("SELECT 1").fetchone() == (1,)


def test_a_connection_with_a_message_is_asked(checked):
    checked.cursor().execute("LISTEN news")
    connection.cursor().execute("NOTIFY news")
    assert checked.is_usable()


def test_a_closed_connection_is_not_usable(checked):
    checked.connection.close()
    assert not checked.is_usable()
    checked.connection = None
    assert not checked.is_usable()


@pytest.mark.parametrize(("more", "read"), [(0, list), (1, QuerySet.iterator)])
def test_a_query_for_any_number_of_ids_is_answered(more, read):
    rosa = person("rosa")
    ids = [*range(-1, -MAX_PARAMETERS - more, -1), rosa.pk]
    assert len(ids) == MAX_PARAMETERS + more
    assert list(read(User.objects.filter(pk__in=ids).order_by())) == [rosa]


def test_a_percent_sign_stays_one_among_many_parameters(monkeypatch):
    monkeypatch.setattr(base, "MAX_PARAMETERS", 10)
    rosa = person("100 % ro'sa")
    users = User.objects.filter(pk__in=range(11), username__contains="% ro'")
    assert list(users | User.objects.filter(pk=rosa.pk)) == [rosa]
