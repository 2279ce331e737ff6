"""axe finds nothing on any page, in light and in dark, and no page scrolls sideways on a phone."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.db import transaction
from playwright.sync_api import Page

from annotation import reporting
from annotation.assigning.guidelines import publish
from annotation.assigning.queue import take_next
from annotation.models import Item
from annotation.rating.finish import finish
from annotation.rating.submit import Submission, save
from annotation.reviewing.inquiries import ask

from ..cast import ACCURATE, SEVERE, Study, person, study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
PAGES = [
    ("", "/accounts/login/"),
    ("", "/accounts/password/reset/"),
    ("ravi", "/"),
    ("ravi", "/projects/june/"),
    ("ravi", "/projects/june/rate/"),
    ("ravi", "/accounts/password/change/"),
    ("lena", "/"),
    ("lena", "/projects/june/"),
    ("lena", "/projects/june/report/"),
    ("lena", "/projects/june/report/?live=1"),
    ("lena", "/projects/june/agreement/"),
    ("lena", "/projects/june/raters/?compare=1&without=ravi"),
    ("lena", "/projects/june/raters/ravi/"),
    ("lena", "/projects/june/plan/"),
    ("lena", "/projects/june/responses/"),
    ("lena", "/projects/june/invite/"),
    ("lena", "/projects/june/members/ravi/replace/"),
    ("lena", "/projects/june/parts/"),
    ("lena", "/projects/june/overlap/"),
    ("lena", "/projects/june/exports/"),
    ("ravi", "/projects/june/guidelines/"),
    ("lena", "/projects/june/guidelines/"),
    ("lena", "/projects/june/inbox/"),
    ("ada", "/"),
    ("ada", "/datasets/"),
    ("ada", "/datasets/import/"),
    ("ada", "/datasets/june-data/"),
    ("ada", "/datasets/june-data/responses/"),
    ("ada", "/projects/new/?dataset=june-data"),
    ("ada", "/people/"),
    ("ada", "/projects/june/delete/"),
    ("ada", "/datasets/june-data/delete/"),
    ("ada", "/nowhere/"),
]


@pytest.fixture
def june(transactional_db: None) -> Study:
    """Two raters have finished one of two responses; a report is frozen."""
    made = study(prompts=2, systems=("heron", "plover"), heading=True)
    person("ada", admin=True)
    for name, answers in (("ravi", ACCURATE), ("rosa", SEVERE)):
        with transaction.atomic():
            work = take_next(made.project, made.people[name])
        for item in Item.objects.filter(response=work.sheet.response, rate=True):
            save(made.people[name], work.public_id, item.public_id, Submission(answers, 0))
        ask(made.people[name], work.public_id, item.public_id, "Is it so?")
        finish(work)
    publish(made.project, "# Reading\n\nRead | it\n---|---\n*twice* | `so`", {"accuracy": {"disputed": "Two differ."}})
    reporting.freeze(made.project, reporting.Choices(resamples=200), actor=made.people["lena"])
    return made


def test_no_page_has_a_barrier_in_light_or_dark(june: Study, page: Page, live_server: Any, log_in: Callable) -> None:
    found = []
    for name, path in PAGES:
        page.context.clear_cookies()
        if name:
            log_in(page, person(name))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.goto(live_server.url + path, wait_until="networkidle")
            for problem in Axe().run(page, options=RULES).response["violations"]:
                places = [" ".join(node["target"]) for node in problem["nodes"][:3]]
                found.append(f"{name or 'nobody'} {path} {scheme}: {problem['id']} ({problem['help']}) at {places}")
    assert not found, "\n".join(found)


def test_no_page_is_wider_than_a_phone(june: Study, page: Page, live_server: Any, log_in: Callable) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    wide = []
    for name, path in PAGES:
        page.context.clear_cookies()
        if name:
            log_in(page, person(name))
        page.goto(live_server.url + path, wait_until="networkidle")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 390:
            wide.append(f"{name} {path}: {width} px")
    assert not wide, "\n".join(wide)
