"""Replies of other servers to HTTP requests, whatever these send, and however slowly: bounded in size and time."""

import asyncio
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2


class ReplyTooLarge(Exception):
    """A reply is larger than `max_size` bytes."""

    def __init__(self, max_size: int) -> None:
        super().__init__(f"the reply is larger than {max_size // 1_000_000} MB")


class BoundedTransport(httpx2.AsyncHTTPTransport):
    """Reads each reply, decompressed, up to its greatest size in bytes. Follows no redirects."""

    def __init__(self, url: httpx2.URL, max_size: int, **options: Any) -> None:
        super().__init__(**{"proxy": _proxy_for(url), **options})
        self._max_size = max_size

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        reply = await super().handle_async_request(request)
        body = bytearray()
        try:
            async for chunk in reply.aiter_bytes():
                body += chunk
                if len(body) > self._max_size:
                    raise ReplyTooLarge(self._max_size)
        finally:
            await reply.aclose()
        headers = reply.headers.copy()
        headers.pop("content-encoding", None)  # the body is decompressed
        return httpx2.Response(reply.status_code, headers=headers, content=bytes(body))


def fetch(request: httpx2.Request, *, max_size: int, seconds: float, **options: Any) -> httpx2.Response:
    """Send one request and return the whole reply. `options` are those of httpx's transport.

    Raises TimeoutError if it takes more than these seconds for all of it: the limit of a socket holds for each read,
    and a byte now and then keeps it from ever ending. Raises ReplyTooLarge or httpx2.TransportError.
    """

    async def send() -> httpx2.Response:
        try:
            async with asyncio.timeout(seconds), BoundedTransport(request.url, max_size, **options) as transport:
                return await transport.handle_async_request(request)
        except TimeoutError:
            raise TimeoutError(f"no complete reply within {seconds:g} s") from None

    # In a thread of its own, because a thread that has an event loop cannot run another one.
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, send()).result()


def _proxy_for(url: httpx2.URL) -> str | None:
    """Return the proxy that the environment names for the address: httpx looks for none beside a transport."""
    proxies = urllib.request.getproxies()
    return None if urllib.request.proxy_bypass(url.host) else proxies.get(url.scheme) or proxies.get("all")
