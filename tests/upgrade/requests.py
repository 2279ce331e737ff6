"""Requests as the pages of 0.7.1 send them, without a browser."""

from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tests.upgrade.answers import shape_of

SECONDS = 60
Cookies = list[dict[str, Any]]


@dataclass(frozen=True)
class Answer:
    status: int
    content_type: str
    body: bytes

    @property
    def shape(self) -> Any:
        """Return the shape of the body; None for a redirect."""
        return None if 300 <= self.status < 400 else shape_of(self.content_type, self.body)


class NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *arguments: object) -> None:
        return None


def send(
    site: str, method: str, path: str, cookies: Cookies, headers: dict[str, str] | None = None, body: str | None = None
) -> Answer:
    """Send a request with a browser's cookies, and the CSRF token among them."""
    values = {cookie["name"]: cookie["value"] for cookie in cookies}
    all_headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in values.items()), "Origin": site}
    all_headers |= {"X-CSRFToken": values.get("factuary_csrf", ""), **(headers or {})}
    if body is not None:
        all_headers["Content-Type"] = "application/json"
    request = Request(site + path, None if body is None else body.encode(), all_headers, method=method)
    try:
        answer = build_opener(NoRedirect).open(request, timeout=SECONDS)
    except HTTPError as error:
        answer = error
    with answer:
        return Answer(answer.status, answer.headers.get("Content-Type", ""), answer.read())
