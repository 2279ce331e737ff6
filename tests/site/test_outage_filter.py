import logging
import sys

import psycopg
import pytest
import redis
from django.db import OperationalError
from kombu.exceptions import OperationalError as BrokerError

from annotation.site import outage_filter
from annotation.site.outage_filter import OutageFilter


def record_of(error: BaseException | None, message: str = "Internal Server Error: /", name: str = "django.request"):
    info = None
    if error:
        try:
            raise error
        except BaseException:
            info = sys.exc_info()
    return logging.LogRecord(name, logging.ERROR, "file.py", 1, message, (), info)


def database_error(text: str, cause: type[Exception] = psycopg.OperationalError) -> OperationalError:
    error = OperationalError(text)
    error.__cause__ = cause(text)
    return error


OUTAGES = {
    "a connection is refused": lambda: database_error("connection refused"),
    "the database shuts down": lambda: database_error("terminating", psycopg.errors.AdminShutdown),
    "it starts": lambda: database_error("starting up", psycopg.errors.CannotConnectNow),
    "the broker refuses": lambda: BrokerError("Error 111 connecting to 127.0.0.1:6379"),
    "the cache does not answer": lambda: redis.exceptions.TimeoutError("Timeout reading from socket"),
}


@pytest.mark.parametrize("make", OUTAGES.values(), ids=OUTAGES)
def test_an_outage_is_one_line_a_minute(make, monkeypatch):
    clock = [1_000.0]
    monkeypatch.setattr(outage_filter.time, "monotonic", lambda: clock[0])
    each = OutageFilter()
    records = [record_of(make()) for _ in range(500)]
    passed = [record for record in records if each.filter(record)]
    assert passed == records[:1]
    [line] = passed
    assert line.exc_info is None and "does not answer" in line.getMessage() and "\n" not in line.getMessage()
    clock[0] += 61
    later = record_of(make())
    assert each.filter(later) and "499 more errors" in later.getMessage()


def test_celerys_own_lines_are_of_the_outage_too():
    lines = [record_of(None, f"consumer: Cannot connect to redis://: {n}", "celery.worker.consumer") for n in range(9)]
    assert sum(map(OutageFilter().filter, lines)) == 1


def test_other_errors_keep_their_tracebacks():
    kinds = (psycopg.errors.QueryCanceled, psycopg.errors.DeadlockDetected)
    for error in (ValueError("a fault"), None, *(database_error("an error", kind) for kind in kinds)):
        each = OutageFilter()
        records = [record_of(error) for _ in range(3)]
        assert all(map(each.filter, records))
        assert all((record.exc_info is None) == (error is None) for record in records)
