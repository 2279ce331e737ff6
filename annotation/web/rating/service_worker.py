"""The service worker that reopens rating pages offline, and the files that these pages need. Reasons, and how long
pages are stored: docs/decisions/offline-rating-pages.md."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_STATIC = Path(settings.BASE_DIR) / "static"
_SCRIPT = _STATIC / "js/offline/service_worker.js"
_OTHER_PAGES = {"service_worker", "copy_button"}
MODULES = [
    f"js/{name}.js"
    for name in (
        *("workspace/answering", "workspace/evidence", "workspace/keyboard", "workspace/numbers"),
        *("workspace/passage_ranking", "workspace/passages", "workspace/sheet", "workspace/side_panel"),
        *("offline/journal", "offline/outbox", "shared/api", "shared/protocol", "shared/translate"),
    )
]
"""Imports of workspace.js, named in the page so that the browser fetches them in parallel."""

FILES = [
    *(f"css/{name}.css" for name in ("base", "drawer", "workspace")),
    *(
        path.relative_to(_STATIC).as_posix()
        for folder in ("workspace", "offline", "shared")
        for path in sorted((_STATIC / "js" / folder).glob("*.js"))
        if path.stem not in _OTHER_PAGES
    ),
]
"""All files that a rating page fetches, at once or later."""


@login_not_required
@cache_control(no_cache=True)
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker's script. Its address limits it to the rating pages. It contains no personal data and
    needs no session, because a browser fetches it by itself."""
    return HttpResponse(_SCRIPT.read_bytes(), content_type="text/javascript")


@cache
def files_version() -> str:
    """Return a short name for the files' contents: it changes as soon as one file changes."""
    return sha256(" ".join(static(name) for name in FILES).encode()).hexdigest()[:8]
