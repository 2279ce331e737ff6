"""Limits on attempts to sign in with a wrong password.

Failures are counted for an account (or a name without one) together with where they come from: a browser in which the
account was signed in before, else the network address. So a stranger's failures do not keep the owner out elsewhere or
in that browser. After five failures each further one has to wait, twice as long each time. All failures of an address
are also counted, with a bound that a lecture hall does not reach. A successful sign-in counts nowhere.

The counters are in the cache; without it, all may sign in.
"""

import hashlib
import ipaddress
import math
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from django.core.cache import cache

from ..models import User

FREE_FAILURES = 4
FIRST_WAIT, LONGEST_WAIT = 15, 15 * 60  # seconds
MEMORY = 24 * 3600  # seconds after the last failure
ADDRESS_FAILURES, ADDRESS_WINDOW = 200, 10 * 60  # failures in as many seconds


@dataclass(frozen=True)
class Attempt:
    """An attempt to sign in. Counted as failed from its start, so that many at once do not pass the count."""

    failures: str
    """Cache key of the number of failures of the account from one source."""
    address_failures: str
    """Cache key of the number of failures from the address; "" for a browser in which the account was signed in."""

    @classmethod
    def of(cls, account: User | None, name: str, address: str, device: str) -> Self:
        """Return the attempt to sign in as `account`, or `name` without an account; `device` "": an unknown browser."""
        who = f"account {account.pk}" if account else f"name {name.lower()}"
        network = _network(address)
        source = f"device {device}" if device else f"address {network}"
        window = int(time.time() // ADDRESS_WINDOW)
        return cls(_key(f"{who} {source}"), "" if device else _key(f"{network} {window}"))

    def start(self) -> int:
        """Count the attempt and return 0, or return the seconds to wait before the next one."""
        if self.address_failures and _increase(self.address_failures, ADDRESS_WINDOW) > ADDRESS_FAILURES:
            _decrease(self.address_failures)
            return ADDRESS_WINDOW - int(time.time() % ADDRESS_WINDOW)
        waits = _increase(self.failures, MEMORY) - FREE_FAILURES - 1
        if waits < 0 or self._is_next(min(FIRST_WAIT * 2 ** min(waits, 10), LONGEST_WAIT)):
            return 0
        self._undo()
        return max(1, math.ceil(cache.get(f"{self.failures}:until", 0) - time.time()))

    def _is_next(self, wait: int) -> bool:
        """Return whether no wait is running; then the next one starts, of `wait` seconds."""
        return cache.add(f"{self.failures}:until", time.time() + wait, wait)

    def _undo(self) -> None:
        _decrease(self.failures)
        if self.address_failures:
            _decrease(self.address_failures)

    def succeed(self) -> None:
        """Forget the failures of the account from this source; those of the address are as before the attempt."""
        self._undo()
        cache.delete_many([self.failures, f"{self.failures}:until"])


def _key(parts: str) -> str:
    return f"sign-in:{hashlib.sha256(parts.encode()).hexdigest()}"


def _network(address: str) -> str:
    """Return the address; of IPv6 its /64 network, all of which one subscriber has."""
    parsed = ipaddress.ip_address(address)
    return str(ipaddress.ip_network(f"{address}/64", strict=False)) if parsed.version == 6 else address


def _increase(key: str, seconds: int) -> int:
    """Count one more, for this long; return the count, 0 while the cache does not answer."""
    cache.add(key, 0, seconds)
    try:
        count = cache.incr(key)
    except ValueError:
        return 0
    cache.touch(key, seconds)
    return count


def _decrease(key: str) -> None:
    with suppress(ValueError):  # it has expired, or the cache does not answer
        cache.decr(key)
