"""Which addresses webhooks may be sent to: public ones, and those of hosts that the site allows.

A name is resolved once, every address is checked, and the connection is made to a checked address, so that a name
that resolves to another address a moment later reaches nothing else.
"""

import asyncio
import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import httpx2
from django.conf import settings

from ..models.webhooks import MAX_URL_LENGTH, WebhookDelivery

Problem = WebhookDelivery.Problem
_GLOBAL_UNICAST = IPv6Network("2000::/3")
"""Without addresses that contain one of IPv4: mapped (::ffff:0:0/96), compatible (::/96), translated (64:ff9b::/96)."""
_TUNNELS = (IPv6Network("2001::/23"), IPv6Network("2002::/16"))
"""Teredo and 6to4, which contain addresses of IPv4, too, and other special uses."""

_SPECIAL = (
    IPv4Network("192.0.0.0/24"),  # protocol assignments
    IPv4Network("192.31.196.0/24"),  # AS112
    IPv4Network("192.52.193.0/24"),  # AMT
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv4Network("192.175.48.0/24"),  # AS112
    IPv6Network("2620:4f:8000::/48"),  # AS112
    IPv6Network("3fff::/20"),  # documentation
)
"""Of the IANA registries of special purposes: what no single host has, and a version of Python calls global."""


class NotSent(Exception):
    """A request was not sent, or not answered. `.problem` says why."""

    def __init__(self, problem: WebhookDelivery.Problem):
        self.problem = problem
        super().__init__(problem.label)


class UrlError(ValueError):
    """The address of a webhook is not valid; the message says why, and what to do."""


def check_url(url: str) -> None:
    """Raise UrlError unless webhooks can be sent to `url`. A name is resolved only when something is sent."""
    if len(url) > MAX_URL_LENGTH:
        raise UrlError(f"The address is too long: at most {MAX_URL_LENGTH} characters.")
    parsed = parse_url(url)
    if parsed is None or parsed.userinfo or parsed.fragment:
        raise UrlError("Enter an address such as https://example.org/hook, without a user name and without #.")
    if is_allowed(parsed):
        return
    if parsed.scheme != "https":
        raise UrlError("The address must start with https://, unless the site allows its host.")
    if not all(map(is_public, _numeric_addresses(host_of(parsed)))):
        raise UrlError("The address is not public. The site can allow its host (WEBHOOK_ALLOWED_HOSTS).")


def parse_url(url: str) -> httpx2.URL | None:
    """Return the parts of a URL with http or https and a host; None if it is none."""
    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, UnicodeError):
        return None
    is_printable = url.isprintable() and " " not in url
    return parsed if parsed.scheme in ("http", "https") and parsed.host and is_printable else None


def host_of(url: httpx2.URL) -> str:
    """Return the host in the form that is resolved: ASCII, without the brackets of IPv6."""
    return url.raw_host.decode("ascii")


def is_allowed(url: httpx2.URL) -> bool:
    """Return whether the site allows the host at any address, and without TLS."""
    return host_of(url).lower() in {host.lower().strip("[]") for host in settings.WEBHOOK_ALLOWED_HOSTS}


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet that belongs to one host."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv4Address):
        return _is_global(ip)
    return _is_global(ip) and ip in _GLOBAL_UNICAST and not any(ip in network for network in _TUNNELS)


def _is_global(ip: IPv4Address | IPv6Address) -> bool:
    is_special = ip.is_multicast or ip.is_reserved or ip.is_unspecified
    return ip.is_global and not is_special and not any(ip in network for network in _SPECIAL)


async def checked_addresses(url: httpx2.URL) -> list[str]:
    """Return the addresses of the host to connect to, in the resolver's order. Raises NotSent."""
    loop = asyncio.get_running_loop()
    try:
        rows = await loop.getaddrinfo(host_of(url), url.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotSent(Problem.NAME) from None
    addresses = list(dict.fromkeys(str(row[4][0]) for row in rows))
    if not is_allowed(url) and not all(map(is_public, addresses)):
        raise NotSent(Problem.ADDRESS)
    return addresses


def _numeric_addresses(host: str) -> list[str]:
    """Return the address that a host is in any notation (2130706433 and 0x7f.1 are 127.0.0.1), nothing for a name."""
    try:
        rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return []
    return [str(row[4][0]) for row in rows]
