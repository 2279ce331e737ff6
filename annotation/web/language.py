"""The language of the pages: the user's choice, else the browser's language, else English.

Only texts that raters read are translated. Pages of leads and admins are English, with English numbers and dates: what
they show is published in English.
"""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from ..i18n.english import ENGLISH

IN_ENGLISH = tuple(
    f"annotation.web.{name}"
    for name in (
        "accessibility_statement", "accounts.erasure", "accounts.people", "datasets", "exports", "generation", "jobs",
        "judging", "operation", "projects", "protocols", "reports", "review",
    )
)  # fmt: skip
"""The modules of pages for leads and admins. `for_raters` marks the pages among them that raters read, too."""

# The choice is a cookie and changes no stored data, so its form needs no CSRF token: pages for readers without an
# account set no other cookie.
choose_language = login_not_required(csrf_exempt(require_POST(set_language)))


def for_raters(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Mark a view of a module for leads whose page is in the reader's language."""
    view.is_for_raters = True  # type: ignore[attr-defined]
    return view


class EnglishPages:
    """Middleware that activates English for the pages of leads and admins."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., HttpResponseBase], *arguments: Any) -> None:
        if view.__module__.startswith(IN_ENGLISH) and not getattr(view, "is_for_raters", False):
            translation.activate(ENGLISH)
