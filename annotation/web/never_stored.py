"""No page stays in a browser or a proxy: after signing out, *Back* shows nothing that somebody else has seen there."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import add_never_cache_headers


def never_stored(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: `Cache-Control: no-store` on every answer that says nothing about it itself. Such a page is not kept
    whole for *Back* either (the browsers' back/forward cache)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return middleware
