"""Figures: the report's shares, safe under a strict policy, for both colour schemes and for those who cannot see."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from annotation.reporting import Choices, build
from annotation.reporting.figures import figures
from annotation.reporting.figures.drawing import INK, LINE, QUIET, SHEET, TONES
from tests.cast import ACCURATE, article_accuracy
from tests.reporting.given import Row, project_of, worked_example

TOKENS = (Path(__file__).parents[2] / "static" / "css" / "tokens.css").read_text()


def drawn(rows: list[Row]) -> dict[str, str]:
    return figures(build(project_of(rows), Choices(resamples=100)), article_accuracy().definition)


@pytest.mark.django_db
def test_a_figure_holds_nothing_that_a_strict_policy_forbids():
    for svg in drawn(worked_example()).values():
        assert not re.search(r"<style|<script|<foreignObject|\sstyle=|\son\w+=|(href|src)=\"(?!#)", svg)


@pytest.mark.django_db
def test_two_figures_on_one_page_share_no_id():
    ids = [found for svg in drawn(worked_example()).values() for found in re.findall(r'\bid="([^"]+)"', svg)]
    assert len(ids) == len(set(ids)) >= 4


@pytest.mark.django_db
def test_a_figure_says_in_words_what_it_shows():
    svg = ElementTree.fromstring(drawn(worked_example())["options-light"])
    title, description = list(svg)[:2]
    assert title.text == "How accurate is the sentence according to the article?"
    assert "Alder: Accurate 81.3 % (61), Disputed 0.0 % (0)" in description.text
    assert "Can't assess 14.1 % (11)" in description.text


@pytest.mark.django_db
def test_a_figure_has_no_background_of_its_own_and_the_colours_of_its_scheme():
    found = drawn(worked_example())
    for name, svg in found.items():
        own, other = (0, 1) if name.endswith("light") else (1, 0)
        assert INK[own] in svg and INK[other] not in svg and TONES["accurate"][other] not in svg, name
        assert 'fill="white"' not in svg
    assert TONES["accurate"][0] in found["options-light"] and TONES["accurate"][1] in found["options-dark"]


@pytest.mark.django_db
def test_a_hostile_name_is_text_in_a_figure():
    svg = drawn([Row("q1", '<script>alert("1")</script>', "ravi", ACCURATE)])["options-light"]
    assert "<script" not in svg
    ElementTree.fromstring(svg)


@pytest.mark.django_db
def test_without_a_rating_there_is_no_figure():
    assert drawn([]) == {}


@pytest.mark.parametrize("name", [*(name for name in TONES if name != "neutral"), "ink", "quiet", "sheet", "line"])
def test_the_colours_are_those_of_the_pages(name):
    own = {"ink": INK, "quiet": QUIET, "sheet": SHEET, "line": LINE, **TONES}[name]
    found = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", TOKENS)
    assert found and own == found.groups()
