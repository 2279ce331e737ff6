"""The narrow layout: every figure fits a phone of 390 px without scrolling, in letters of 9 px or more."""

import re

import pytest

from annotation.reporting import Choices, build
from annotation.reporting.drawings import available, draw, layout_of
from annotation.reporting.drawings.drawing import NARROW, WIDE
from annotation.reporting.report import Report
from tests.cast import ACCURATE, SEVERE, article_accuracy
from tests.reporting.project_rows import Row, project_of

pytestmark = pytest.mark.django_db

CARD = 324  # pixels of a card at a screen of 390
SMALLEST = 9  # pixels of letters on the screen
LONG = [
    "borealis-instruct-2024-08-06",
    "borealis-instruct-2024-11-20",
    "a retrieval system with WIDE MEMORY of passages",
]


def report_of(systems: list[str], values: list[str]) -> Report:
    """Return a report in which every system is wrong on other prompts."""
    rows = [
        Row(f"q{n:02}", system, "ravi", ACCURATE if (n + index) % 3 else SEVERE, metadata={"kind": kind})
        for n in range(12)
        for kind in [values[n % len(values)]]
        for index, system in enumerate(systems)
    ]
    return build(project_of(rows), Choices(resamples=100))


def drawn(report: Report, ending: str = "") -> dict[str, str]:
    protocol = article_accuracy().definition
    return {name: draw(report, protocol, f"{name}{ending}") or "" for name in available(report)}


@pytest.mark.parametrize(
    ("systems", "values"),
    [
        (LONG, ["a question about the method", "x" * 40, *(f"value {n}" for n in range(8))]),
        ([f"a system with the number {n}" for n in range(12)], ["what", "why"]),
    ],
)
def test_a_narrow_figure_is_legible_on_the_card_of_a_phone(systems, values):
    for name, svg in drawn(report_of(systems, values), NARROW.ending).items():
        width = float(re.search(r'<svg [^>]*width="([\d.]+)"', svg)[1])
        letters = min(map(float, re.findall(r'font-size="([\d.]+)px"', svg))) * min(1, CARD / width)
        assert letters >= SMALLEST, (name, width, letters)


def test_a_narrow_figure_shows_what_the_wide_one_shows():
    report = report_of(["Alder", "Birch"], ["what", "why"])
    wide, words = drawn(report), r"<desc [^>]*>([^<]*)<"
    for name, svg in drawn(report, NARROW.ending).items():
        other = wide[name]
        assert re.findall(words, svg) == re.findall(words, other)
        assert svg.count('aria-roledescription="point"') == other.count('aria-roledescription="point"'), name
        assert not set(re.findall(r'\bid="([^"]+)"', svg)) & set(re.findall(r'\bid="([^"]+)"', other))


def test_a_name_says_the_layout():
    assert (layout_of("heat"), layout_of("heat-narrow")) == (("heat", WIDE), ("heat", NARROW))
