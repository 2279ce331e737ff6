"""The time limit of statements: short for raters' requests, longer for leads' computations, none for jobs."""

from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from django.db import OperationalError, connection, transaction

from annotation.queue.slots import lock_project
from annotation.reporting import live
from annotation.reporting.computation_limit import computation, limited_computations
from annotation.site import database_transactions

pytestmark = pytest.mark.django_db(transaction=True)

SHORT, LONGER = "200ms", "20s"


@pytest.fixture(autouse=True)
def limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(database_transactions, "LEADS_LIMIT", LONGER)
    set_limit(SHORT)
    yield
    connection.close()


def set_limit(limit: str) -> None:
    connection.cursor().execute(f"SET statement_timeout = '{limit}'")


def current_limit() -> str:
    return connection.cursor().execute("SHOW statement_timeout").fetchone()[0]


def slow_statement() -> None:
    connection.cursor().execute("SELECT pg_sleep(0.3)")


def test_a_slow_statement_ends_in_a_computation_of_a_request_and_is_cancelled_after_it() -> None:
    for error in (None, ZeroDivisionError):
        with suppress(ZeroDivisionError), limited_computations(), computation():
            slow_statement()
            if error:
                raise error
        assert current_limit() == SHORT
    with pytest.raises(OperationalError, match="statement timeout"):
        slow_statement()


@pytest.mark.parametrize(("limit", "expected"), [("0", "0"), ("1min", "1min"), (SHORT, LONGER), ("15s", LONGER)])
def test_a_limit_is_lengthened_only(limit: str, expected: str) -> None:
    set_limit(limit)
    with transaction.atomic():
        database_transactions.lengthen_statement_limit()
        assert current_limit() == expected
    assert current_limit() == limit


def test_a_change_of_a_whole_project_has_the_longer_limit(june) -> None:
    with transaction.atomic():
        lock_project(june.project)
        slow_statement()
    assert current_limit() == SHORT


def test_a_lead_gets_a_slow_report_and_a_rater_who_waits_for_a_lock_is_told_to_try_again(
    lena, ravi, monkeypatch
) -> None:
    build = live.build

    def slow_build(*arguments: object, **options: object) -> object:
        slow_statement()
        return build(*arguments, **options)

    monkeypatch.setattr(live, "build", slow_build)
    ravi.raise_request_exception = False
    work = ravi.post("/api/v1/projects/june/assignments/").json()
    assert lena.get("/api/v1/projects/june/report/").status_code == 200
    address = f"/api/v1/assignments/{work['id']}/items/{work['items'][0]['id']}/"
    body = {"answers": {"accuracy": "accurate"}, "base_version": 0}
    with closing(connection.copy()) as other:
        other.set_autocommit(False)
        other.cursor().execute("LOCK TABLE annotation_rating")
        answer = ravi.put(address, body, content_type="application/json")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert ravi.put(address, body, content_type="application/json").status_code == 200
