"""The public accessibility statement: tests, their methods, and known limitations.

Each line of TESTED is tested in tests/browser; docs/accessibility.md names the files.
"""

from datetime import date

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation import __version__

CHECKED = date(2026, 11, 21)
TESTED = [
    (
        "Automatic check",
        "axe-core with its rules for A, AA and good practice, in light and dark",
        "1.1–4.1",
    ),
    (
        "Keyboard",
        "raters and leads work without a mouse: order, a visible and uncovered focus, skip link",
        "2.1.1, 2.1.2, 2.4.1, 2.4.3, 2.4.7, 2.4.11",
    ),
    ("Dialogs and menus", "keep the focus, close with Escape and return the focus", "2.1.2, 2.4.3, 3.2.1"),
    (
        "Names and roles",
        "the accessibility tree of the rating page: groups of radio buttons with their question",
        "1.3.1, 4.1.2",
    ),
    ("Announcements", "one polite live region: “Sentence 4 of 9: Accurate, saved”, also when offline", "4.1.3"),
    ("Reflow", "320 CSS pixels wide (400 % zoom of 1280) and 390: no horizontal scrolling", "1.4.10"),
    (
        "Zoom",
        "the rating page at 200 % of 1280 by 900: the current sentence and every control can be reached",
        "1.4.4",
    ),
    ("Text spacing", "lines of 1.5, paragraphs of 2, letters of 0.12 and words of 0.16 em", "1.4.12"),
    ("Targets", "at least 24 pixels, or as much spacing; answers on a phone 44 pixels", "2.5.8, 2.5.5"),
    ("Reduced motion", "nothing moves automatically and nothing fades", "2.3.3"),
    (
        "Forced colors",
        "current, chosen, answered and flagged are shown by shape and symbol, not only by color",
        "1.4.1",
    ),
    ("Keys", "single keys can be changed and turned off", "2.1.4"),
    ("Phone", "touch: article and response as two views; offline, nothing is lost", "1.3.4, 2.5.1"),
]
LIMITS = [
    "Screen readers were tested with the browser's accessibility tree, not yet by people who use them every day.",
    "Only Chromium is tested before each release. Rating was tried in Firefox on 21 November 2026; Safari was not.",
    "Articles and responses are imported: a picture or formula in them may lack a description.",
    "Wide tables of figures scroll within themselves on a narrow screen.",
    "In forced colors the article's marks for words, numbers and passages are all shown as highlighted text.",
    (
        "The pages under /admin/ are Django's own; only the automatic check and the check of reflow "
        "were done, and they pass."
    ),
    "The API reference is Swagger UI's page, in English; only its loading is tested.",
]


@login_not_required
@require_GET
def accessibility(request: HttpRequest) -> HttpResponse:
    context = {"tested": TESTED, "limits": LIMITS, "checked": CHECKED, "version": __version__}
    return render(request, "accessibility_statement.html", context | {"contact": settings.ACCESSIBILITY_CONTACT})
