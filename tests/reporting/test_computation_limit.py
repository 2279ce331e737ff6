"""The limit on computations at the same time: one waits a little, further ones are refused at once."""

import threading
import time

import pytest

from annotation.reporting import computation_limit
from annotation.reporting.computation_limit import TooManyComputationsError, computation


def test_a_computation_waits_for_another_that_ends_soon():
    ended = threading.Event()

    def compute() -> None:
        with computation():
            ended.wait()

    other = threading.Thread(target=compute)
    other.start()
    threading.Timer(0.1, ended.set).start()
    with computation():
        assert ended.is_set()
    other.join()


def test_a_long_computation_is_waited_for_by_one_request_only(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(computation_limit, "LONGEST_WAIT", 0.3)

    def wait() -> None:
        with pytest.raises(TooManyComputationsError), computation():
            pass

    with computation():
        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.1)
        began = time.monotonic()
        with pytest.raises(TooManyComputationsError), computation():
            pass
        assert time.monotonic() - began < 0.1
        waiting.join()


def test_a_computation_that_fails_is_not_counted_any_more():
    for _ in range(computation_limit.MOST + 1):
        with pytest.raises(ZeroDivisionError), computation():
            raise ZeroDivisionError
