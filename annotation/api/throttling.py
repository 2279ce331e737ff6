"""The limit on requests with API tokens. The pages' own requests, such as a rater's saves, have none."""

import math
import time
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.cache import cache
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from ..models import ApiToken
from ..site.database_clock import database_now
from ..site.log_settings import log_attempt

if TYPE_CHECKING:
    from rest_framework.views import APIView

WINDOW = 60  # seconds
HEADERS = "factuary.rate_limit_headers"
"""Key of `request.META` for the headers of the answer."""
PAUSE = 10
"""Seconds after a failure of the cache in which this process does not ask it, so that few requests wait for it."""


class TokenThrottle(BaseThrottle):
    """Count the requests of all tokens of a user in each minute; refuse more than API_REQUESTS_PER_MINUTE with 429.

    The counter is in the cache: while it does not answer, nothing is limited.
    """

    paused_until = 0.0
    """By time.monotonic()."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Return whether the request is within the limit."""
        token, most = request.auth, settings.API_REQUESTS_PER_MINUTE
        if not isinstance(token, ApiToken) or not most or time.monotonic() < TokenThrottle.paused_until:
            return True
        counter: Any = cache  # TolerantRedisCache, behind Django's proxy
        count = counter.count(f"api-requests:{token.user_id}:{int(database_now().timestamp() // WINDOW)}", WINDOW)
        if count is None:
            TokenThrottle.paused_until = time.monotonic() + PAUSE
            return True
        request.META[HEADERS] = {
            "RateLimit-Policy": f'"tokens";q={most};w={WINDOW}',
            "RateLimit": f'"tokens";r={max(0, most - count)};t={_seconds_left()}',
        }
        if count == most + 1:
            log_attempt(f"more requests in a minute than the site allows, last with the token {token.prefix}")
        return bool(count <= most)

    def wait(self) -> float:
        """Return the seconds until the next minute, for Retry-After."""
        return _seconds_left()


def _seconds_left() -> int:
    return math.ceil(WINDOW - database_now().timestamp() % WINDOW)


def add_rate_limit(request: Request, response: HttpResponseBase) -> None:
    """Add what is left of the limit to an answer, in the fields of the IETF's draft "RateLimit header fields"."""
    for name, value in request.META.get(HEADERS, {}).items():
        response[name] = value
