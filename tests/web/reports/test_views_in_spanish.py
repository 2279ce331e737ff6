"""The lead's pages for a reader of another language: no English word in the review; reports and their files are English
whatever the reader's language.
"""

import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import translation

from annotation import reporting
from annotation.exporting import report_formats
from annotation.exporting.comparison_csv import comparison_csv
from annotation.models import Item, Project, Rating
from annotation.reporting.frozen_reports import stored_report
from annotation.reporting.shared_links import make_link
from annotation.reviewing.adjudication import adjudicate
from tests.cast import ACCURATE, person

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]

SPANISH = {"HTTP_ACCEPT_LANGUAGE": "es"}
WORDS = (
    "the of and with without by from this that are is rating ratings rater raters response responses prompt prompts "
    "sentence sentences system systems report reports frozen freeze download agreement review decide decided decision "
    "previous next answers answered measure measures assessed seed resamples interval intervals share shared compare "
    "all every none file files size made rank best raw adjudicated gold points difference leniency time"
)
IN_ATTRIBUTES = re.compile(r'\b(?:aria-label|title|placeholder|alt|data-label)="([^"]*)"')


def visible(html: str) -> str:
    """Return what a page shows: its text and its attributes with words, without pictures, scripts, names of files,
    pseudonyms, titles of publications, and texts that only buttons copy.
    """
    text = re.sub(r"<(script|style|svg|code|kbd|pre)\b.*?</\1>", " ", html, flags=re.DOTALL)
    text = re.sub(r'<ul lang="en".*?</ul>', " ", text, flags=re.DOTALL)
    words = unescape(" ".join([re.sub(r"<[^>]*>", " ", text), *IN_ATTRIBUTES.findall(text)]))
    return re.sub(r"\b[\w-]+\.(json|csv|md|tex|html|zip|bib)\b|\brater-\w+", " ", words)


def texts_in(project: Project) -> re.Pattern:
    """Return what finds the texts of the data, which are in no other language."""
    items = Item.objects.filter(response__dataset=project.dataset).values_list("text", "response__prompt__text")
    texts = {project.title, *(text for row in items for text in row)} - {""}
    longest_first = sorted(map(str.lower, texts), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def english_in(html: str, texts: re.Pattern) -> set[str]:
    """Return the English words of the interface that a page shows."""
    text = texts.sub(" ", " ".join(visible(html).split()).lower())
    return set(WORDS.split()) & set(re.findall(r"[^\W\d_]+", text))


def page(client, address: str, **headers: str) -> str:
    response = client.get(address, **headers)
    assert response.status_code == 200, (address, response.status_code)
    return response.content.decode()


def addresses(project: Project) -> list[str]:
    """Return the addresses of pages with these parts, each with content: lena has adjudicated an item."""
    item = Rating.objects.filter(project=project, item__retired_at=None).first().item
    adjudicate(project, item, ACCURATE, "Because.", person("lena"), expected_version="none")
    named = ["review", "review_gold_items", "adjudication_replies"]
    return [
        *(reverse(name, args=["june"]) for name in named),
        "/projects/june/review/?show=all",
        reverse("review_item", args=["june", item.public_id]),
    ]


def test_pages_of_reviews_show_no_english_words(lena, june):
    pages, texts = addresses(june), texts_in(june)
    without = [address for address in pages if not english_in(page(lena, address), texts)]
    assert not without, "these have no words that the check knows in English either"
    english = {address: english_in(page(lena, address, **SPANISH), texts) for address in pages}
    assert not {address: words for address, words in english.items() if words}


def test_pages_of_reports_are_english_as_reports_are_published(lena, june, frozen):
    _, key = make_link(frozen)
    named = ("report", "agreement", "raters", "planner", "report_comparison", "project_metrics")
    pages = [reverse(name, args=["june"]) for name in named]
    pages += [reverse(name, args=[frozen.public_id]) for name in ("frozen_report", "report_links", "reproduce_report")]
    for address in (*pages, reverse("shared_report", args=[key])):
        english, spanish = (page(lena, address, **headers) for headers in ({}, SPANISH))
        assert 'lang="en-us"' in spanish.partition("<head>")[0], address
        assert visible(spanish) == visible(english), address


def test_a_report_frozen_in_spanish_has_the_bytes_of_one_frozen_in_english(frozen):
    with translation.override("es"):
        spanish = reporting.freeze(frozen.project, reporting.Choices(resamples=200))
    assert spanish.document == frozen.document
    assert spanish.figures == frozen.figures


def test_files_taken_in_spanish_are_the_english_ones(lena, june, frozen, monkeypatch):
    for name in ("png", "pdf"):
        monkeypatch.setattr(f"annotation.exporting.bundle.{name}", lambda svg, *_: svg.encode())
    for extension in report_formats.EXTENSIONS.values():
        address = reverse("report_file", args=[frozen.public_id, f"report.{extension}"])
        assert lena.get(address, **SPANISH).content == lena.get(address).content, extension
    report = stored_report(frozen)
    with translation.override("es"):
        spanish = comparison_csv(report, report)
    assert spanish == comparison_csv(report, report)
    figure = reverse("report_file", args=[frozen.public_id, "measures-light.svg"])
    assert lena.get(figure, **SPANISH).content == lena.get(figure).content
    for params in ({"what": "ratings", "format": "csv"}, {"what": "bundle", "report": str(frozen.public_id)}):
        files = [
            b"".join(lena.post(reverse("start_export", args=[june.slug]), params, **headers).streaming_content)
            for headers in ({}, SPANISH)
        ]
        assert files[0] == files[1], params
