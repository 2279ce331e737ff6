"""Limits on attempts to sign in with a wrong password or code.

Failures are counted for an account (or a name without one) together with where they come from: a browser in which the
account was signed in before, else the network address. So a stranger's failures do not keep the owner out elsewhere or
in that browser. After five failures each further one has to wait, twice as long each time. All failures of an address
are also counted, with a bound that a lecture hall does not reach. A successful sign-in counts nowhere.

The counters are rows of the database, so that they hold while the cache does not answer.
"""

import ipaddress
import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from ..models import SignInCounter, User
from ..models.user_names import name_key
from ..site.database_clock import database_now

FREE_FAILURES = 4
FIRST_WAIT, LONGEST_WAIT = 15, 15 * 60  # seconds
MEMORY = timedelta(days=1)
"""How long the failures of an account are counted, from the last one on."""
ADDRESS_FAILURES, ADDRESS_WINDOW = 200, timedelta(minutes=10)


@dataclass(frozen=True)
class Attempt:
    """An attempt to sign in. Counted as failed from its start, so that many at once do not pass the count."""

    failures: str
    """Key of the number of failures of the account from one source."""
    address_failures: str
    """Key of the number of failures from the address; "" for a browser in which the account was signed in."""

    @classmethod
    def of(cls, account: User | None, name: str, address: str, device: str) -> Self:
        """Return the attempt to sign in as `account`, or `name` without an account; `device` "": an unknown browser."""
        subject = f"account {account.pk}" if account else f"name {name_key(name)}"
        if device:
            return cls(_key(f"{subject} device {device}"), "")
        network = _network(address)
        return cls(_key(f"{subject} address {network}"), _key(network))

    @classmethod
    def of_signed_in(cls, user: User, step: str) -> Self:
        """Return an attempt at a later step, such as "second factor", by this user. Addresses do not count."""
        return cls(_key(f"account {user.pk} {step}"), "")

    @transaction.atomic
    def start(self) -> int:
        """Count the attempt and return 0, or return the seconds to wait before the next one."""
        now = database_now()
        # Asked without a lock, so that an address that has to wait adds no counters.
        rows = SignInCounter.objects.filter(key=self.address_failures, count__gte=ADDRESS_FAILURES, expires_at__gt=now)
        ends = rows.values_list("expires_at", flat=True).first()
        if wait := _seconds(ends - now) if ends else 0:
            return wait
        account = _locked(self.failures, now, MEMORY)
        address = _locked(self.address_failures, now, ADDRESS_WINDOW) if self.address_failures else None
        if address and address.count >= ADDRESS_FAILURES:
            return _seconds(address.expires_at - now)
        if account.wait_until and account.wait_until > now:
            return _seconds(account.wait_until - now)
        account.count += 1
        account.expires_at = now + MEMORY
        if (waits := account.count - FREE_FAILURES - 1) >= 0:
            account.wait_until = now + timedelta(seconds=min(FIRST_WAIT * 2 ** min(waits, 10), LONGEST_WAIT))
        account.save()
        if address:
            address.count += 1
            address.save()
        return 0

    @transaction.atomic
    def succeed(self) -> None:
        """Forget the failures of the account from this source; those of the address are as before the attempt."""
        SignInCounter.objects.filter(key=self.failures).delete()
        SignInCounter.objects.filter(key=self.address_failures, count__gt=0).update(count=F("count") - 1)


@transaction.atomic
def use_code(user: User, code: str, lifetime: timedelta) -> bool:
    """Return whether the user uses this code for the first time in its lifetime, and record that it is used."""
    used = _locked(_key(f"account {user.pk} code {code}"), database_now(), lifetime)
    used.count += 1
    used.save()
    return used.count == 1


def delete_expired_counters() -> None:
    SignInCounter.objects.filter(expires_at__lt=database_now()).delete()


def _locked(key: str, now: datetime, period: timedelta) -> SignInCounter:
    """Return the counter, locked; its count is 0 if it is new or has expired. Lock an account's before an address's."""
    rows = SignInCounter.objects.select_for_update()
    row, _created = rows.get_or_create(key=key, defaults={"expires_at": now + period})
    if row.expires_at <= now:
        row.count, row.wait_until, row.expires_at = 0, None, now + period
    return row


def _seconds(wait: timedelta) -> int:
    return max(1, math.ceil(wait.total_seconds()))


def _key(source: str) -> str:
    return salted_hmac("annotation.accounts.sign_in_limits", source, algorithm="sha256").hexdigest()


def _network(address: str) -> str:
    """Return the address; of IPv6 its /64 network, all of which one subscriber has, unless it is one of IPv4."""
    parsed = ipaddress.ip_address(address)
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network(f"{address}/64", strict=False))
