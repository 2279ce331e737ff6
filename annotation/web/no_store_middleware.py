"""No page is stored: after signing out, *Back* shows none. Exception: docs/decisions/offline-rating-pages.md."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import add_never_cache_headers


def never_stored(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return middleware that adds `Cache-Control: no-store` to responses without that header. Copies that a browser
    keeps for *Back* all the same are dropped with the session's cookie.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return middleware
