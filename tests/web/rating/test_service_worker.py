"""The service worker of the rating pages, and the list of files that it serves."""

import posixpath
import re
from pathlib import Path

from django.conf import settings
from django.test import Client

from annotation.web.rating.service_worker import FILES

STATIC = Path(settings.BASE_DIR) / "static"
STARTS = {"js/shared/site.js", *(f"js/workspace/{name}.js" for name in ("workspace", "drawer", "bookmarks"))}


def imports_of(name: str) -> set[str]:
    names = re.findall(r'(?:from |import\()"(\.{1,2}/.+?)"', (STATIC / name).read_text())
    return {posixpath.normpath(posixpath.join(posixpath.dirname(name), other)) for other in names}


def test_every_script_that_a_rating_page_fetches_is_in_the_list_of_files():
    needed, fetched = set(), STARTS
    while fetched:
        needed |= fetched
        fetched = {other for name in fetched for other in imports_of(name)} - needed
    assert needed <= set(FILES)
    assert {name for name in FILES if name.endswith(".js")} <= needed
    assert all((STATIC / name).exists() for name in FILES)


def test_the_worker_is_a_script_that_browsers_ask_for_each_time():
    answer = Client().get("/assignments/worker.js")
    assert answer["Content-Type"] == "text/javascript"
    assert answer["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in answer["Content-Security-Policy"]
    assert not answer.cookies and "Service-Worker-Allowed" not in answer  # for what lies beside it, and no more
