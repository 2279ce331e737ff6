"""Requests to a site, each with a bounded number of attempts and, if it changes something, one idempotency key."""

import email.utils
import random
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx2

from .errors import AnswerError, UnreachableError, error_of

ROOT = "/api/v1/"
ATTEMPTS = 6
MAX_WAIT = 30.0
"""Seconds between two attempts at most, where there is no `Retry-After`."""
MAX_RETRY_AFTER = 300.0
"""Seconds of `Retry-After` at most: where a site asks for a longer wait, its error is raised."""
REPEATED = {429, 502, 503, 504}
"""Status codes after which a request is sent again."""

Query = Mapping[str, Any]
Primitive = str | int | float | bool | None
File = tuple[str, bytes]
"""Name and content."""


class Connection:
    """A site, the token, and how requests are sent. `sleep` waits a number of seconds."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        timeout: float = 60.0,
        transport: httpx2.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        headers = {"Authorization": f"Token {token}", "Accept": "application/json"}
        self.address = address.rstrip("/")
        self._http = httpx2.Client(base_url=self.address, headers=headers, timeout=timeout, transport=transport)
        self.sleep = sleep

    def close(self) -> None:
        """Close the network connections."""
        self._http.close()

    def get(self, path: str, query: Query | None = None) -> Any:
        """Return the JSON of an answer."""
        return _json(self.send("GET", path, query=query))

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send a body and return the JSON of the answer."""
        return _json(self.send("POST", path, json=body))

    def put(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send a body and return the JSON of the answer."""
        return _json(self.send("PUT", path, json=body))

    def patch(self, path: str, body: Mapping[str, Any], *, match: str | None = None) -> Any:
        """Send changes and return the JSON of the answer. `match`: the entity tag that must still be right."""
        return _json(self.send("PATCH", path, json=body, match=match))

    def delete(self, path: str, query: Query | None = None) -> Any:
        """Delete what is at the path and return the JSON of the answer."""
        return _json(self.send("DELETE", path, query=query))

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        json: Mapping[str, Any] | None = None,
        form: Mapping[str, str] | None = None,
        files: Sequence[File] = (),
        match: str | None = None,
    ) -> httpx2.Response:
        """Return the answer to a request; `path` is below /api/v1/, or an address that an answer had.

        Raises ApiError for a refused request, AnswerError for a redirect, UnreachableError if no attempt was answered.
        """
        headers = {} if match is None else {"If-Match": match}
        if method not in ("GET", "HEAD"):
            headers["Idempotency-Key"] = str(uuid.uuid4())
        request = self._http.build_request(
            method,
            self._path(path),
            params=_parameters(query) if query else None,
            json=json,
            data=form,
            files=[("upload", file) for file in files] or None,
            headers=headers,
        )
        for attempt in range(1, ATTEMPTS + 1):
            try:
                response = self._http.send(request)
            except httpx2.TransportError as error:
                if attempt == ATTEMPTS:
                    raise UnreachableError(f"{self.address} does not answer: {error}") from error
                self.sleep(_backoff(attempt))
                continue
            if response.status_code < 300:
                return response
            if response.status_code < 400:
                raise _redirected(response)
            wait = _wait(response, attempt)
            if attempt == ATTEMPTS or not _is_worth_another_attempt(response) or wait > MAX_RETRY_AFTER:
                raise error_of(response)
            self.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _path(self, path: str) -> str:
        """Return path and query of an address: the token is sent to no other site, whatever an answer says."""
        if "://" in path:
            return httpx2.URL(path).raw_path.decode("ascii")
        return path if path.startswith("/") else ROOT + path


def _redirected(response: httpx2.Response) -> AnswerError:
    """Return the error of a redirect, which is not followed: the token would go to another address."""
    location = response.headers.get("Location", "another address")
    return AnswerError(
        f"{response.url} redirects to {location} ({response.status_code}): give the address of the site itself"
    )


def _json(response: httpx2.Response) -> Any:
    if response.status_code == 204 or not response.content:
        return None
    try:
        return response.json()
    except ValueError:
        raise AnswerError(f"{response.url} did not answer with JSON: is this the address of a Factuary site?") from None


def _parameters(query: Query) -> list[tuple[str, Primitive]]:
    """Return the parameters without those that are None; a list gives one parameter for each value."""
    pairs: list[tuple[str, Primitive]] = []
    for name, value in query.items():
        values = value if isinstance(value, list | tuple) else [value]
        pairs += [(name, _text(each)) for each in values if each is not None]
    return pairs


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_worth_another_attempt(response: httpx2.Response) -> bool:
    """Return whether the same request may succeed later; 409 with Retry-After: it is being carried out."""
    return response.status_code in REPEATED or (response.status_code == 409 and "Retry-After" in response.headers)


def _backoff(attempt: int) -> float:
    return random.uniform(0.5, 1.0) * min(MAX_WAIT, 2.0 ** (attempt - 2))  # noqa: S311 -- spreads requests


def _wait(response: httpx2.Response, attempt: int) -> float:
    """Return the seconds of Retry-After (a number or a date), otherwise those of the backoff."""
    text = response.headers.get("Retry-After", "")
    if text.isdecimal():
        return float(text)
    try:
        until = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return _backoff(attempt)
    return max(0.0, until.timestamp() - time.time())
