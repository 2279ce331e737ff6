"""Errors outside the views, such as an unknown address, in the form of the API."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.views import defaults

from ..site.problems import problem_response

SECONDS_TO_WAIT = 5


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 404 (`handler404`): JSON under /api/, a page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.page_not_found(request, exception)
    return problem_response(404, "The API has no such endpoint: see /api/v1/docs/.")


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle 500 (`handler500`): JSON under /api/, a page elsewhere; 503 while the database does not answer."""
    is_database_down = isinstance(sys.exc_info()[1], (OperationalError, InterfaceError))
    response: HttpResponse
    if not request.path.startswith("/api/"):
        response = defaults.server_error(request, "503.html" if is_database_down else "500.html")
    elif is_database_down:
        response = problem_response(503, "The database does not answer. Send the request again.")
    else:
        response = problem_response(500, "The server failed on this request. Its log says where.")
    if is_database_down:
        response.status_code = 503
        response["Retry-After"] = str(SECONDS_TO_WAIT)
    return response
