"""The narrow layout: every figure fits a phone of 390 px without scrolling, in letters of 9 px or more."""

import re

import pytest

from annotation.reporting import Choices, build
from annotation.reporting.figures import available, draw, figures, layout_of
from annotation.reporting.figures.layout import NARROW, WIDE
from annotation.reporting.report import Report
from tests.cast import ACCURATE, SEVERE, article_accuracy
from tests.reporting.project_rows import Row, project_of, worked_example

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CARD = 324  # pixels of a card at a screen of 390
SMALLEST = 9  # pixels of letters on the screen
LONG = [
    "borealis-instruct-2024-08-06",
    "borealis-instruct-2024-11-20",
    "a retrieval system with WIDE MEMORY of passages",
]


def report_of(systems: list[str], values: list[str]) -> Report:
    """Return a report in which every system is wrong on other prompts."""
    kinds = [{"kind": values[n % len(values)]} for n in range(12)]
    rows = [
        Row(f"q{n:02}", system, "ravi", SEVERE if (n + index) % 3 == 0 else ACCURATE, metadata=kinds[n])
        for n in range(12)
        for index, system in enumerate(systems)
    ]
    return build(project_of(rows), Choices(resamples=100))


def narrow(report: Report) -> dict[str, str]:
    protocol = article_accuracy().definition
    return {name: draw(report, protocol, f"{name}{NARROW.ending}") or "" for name in available(report)}


def sizes(svg: str) -> tuple[float, float]:
    """Return the width of a figure and of its smallest letters on the card, in pixels."""
    width = float(re.search(r'<svg [^>]*width="([\d.]+)"', svg)[1])
    return width, min(map(float, re.findall(r'font-size="([\d.]+)px"', svg))) * min(1, CARD / width)


@pytest.mark.parametrize(
    ("systems", "values"),
    [
        (["Alder", "Birch", "Cedar"], ["what", "why"]),
        (LONG, ["a question about the method", "x" * 40, *(f"value {n}" for n in range(8))]),
        ([f"a system with the number {n}" for n in range(12)], ["what", "why"]),
    ],
)
def test_a_narrow_figure_is_legible_on_the_card_of_a_phone(systems, values):
    for name, svg in narrow(report_of(systems, values)).items():
        width, letters = sizes(svg)
        assert letters >= SMALLEST, (name, width, letters)


def test_a_narrow_figure_shows_what_the_wide_one_shows_and_is_not_stored():
    report = build(project_of(worked_example()), Choices(resamples=100))
    wide = figures(report, article_accuracy().definition)
    words = r"<desc [^>]*>([^<]*)<"
    for name, svg in narrow(report).items():
        other = wide[f"{name}-light"]
        assert re.findall(words, svg) == re.findall(words, other)
        assert svg.count('aria-roledescription="point"') == other.count('aria-roledescription="point"'), name
        assert not set(re.findall(r'\bid="([^"]+)"', svg)) & set(re.findall(r'\bid="([^"]+)"', other))
    assert not [name for name in wide if NARROW.ending in name]


def test_a_name_says_the_layout():
    assert (layout_of("heat"), layout_of("heat-narrow")) == (("heat", WIDE), ("heat", NARROW))
