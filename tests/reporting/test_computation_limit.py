"""The limit on computations of requests: one for the site, and a few threads of a process; no limit for jobs."""

import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from django.db import connection

from annotation.reporting import computation_limit
from annotation.reporting.computation_limit import (
    MAX_THREADS,
    TooManyComputationsError,
    computation,
    limited_computations,
)
from tests.reporting.other_computations import computations_of_other_servers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def in_request() -> Iterator[None]:
    with limited_computations():
        yield


@pytest.fixture
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computation_limit, "MAX_WAIT", 0.0)


def compute() -> None:
    with computation():
        pass


def test_computations_of_all_web_servers_count_but_those_of_one_that_died(in_request: None, no_wait: None, monkeypatch):
    with computations_of_other_servers(computation_limit.MAX_COMPUTATIONS - 1):
        compute()
    with computations_of_other_servers(), pytest.raises(TooManyComputationsError):
        compute()
    compute()
    monkeypatch.setattr(computation_limit, "MAX_WAIT", 60.0)
    with computations_of_other_servers() as server:
        with socket.socket(fileno=os.dup(server.connection.fileno())) as its_socket:
            its_socket.shutdown(socket.SHUT_RDWR)
        compute()


def test_a_computation_waits_for_another_that_ends_soon(in_request: None):
    with computations_of_other_servers() as server:
        ending = threading.Timer(0.3, server.connection.close)
        ending.start()
        compute()
        assert ending.finished.is_set()
        ending.join()


def test_jobs_have_no_limit(no_wait: None):
    with computations_of_other_servers():
        compute()


def test_most_threads_of_a_process_neither_compute_nor_wait(in_request: None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(computation_limit, "MAX_WAIT", 2.0)

    def wait() -> None:
        with limited_computations(), pytest.raises(TooManyComputationsError):
            compute()
        connection.close()

    waiting = [threading.Thread(target=wait) for _ in range(MAX_THREADS)]
    with computations_of_other_servers():
        for thread in waiting:
            thread.start()
        time.sleep(0.2)
        began = time.monotonic()
        with pytest.raises(TooManyComputationsError):
            compute()
        assert time.monotonic() - began < computation_limit.MAX_WAIT
        for thread in waiting:
            thread.join()


def test_a_computation_that_fails_is_not_counted_any_more(in_request: None):
    for _ in range(computation_limit.MAX_COMPUTATIONS + MAX_THREADS):
        with pytest.raises(ZeroDivisionError), computation():
            raise ZeroDivisionError
    with computations_of_other_servers(computation_limit.MAX_COMPUTATIONS - 1):
        compute()
