"""htmx requests a part of a page, but a redirect, such as to the sign-in page, would return a whole one."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase


def no_redirect(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return middleware that answers htmx with 409 instead of a redirect, so that the page's part stays the same."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.headers.get("HX-Request") and response.has_header("Location"):
            response.status_code = 409
            del response["Location"]
        return response

    return middleware
