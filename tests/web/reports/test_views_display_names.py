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

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]


def give_names() -> None:
    for user, first, last in (("ravi", "Ravi", "Rao"), ("rosa", "Rosa", "Reyes")):
        User.objects.filter(username=user).update(first_name=first, last_name=last)


def test_live_pages_and_options_name_raters_as_other_pages_do(lena, june):
    give_names()
    for name, *rater in (("report",), ("agreement",), ("raters",), ("rater", "ravi")):
        text = text_of(lena.get(reverse(name, args=["june", *rater])))
        assert "Ravi Rao" in text, name
        assert "ravi" not in text, name
    page = get_page(lena, "report", "june", query="?live=1&without_raters=ravi")
    assert 'name="without_raters" value="ravi" checked> Ravi Rao' in page
    assert "Without the ratings of Ravi Rao" in page


def test_frozen_and_compared_reports_keep_their_bytes_and_their_pages_have_the_names(lena, june, frozen):
    part = freeze(june, Choices(resamples=100, without_raters=("ravi",)))
    files = [reverse("report_file", args=[part.public_id, f"report.{ending}"]) for ending in ("json", "md", "csv")]
    before = [lena.get(file).content for file in files]
    give_names()
    text = text_of(lena.get(reverse("frozen_report", args=[part.public_id])))
    assert "Rosa Reyes" in text and "ithout the ratings of Ravi Rao" in text
    assert before == [lena.get(file).content for file in files]
    assert b"rosa" in before[0]
    text = text_of(lena.get(reverse("report_comparison", args=["june"])))
    assert "without the ratings of Ravi Rao" in text
    assert "of ravi" not in text


def test_a_shared_report_has_names_only_if_its_link_has(frozen):
    give_names()
    for with_names in (True, False):
        text = text_of(Client().get(reverse("shared_report", args=[make_link(frozen, with_names=with_names)[1]])))
        assert ("Ravi Rao" in text) == with_names
        assert "ravi" not in text
