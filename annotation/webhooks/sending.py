"""Send one request to a receiver: to a checked address, without redirects or a proxy, within a limit of time.

Of the answer only its status is read; the connection is closed before its body.
"""

import asyncio
import base64
import hashlib
import hmac
import secrets
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import httpx2

from ..models import WebhookDelivery
from .addresses import NotSent, checked_addresses, host_of, is_allowed, parse_url

Problem = WebhookDelivery.Problem
TIME_LIMIT = 15.0
"""Seconds for all: the name, the connection, the request, and the head of the answer."""
CONNECT_LIMIT = 5.0
"""Seconds for the connection to one address of several."""


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send the body and return the status of the answer, also of a redirect. Raises NotSent."""
    # In a thread of its own, because a thread that has an event loop cannot run another one.
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, _post_in_time(url, body, headers)).result()


async def _post_in_time(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    try:
        async with asyncio.timeout(TIME_LIMIT):
            return await _post(url, body, headers)
    except (TimeoutError, httpx2.TimeoutException):
        raise NotSent(Problem.TIMEOUT) from None
    except (httpx2.HTTPError, OSError) as error:
        raise NotSent(Problem.CERTIFICATE if _is_tls(error) else Problem.UNREACHABLE) from None


async def _post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    parsed = parse_url(url)
    if parsed is None or not (parsed.scheme == "https" or is_allowed(parsed)):
        raise NotSent(Problem.URL)
    addresses = await checked_addresses(parsed)
    timeout = httpx2.Timeout(TIME_LIMIT, connect=CONNECT_LIMIT)
    async with httpx2.AsyncClient(timeout=timeout, trust_env=False, verify=ssl.create_default_context()) as client:
        for address in addresses[:-1]:
            try:
                return await _post_to(client, parsed, address, body, headers)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return await _post_to(client, parsed, addresses[-1], body, headers)


async def _post_to(
    client: httpx2.AsyncClient, url: httpx2.URL, address: str, body: bytes, headers: Mapping[str, str]
) -> int:
    """Connect to `address`; host name and certificate are those of the URL."""
    stream = client.stream(
        "POST",
        url.copy_with(host=address),
        content=body,
        headers={**headers, "host": url.netloc.decode("ascii")},
        follow_redirects=False,
        extensions={"sni_hostname": host_of(url)},
    )
    async with stream as response:
        return response.status_code


def _is_tls(error: BaseException | None) -> bool:
    """Return whether an error of TLS is the cause."""
    while error is not None and not isinstance(error, ssl.SSLError):
        error = error.__cause__ or error.__context__
    return error is not None


# Secrets and signatures are those of Standard Webhooks 1.0: https://www.standardwebhooks.com.
PREFIX = "whsec_"
SECRET_BYTES = 32
"""The specification asks for 24 to 64."""


def new_secret() -> str:
    """Return a new random secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signed_headers(secret: str, delivery_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of a request with this body. `timestamp`: of this attempt, in seconds since 1970."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signature = hmac.digest(key, f"{delivery_id}.{timestamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": delivery_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }
