"""Limits on wrong passwords, by their counters."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from annotation.accounts import sign_in_limits
from annotation.accounts.sign_in_limits import Attempt, delete_expired_counters, use_code
from annotation.models import SignInCounter, User
from annotation.site.database_clock import database_now
from tests.database_time import set_database_time

pytestmark = pytest.mark.django_db
HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"
Later = Callable[[float], None]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Return a function that advances the clock by seconds."""
    clock = [database_now()]
    set_database_time(monkeypatch, clock[0])

    def advance(seconds: float) -> None:
        clock[0] += timedelta(seconds=seconds)
        set_database_time(monkeypatch, clock[0])

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
    assert [fails() for _ in range(9)] == [5] * 9
    later(5)
    assert fails() == 0


def test_failures_elsewhere_for_other_names_and_in_a_known_browser_count_apart(later: Later) -> None:
    while not fails():
        pass
    assert fails(address=ELSEWHERE) == 0
    assert fails(name="rosa") == 0
    assert fails(name="Ravi") > 0
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


def test_an_address_has_two_hundred_failures_in_ten_minutes_and_any_number_of_successes(
    later: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sign_in_limits.ADDRESS_FAILURES == 200
    monkeypatch.setattr(sign_in_limits, "ADDRESS_FAILURES", 5)
    for n in range(12):
        right = Attempt.of(None, f"person{n}", HERE, "")
        assert right.start() == 0
        right.succeed()
    assert [fails(name=f"name{n}") for n in range(9)] == [0] * 5 + [600] * 4
    assert SignInCounter.objects.count() == 6  # an address that waits adds none
    assert fails(name="name9", address=ELSEWHERE) == 0
    assert fails(name="name9", device="browser") == 0
    later(600)
    assert fails(name="name9") == 0


@pytest.mark.parametrize(
    ("address", "same", "another"),
    [("2001:db8:1:2::1", "2001:db8:1:2:3::9", "2001:db8:1:3::1"), (f"::ffff:{HERE}", HERE, f"::ffff:{ELSEWHERE}")],
)
def test_the_addresses_of_one_ipv6_network_are_one_and_an_ipv4_address_written_as_ipv6_is_the_same(
    later: Later, address: str, same: str, another: str
) -> None:
    while not fails(address=address):
        pass
    assert fails(address=same) > 0
    assert fails(address=another) == 0


def test_the_limits_hold_while_the_cache_does_not_answer(settings: Any, later: Later) -> None:
    backend = "annotation.site.tolerant_cache.TolerantRedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "redis://127.0.0.1:1/0"}}
    assert [fails() for _ in range(6)] == [0, 0, 0, 0, 0, 15]
    assert [use_code(User(pk=7), "123456", timedelta(seconds=90)) for _ in range(2)] == [True, False]


def test_a_code_is_used_once_by_its_user_while_it_is_right(later: Later) -> None:
    life = timedelta(seconds=90)
    assert [use_code(User(pk=pk), code, life) for pk, code in ((7, "1"), (7, "2"), (8, "1"), (7, "1"))] == [
        True, True, True, False,
    ]  # fmt: skip
    later(89)
    assert not use_code(User(pk=7), "1", life)
    later(1)
    assert use_code(User(pk=7), "1", life)


def test_expired_counters_are_deleted_and_name_neither_account_nor_address(later: Later) -> None:
    fails()
    assert {len(counter.key) for counter in SignInCounter.objects.all()} == {64}
    later(600)
    delete_expired_counters()
    assert SignInCounter.objects.count() == 2
    later(1)
    delete_expired_counters()
    assert SignInCounter.objects.count() == 1
    later(24 * 3600)
    delete_expired_counters()
    assert not SignInCounter.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_many_attempts_at_once_do_not_pass_the_count() -> None:
    waits: list[int] = []

    def attempt() -> None:
        waits.append(fails())
        connection.close()

    threads = [threading.Thread(target=attempt) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(wait > 0 for wait in waits) == [False] * 5 + [True] * 7
