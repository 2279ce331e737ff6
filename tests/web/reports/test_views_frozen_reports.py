"""Frozen reports: shown first, the same for ever, with the choices they were made with."""

import json
import re

import pytest
from django.urls import reverse

from annotation import jobs, reporting
from annotation.models import Item, Job, Rating, Report
from annotation.reporting import Choices
from tests.cast import person
from tests.exporting.bundles import frozen as freeze
from tests.web.reports.pages import get_page, page_with_options

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.seeded]


def test_a_frozen_report_is_shown_first_says_what_came_since_and_keeps_its_page_and_its_bytes(lena, frozen):
    file = reverse("report_file", args=[frozen.public_id, "report.json"])
    assert lena.get(file).content == frozen.document.encode()
    assert "Live numbers, not frozen" not in get_page(lena, "report", "june")
    Rating.objects.filter(rater=person("tom")).delete()
    text = get_page(lena, "report", "june")
    assert "153 ratings by 3 raters" in text
    assert "Fewer ratings count now" in text
    live = get_page(lena, "report", "june", query="?live=1")
    assert "102 ratings by 2 raters" in live and "Live numbers, not frozen" in live
    assert lena.get(file).content == frozen.document.encode()
    html = get_page(lena, "frozen_report", frozen.public_id)
    assert "<small>61 of 70</small>" in html
    bar = html.split('class="project-bar"')[1].split("</nav>")[0]
    assert re.findall(r'aria-current="true"\s*>\s*([^<]+?)\s*</a>', bar) == ["Report"]


@pytest.mark.parametrize(
    ("name", "kind", "holds"),
    [
        ("report.json", "application/json", '"schema": "factuary-report/1"'),
        ("report.csv", "text/csv; charset=utf-8", '"systems","Alder","","measure","accurate","61","70",'),
        ("report.md", "text/markdown; charset=utf-8", "| Alder | 87.1 % ["),
        ("report.tex", "application/x-tex; charset=utf-8", r"\toprule"),
        ("report.html", "text/html; charset=utf-8", "<h1>Report</h1>"),
        ("options-light.svg", "image/svg+xml", "<desc id="),
        ("options-dark.svg", "image/svg+xml", "#63c79d"),
    ],
)
def test_a_frozen_report_can_be_taken_home_in_every_format(lena, frozen, name, kind, holds):
    response = lena.get(reverse("report_file", args=[frozen.public_id, name]))
    assert response["Content-Type"] == kind
    assert response["Content-Disposition"].startswith("attachment")
    assert holds in response.content.decode()


def test_a_file_that_is_not_there_is_not_found(lena, frozen):
    for name in ("report.docx", "other.json", "options-light.gif", "options.png", "nothing-light.svg", "..svg"):
        assert lena.get(reverse("report_file", args=[frozen.public_id, name])).status_code == 404, name


def test_a_frozen_report_keeps_the_switches(lena, june):
    text = page_with_options(lena, without_raters="tom")
    assert '<input type="hidden" name="without_raters" value="tom">' in text
    lena.post(reverse("freeze_report", args=["june"]), {"without_raters": "tom", "seed": "1", "resamples": "100"})
    job = Job.objects.get()
    assert job.params == {"resamples": 100, "without_raters": ["tom"]}
    jobs.run(job.pk, reporting.freeze_job)
    frozen = june.reports.get()
    assert json.loads(frozen.document)["filters"] == {"without_raters": ["tom"]}
    text = get_page(lena, "frozen_report", frozen.public_id)
    assert "Without the ratings of tom" in text and "102 ratings by 2 raters" in text
    assert 'name="without_raters"' not in text.split("<dialog")[0], "nothing can be switched in a frozen report"


def test_a_report_of_before_is_shown_without_what_it_does_not_have(lena, june, frozen):
    document = json.loads(frozen.document)
    for key in ("filters", "ranks", "aggregations", "disagreements", "raters"):
        document.pop(key)
    for cell in (document["overall"], *document["systems"]):
        cell.pop("shares"), cell.pop("shares_of_assessed")
    old = Report.objects.create(project=june, document=json.dumps(document), data_sha256="0" * 64, figures={})
    text = get_page(lena, "frozen_report", old.public_id)
    assert "<small>61 of 70</small>" in text and "Distribution of answers" in text
    assert "Sensitivity to aggregation" not in text and "Accuracy on gold" not in text
    freeze(june, Choices(resamples=100, without_raters=("tom",)))
    Report.objects.filter(pk=frozen.pk).delete()
    assert reverse("report_links", args=[old.public_id]) in get_page(lena, "report", "june"), "it is of all ratings"
    assert lena.get(reverse("report_file", args=[old.public_id, "options-light.svg"])).status_code == 200


def test_a_frozen_report_lists_what_raters_disagreed_on_with_a_way_to_what_is_still_there(lena, frozen):
    first, second = json.loads(frozen.document)["disagreements"][:2]
    item, gone = (Item.objects.get(response__key=row["response"], position=row["item"]) for row in (first, second))
    Item.objects.filter(pk=gone.pk).update(position=999)
    html = lena.get(reverse("frozen_report", args=[frozen.public_id])).content.decode()
    assert html.count('<p class="votes">') == len(json.loads(frozen.document)["disagreements"])
    assert reverse("review_item", args=["june", item.public_id]) in html
    assert reverse("review_item", args=["june", gone.public_id]) not in html


def test_a_report_of_a_part_does_not_take_the_place_of_the_report_of_all(lena, june):
    part = Choices(resamples=100, without_raters=("tom",), cluster="document")
    first = freeze(june, part)
    text = get_page(lena, "report", "june")
    assert "Without the ratings of tom" in text, "there is no other yet"
    assert "<li>Documents as the sampling unit</li>" in text
    whole = freeze(june, Choices(resamples=100))
    second = Report.objects.create(
        project=june, document=first.document, data_sha256=first.data_sha256, provenance=first.provenance
    )
    text = get_page(lena, "report", "june")
    assert "153 ratings by 3 raters" in text and "Computed with" not in text
    assert text.count("Without the ratings of tom") == 2 and text.count("all ratings that count") == 1
    exports = lena.get(reverse("exports", args=["june"])).content.decode()
    for report in (first, whole, second):
        assert str(report.public_id) in exports
    assert "Without the ratings of tom" in exports
