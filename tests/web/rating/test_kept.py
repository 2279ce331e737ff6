"""What a browser keeps of the rating pages: the worker, and the list of files."""

import re
from pathlib import Path

from django.conf import settings
from django.test import Client

from annotation.web.rating.service_worker import FILES

STATIC = Path(settings.BASE_DIR) / "static"
STARTS = {"js/site.js", "js/beside.js", "js/rating.js", "js/drawer.js", "js/pile.js"}


def imports_of(name: str) -> set[str]:
    return {f"js/{found}" for found in re.findall(r'(?:from |import\()"\./(.+?)"', (STATIC / name).read_text())}


def test_every_script_that_a_rating_page_fetches_is_kept() -> None:
    needed, found = set(), STARTS
    while found:
        needed |= found
        found = {other for name in found for other in imports_of(name)} - needed
    assert needed <= set(FILES)
    assert {name for name in FILES if name.endswith(".js")} <= needed
    assert all((STATIC / name).exists() for name in FILES)


def test_the_worker_is_a_script_that_browsers_ask_for_each_time() -> None:
    answer = Client().get("/assignments/worker.js")
    assert answer["Content-Type"] == "text/javascript"
    assert answer["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in answer["Content-Security-Policy"]
    assert not answer.cookies and "Service-Worker-Allowed" not in answer  # for what lies beside it, and no more
