"""The limit on requests with API tokens. The pages' own requests, such as a rater's saves, have none."""

import math
import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from ..models import ApiToken
from ..site.security_log import log_attempt

if TYPE_CHECKING:
    from rest_framework.views import APIView

WINDOW = 60  # seconds


class TokenThrottle(BaseThrottle):
    """Count the requests of all tokens of a user in each minute; refuse more than API_REQUESTS_PER_MINUTE with 429.

    The counter is in the cache: while it does not answer, nothing is limited.
    """

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Return whether the request is within the limit."""
        token, most = request.auth, settings.API_REQUESTS_PER_MINUTE
        if not isinstance(token, ApiToken) or not most:
            return True
        key = f"api-requests:{token.user_id}:{int(time.time() // WINDOW)}"
        cache.add(key, 0, WINDOW)
        try:
            count = cache.incr(key)
        except ValueError:  # the cache does not answer
            return True
        if count == most + 1:
            log_attempt(f"more requests in a minute than the site allows, last with the token {token.prefix}")
        return count <= most

    def wait(self) -> float:
        """Return the seconds until the next minute, for Retry-After."""
        return math.ceil(WINDOW - time.time() % WINDOW)
