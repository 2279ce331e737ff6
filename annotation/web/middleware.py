"""Middleware of the pages."""

import logging
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from .. import pseudonyms
from ..audit import record_view_of_names
from ..reporting.computation_limit import SECONDS_TO_WAIT, TooManyComputationsError, limited_computations
from ..site.disk_space import is_full_disk
from ..site.problems import problem_response

log = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class LoginRequired(LoginRequiredMiddleware):
    """Require signing in for every view without `login_not_required`, and load no session for the others: a health
    check needs no database, and public pages do not vary by cookie.
    """

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[object, ...],
        view_kwargs: dict[str, object],
    ) -> HttpResponseBase | None:
        if not getattr(view_func, "login_required", True):
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)

    def handle_no_permission(
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseRedirect:
        """Redirect to the sign-in page. After a post, signing in leads to the page with the form: the address of the
        post may not answer GET.
        """
        if request.method in ("GET", "HEAD"):
            return super().handle_no_permission(request, view_func)
        return redirect_to_login(_page_of_form(request), self.get_login_url(view_func))


def _page_of_form(request: HttpRequest) -> str:
    """Return the page of this site from which a form was sent; the home page if the browser does not name it."""
    page = request.headers.get("Referer", "")
    is_safe = url_has_allowed_host_and_scheme(page, request.get_host(), require_https=request.is_secure())
    return page if is_safe else resolve_url("home")


def never_stored(get_response: GetResponse) -> GetResponse:
    """Return middleware that adds `Cache-Control: no-store` to responses without that header: after signing out, *Back*
    shows no page. Copies that a browser keeps are also dropped with the session's cookie. Exception:
    docs/decisions/offline-rating-pages.md.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return middleware


def api_over_https(get_response: GetResponse) -> GetResponse:
    """Return middleware that refuses the API over http, where the site redirects: a program would go on to send its
    token in clear text with every request, and nobody would notice.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if settings.SECURE_SSL_REDIRECT and request.path.startswith("/api/") and not request.is_secure():
            return problem_response(403, _("The API is served over https only."))
        return get_response(request)

    return middleware


def no_redirect(get_response: GetResponse) -> GetResponse:
    """Return middleware that answers htmx with 409 instead of a redirect, such as to the sign-in page: htmx requests a
    part of a page, and the part stays the same.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.headers.get("HX-Request") and response.has_header("Location"):
            response.status_code = 409
            del response["Location"]
        return response

    return middleware


def hidden_names(get_response: GetResponse) -> GetResponse:
    """Return middleware that ends the pseudonyms of a request with it, and records when an admin has seen the names of
    raters that a project hides.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        pseudonyms.reset()
        try:
            response = get_response(request)
            if response.status_code == HTTPStatus.OK:
                for viewer, project in pseudonyms.disclosed():
                    record_view_of_names(viewer, project)
            return response
        finally:
            pseudonyms.reset()

    return middleware


class WaitForComputations:
    """Limit the computations of requests; above the limit, answer 503 with a page that loads the address again.

    htmx, which requests a part of a page, gets no page: live_parts.js requests the part again, and a form that updates
    a part loads its page (htmx_fallback.js).
    """

    def __init__(self, get_response: GetResponse):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with limited_computations():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, TooManyComputationsError):
            return None
        if request.headers.get("HX-Request"):
            return HttpResponse(status=503, headers={"Retry-After": str(SECONDS_TO_WAIT)})
        response = render(request, "computing.html", status=503)
        response["Retry-After"] = response["Refresh"] = str(SECONDS_TO_WAIT)
        return response


class ReportFullDisk:
    """If a file cannot be stored because the disk is full, answer 507 with a page, or JSON, that says so."""

    def __init__(self, get_response: GetResponse):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not is_full_disk(exception):
            return None
        log.error("the disk is full: %s", exception)
        if request.path.startswith("/api/"):
            return problem_response(507, _("The disk of the server is full, so nothing was stored."))
        return render(request, "507.html", status=507)
