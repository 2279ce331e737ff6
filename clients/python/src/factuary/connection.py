"""Requests to a site, each with a bounded number of attempts and, if it changes something, one idempotency key."""

import email.utils
import json
import random
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

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
        self._http.close()

    def json(self, method: str, path: str, **content: Any) -> Any:
        """Return the JSON of the answer to a request, None where it has none. `content`: that of `send`."""
        response = self.send(method, path, **content)
        if not response.content:
            return None
        try:
            return response.json()
        except ValueError:
            message = f"{response.url} did not answer with JSON: is this the address of a Factuary site?"
            raise AnswerError(message) from None

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
            # The token is sent to no other site, whatever the address in an answer says.
            httpx2.URL(urljoin(ROOT, path)).raw_path.decode("ascii"),
            params={name: value for name, value in query.items() if value is not None} if query else None,
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
            status = response.status_code
            if status < 300:
                return response
            if status < 400:  # not followed: the token would go to another address
                location = response.headers.get("Location", "another address")
                message = f"{response.url} redirects to {location} ({status}): give the address of the site itself"
                raise AnswerError(message)
            is_carried_out = status == 409 and "Retry-After" in response.headers
            wait = _wait(response, attempt)
            if attempt == ATTEMPTS or wait > MAX_RETRY_AFTER or not (status in REPEATED or is_carried_out):
                raise error_of(response)
            self.sleep(wait)
        raise AssertionError("the last attempt returns or raises")


def file_of(path: str | Path) -> File:
    """Return the name and the content of a file."""
    return Path(path).name, Path(path).read_bytes()


def form_of(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a form without those that are None; what is no text is JSON."""
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
    return {name: text for name, text in texts.items() if values[name] is not None}


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
