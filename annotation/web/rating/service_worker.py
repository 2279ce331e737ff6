"""What a browser keeps of the rating pages, to open them again without a network: the worker that gives what is kept,
and the files that the pages are made of. Why and for how long: docs/decisions/offline-rating-pages.md."""

from functools import cache
from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_ARTICLE = ["article", "evidence", "numbers", "passages", "ranking"]
_ANSWERS = ["answering", "calls", "journal", "keys", "outbox", "protocol", "sentences", "words"]
MODULES = [f"js/{name}.js" for name in _ARTICLE + _ANSWERS]
"""What rating.js imports: named in the page, so that the browser fetches all at once."""

_FIRST = ["beside", "rating", "site"]
_LATER = [
    "ahead",
    "away",
    "dialogs",
    "drawer",
    "finishing",
    "kept",
    "keymap",
    "leaving",
    "pile",
    "settling",
    "sign-in",
    "talk",
]
_STYLES = ["base", "beside", "workspace"]
FILES = [f"css/{name}.css" for name in _STYLES] + [f"js/{name}.js" for name in _FIRST + _LATER] + MODULES
"""Everything that a rating page fetches, at once or later."""


@cache_control(no_cache=True)
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the rating pages. It lies beside them, so that it can answer for no others; it says nothing
    about anybody, so it asks for no session: a browser fetches it on its own account."""
    return render(request, "rating/worker.js", content_type="text/javascript")


@cache
def version_of_files() -> str:
    """A short name for what the files are: another as soon as one of them has changed, as its address has then."""
    return sha256(" ".join(static(name) for name in FILES).encode()).hexdigest()[:8]
