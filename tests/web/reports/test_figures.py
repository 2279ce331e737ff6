"""Figures as files, of live and frozen reports."""

import re
from html import unescape

import pytest
from django.urls import reverse

from annotation.models import Rating
from tests.cast import person
from tests.web.reports.pages import get_page

pytestmark = [pytest.mark.django_db, pytest.mark.seeded]

PDF, PNG = b"%PDF-", b"\x89PNG\r\n"


def width(png: bytes) -> int:
    return int.from_bytes(png[16:20])


def test_every_figure_can_be_taken_home_live_and_frozen(lena, frozen):
    for name, kind, begins in (
        ("options-light.svg", "image/svg+xml", b"<svg"),
        ("measures-dark.svg", "image/svg+xml", b"<svg"),
        ("differences-light.png", "image/png", PNG),
        ("heat-light-300dpi.png", "image/png", PNG),
        ("options-light.pdf", "application/pdf", PDF),
    ):
        for address in (
            reverse("report_figure", args=["june", name]),
            reverse("report_file", args=[frozen.public_id, name]),
        ):
            response = lena.get(address)
            assert (response.status_code, response["Content-Type"]) == (200, kind), address
            assert response.content.startswith(begins)
            assert response["Content-Disposition"].startswith("attachment")
        if "300dpi" in name:
            on_screen = lena.get(address.replace("-300dpi", "")).content
            assert width(response.content) / width(on_screen) == pytest.approx(300 / 72 / 2, abs=0.01)


def test_a_live_figure_shows_the_numbers_that_the_page_showed(lena, june):
    [address] = re.findall(r'data-draws="([^"]*options-light[^"]*)"', get_page(lena, "report", "june"))
    before = lena.get(unescape(address)).content
    Rating.objects.filter(rater=person("tom")).delete()
    assert lena.get(unescape(address)).content == before
    assert lena.get(reverse("report_figure", args=["june", "options-light.svg"])).content != before


def test_maps_of_other_measures_and_narrow_layouts_are_drawn_on_request(lena, frozen):
    stored = dict(frozen.figures)
    on_map = get_page(lena, "frozen_report", frozen.public_id, query="?measure=inaccurate")
    [address] = re.findall(r'data-draws="([^"]*heat-light[^"]*)"', on_map)
    assert "Inaccurate, % by" in lena.get(unescape(address)).content.decode()
    for text in (get_page(lena, "report", "june", query="?live=1"), on_map):
        addresses = re.findall(r'data-draws-narrow="([^"]*)"', text)
        assert len(addresses) == text.count('<figure class="drawing"') >= 4
        svg = lena.get(unescape(addresses[0])).content.decode()
        assert svg.startswith("<svg") and "-narrow-light-title" in svg
    frozen.refresh_from_db()
    assert frozen.figures == stored and not [name for name in stored if "narrow" in name]
