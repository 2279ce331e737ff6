"""The log of requests: a line for each, and the request's id in every line that is logged meanwhile.

The id is in the answer's header X-Request-ID, and goes with the jobs that the request starts (tasks/app.py). Logged are
the method, the path without its query (which may hold what people search for, or a sign-in code), the address's
pattern, the status, the time, and the number of the account; no IP address and no browser.
"""

import logging
import time
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponseBase
from django.utils.functional import LazyObject
from django_structlog.middlewares import RequestMiddleware

log = structlog.get_logger("annotation.requests")

HEALTH = "/health/"


class RequestLog(RequestMiddleware):
    """Log requests with django-structlog's context, but without queries, IP addresses and browsers."""

    def prepare(self, request: HttpRequest) -> None:
        """Bind a new id to everything that is logged until the answer."""
        structlog.contextvars.clear_contextvars()
        request.__dict__["started_at"] = time.perf_counter()
        super().prepare(request)

    def process_view(self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object) -> None:
        """Bind the pattern of the address."""
        if request.resolver_match:
            structlog.contextvars.bind_contextvars(route=request.resolver_match.route)

    def handle_response(self, request: HttpRequest, response: HttpResponseBase) -> None:
        """Log the request; health checks only if they fail."""
        response["X-Request-ID"] = structlog.contextvars.get_contextvars().get("request_id", "")
        self.bind_user_id(request)
        milliseconds = round((time.perf_counter() - request.__dict__["started_at"]) * 1000, 1)
        quiet = request.path.startswith(HEALTH) and response.status_code < 500
        level = logging.DEBUG if quiet else logging.INFO
        log.log(level, self.format_request(request), code=response.status_code, ms=milliseconds)
        structlog.contextvars.clear_contextvars()

    @classmethod
    def format_request(cls, request: HttpRequest) -> str:
        """Return the method and the path, without its query."""
        return f"{request.method} {request.path}"

    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """Bind the number of the account if it was looked up: the log needs no query of its own."""
        user = getattr(request, "user", None)
        if isinstance(user, LazyObject):
            user = getattr(request, "_cached_user", None)
        if user is not None and user.pk:
            structlog.contextvars.bind_contextvars(user=user.pk)

    def process_got_request_exception(self, sender: type, request: HttpRequest, **kwargs: object) -> None:
        """Leave the traceback to Django's log, whose lines have the request's id too."""
