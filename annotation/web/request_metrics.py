"""Metrics of the requests: by view, method and status (django-prometheus), and of the raters' work."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from ..site.metrics import FINISHED, NEXT_WORK, SAVES

NEXT_WORK_VIEWS = {"api_next_work", "rate"}


def measure_work(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return middleware that measures saves, requests for next work and finished responses."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        response = get_response(request)
        view = request.resolver_match.view_name if request.resolver_match else ""
        code, seconds = str(response.status_code), time.perf_counter() - started
        if view == "api_answer":
            SAVES.labels(code).observe(seconds)
        elif view in NEXT_WORK_VIEWS:
            NEXT_WORK.labels(code).observe(seconds)
        elif view == "api_finish":
            FINISHED.labels(code).inc()
        return response

    return middleware
