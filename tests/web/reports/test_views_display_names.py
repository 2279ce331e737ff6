"""Raters under their display names on the pages of reports, and under their user names in files."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import User
from annotation.reporting import Choices
from annotation.reporting.shared_links import make_link
from tests.exporting.bundles import frozen as freeze
from tests.web.pages import text_of
from tests.web.reports.pages import get_page

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.seeded]


@pytest.fixture
def named(june):
    User.objects.filter(username="ravi").update(first_name="Ravi", last_name="Rao")
    return june


def test_live_pages_name_raters_as_other_pages_do(lena, named):
    for name, *rater in (("report",), ("agreement",), ("raters",), ("rater", "ravi")):
        text = text_of(lena.get(reverse(name, args=["june", *rater])))
        assert "Ravi Rao" in text, name
        assert "ravi" not in text, name


def test_the_option_has_the_display_name_and_the_value_of_the_user_name(lena, named):
    page = get_page(lena, "report", "june", query="?live=1&without_raters=ravi")
    assert 'name="without_raters" value="ravi" checked> Ravi Rao' in page
    assert "Without the ratings of Ravi Rao" in page


def test_frozen_and_compared_reports_keep_their_bytes_and_their_pages_have_the_names(lena, june, frozen):
    part = freeze(june, Choices(resamples=100, without_raters=("ravi",)))
    before = {name: file_of(lena, part, name) for name in ("report.json", "report.md", "report.csv")}
    User.objects.filter(username="rosa").update(first_name="Rosa", last_name="Reyes")
    User.objects.filter(username="ravi").update(first_name="Ravi", last_name="Rao")
    text = text_of(lena.get(reverse("frozen_report", args=[part.public_id])))
    assert "Rosa Reyes" in text and "ithout the ratings of Ravi Rao" in text
    assert before == {name: file_of(lena, part, name) for name in before}
    assert b"rosa" in before["report.json"]
    text = text_of(lena.get(reverse("report_comparison", args=["june"])))
    assert "without the ratings of Ravi Rao" in text
    assert "of ravi" not in text


def file_of(client, report, name: str) -> bytes:
    return client.get(reverse("report_file", args=[report.public_id, name])).content


def test_a_shared_report_has_names_only_if_its_link_has(named, frozen):
    for with_names in (True, False):
        text = text_of(Client().get(reverse("shared_report", args=[make_link(frozen, with_names=with_names)[1]])))
        assert ("Ravi Rao" in text) == with_names
        assert "ravi" not in text
