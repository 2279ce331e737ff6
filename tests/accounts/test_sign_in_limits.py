"""Limits on wrong passwords, by their counters."""

import time
from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache

from annotation.accounts.sign_in_limits import Attempt
from annotation.models import User

HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"
Later = Callable[[float], None]


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Return a function that advances the clock by seconds, in the middle of the window of addresses at first."""
    clock = [time.time() // 600 * 600 + 5]
    monkeypatch.setattr("time.time", lambda: clock[0])

    def advance(seconds: float) -> None:
        clock[0] += seconds

    return advance


def fails(name: str = "ravi", address: str = HERE, device: str = "") -> int:
    """Try a wrong password; return the seconds to wait for it, 0 if it was tried."""
    return Attempt.of(None, name, address, device).start()


def test_the_wait_after_five_failures_doubles_up_to_a_quarter_of_an_hour(later: Later) -> None:
    assert [fails() for _ in range(6)] == [0, 0, 0, 0, 0, 15]
    for wait in (15, 30, 60, 120, 240, 480, 900, 900):
        assert (fails(), fails()) == (wait, wait)
        later(wait)
        assert fails() == 0


def test_the_wait_ends_and_an_attempt_during_it_does_not_prolong_it(later: Later) -> None:
    for _ in range(5):
        fails()
    later(10)
    assert [fails() for _ in range(50)] == [5] * 50
    later(5)
    assert fails() == 0


def test_failures_elsewhere_for_other_names_and_in_a_known_browser_count_apart(later: Later) -> None:
    while not fails():
        pass
    assert fails(address=ELSEWHERE) == 0
    assert fails(name="rosa") == 0
    assert fails(device="browser") == 0
    assert fails(name="Ravi") > 0


def test_a_known_browser_has_a_wait_of_its_own(later: Later) -> None:
    assert [fails(device="browser") for _ in range(6)] == [0, 0, 0, 0, 0, 15]


def test_a_success_forgets_the_failures_of_the_account(later: Later) -> None:
    for _ in range(4):
        fails()
    right = Attempt.of(None, "ravi", HERE, "")
    assert right.start() == 0
    right.succeed()
    assert [fails() for _ in range(6)] == [0, 0, 0, 0, 0, 15]


def test_the_account_and_not_the_name_typed_is_counted(later: Later) -> None:
    ravi = User(pk=7, username="ravi")
    while not Attempt.of(ravi, "ravi", HERE, "").start():
        pass
    assert Attempt.of(ravi, "ravi@example.org", HERE, "").start() > 0


def test_an_address_has_two_hundred_failures_in_ten_minutes_and_any_number_of_successes(later: Later) -> None:
    for n in range(500):
        right = Attempt.of(None, f"person{n}", HERE, "")
        assert right.start() == 0
        right.succeed()
    assert [fails(name=f"name{n}") for n in range(202)] == [0] * 200 + [595] * 2
    assert fails(name="name201", address=ELSEWHERE) == 0
    assert fails(name="name201", device="browser") == 0
    later(595)
    assert fails(name="name201") == 0


def test_the_addresses_of_one_ipv6_network_are_one(later: Later) -> None:
    while not fails(address="2001:db8:1:2::1"):
        pass
    assert fails(address="2001:db8:1:2:3::9") > 0
    assert fails(address="2001:db8:1:3::1") == 0


def test_without_the_cache_everyone_may_sign_in(settings) -> None:
    backend = "annotation.site.tolerant_cache.TolerantRedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "redis://127.0.0.1:1/0"}}
    assert [fails() for _ in range(8)] == [0] * 8


def test_the_counters_work_in_valkey(settings, valkey) -> None:
    backend = "annotation.site.tolerant_cache.TolerantRedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": valkey}}
    assert [fails() for _ in range(5)] == [0] * 5
    assert 13 <= fails() <= 15
    right = Attempt.of(None, "rosa", HERE, "")
    assert right.start() == 0
    right.succeed()
    assert fails(name="rosa") == 0
