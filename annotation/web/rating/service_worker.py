"""The service worker that opens rating pages again without a network, and the files that these pages need.
Why, and how long pages stay: docs/decisions/offline-rating-pages.md."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_SCRIPT = Path(settings.BASE_DIR) / "static/js/offline/service_worker.js"
_WORKSPACE = "answering article evidence keyboard numbers passage_ranking passages sheet side_panel"
MODULES = [
    *(f"js/workspace/{name}.js" for name in _WORKSPACE.split()),
    *(f"js/offline/{name}.js" for name in ("journal", "outbox")),
    *(f"js/shared/{name}.js" for name in ("api", "protocol", "translate")),
]
"""What workspace.js imports: named in the page, so that the browser fetches all at once."""

_FIRST = ["shared/site", "workspace/workspace"]
_LATER = "bookmarks comment_and_questions conflict_dialog dialogs drawer finish_response key_settings sign_in_dialog"
_OFFLINE = "clear_cache offline_start page_cache prefetch"
FILES = [
    *(f"css/{name}.css" for name in ("base", "beside", "workspace")),
    *(f"js/{name}.js" for name in _FIRST),
    *(f"js/workspace/{name}.js" for name in _LATER.split()),
    *(f"js/offline/{name}.js" for name in _OFFLINE.split()),
    *MODULES,
]
"""Everything that a rating page fetches, at once or later."""


@cache_control(no_cache=True)
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker's script. Its address limits it to the rating pages. It holds nothing about a person
    and needs no session, because a browser fetches it by itself."""
    return HttpResponse(_SCRIPT.read_bytes(), content_type="text/javascript")


@cache
def files_version() -> str:
    """Return a short name for the files' contents: it changes as soon as one file changes."""
    return sha256(" ".join(static(name) for name in FILES).encode()).hexdigest()[:8]
