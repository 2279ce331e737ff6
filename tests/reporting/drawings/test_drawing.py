"""Figures: the report's shares, safe under a strict policy, for both color schemes and for those who cannot see."""

import re
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec import structs

from annotation.reporting import Choices, build
from annotation.reporting.drawings import available, draw, figures, files, layout_of
from annotation.reporting.drawings.drawing import DARK, INK, LINE, NARROW, QUIET, SHEET, TONES, WIDE
from annotation.reporting.drawings.heat_map import MAX_VALUES, _rows
from annotation.reporting.drawings.labels import cut_apart, lines_of
from annotation.reporting.drawings.options import distinct
from annotation.reporting.report import Report
from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE, article_accuracy
from tests.reporting.project_rows import Row, project_of, worked_example
from tests.reporting.report_builders import cell, measure, texts

pytestmark = pytest.mark.django_db

CARD = 324  # pixels of a card at a screen of 390
SMALLEST = 9  # pixels of letters on the screen
LONG = [
    "borealis-instruct-2024-08-06",
    "borealis-instruct-2024-11-20",
    "a retrieval system with WIDE MEMORY of passages",
]
CSS = Path(__file__).parents[3] / "static" / "css"
TOKENS, FIGURES_CSS = (CSS / "base.css").read_text(), (CSS / "figures.css").read_text()


def report_of(rows: Iterable[Row], slug: str = "june") -> Report:
    return build(project_of(rows, slug), Choices(resamples=100))


def drawn(report: Report, name: str, **options) -> str:
    return draw(report, article_accuracy().definition, name, **options) or ""


@pytest.fixture(scope="module")
def example(module_rows: None) -> Report:
    return report_of(worked_example(), "example")


@pytest.fixture(scope="module")
def of_the_example(example: Report) -> dict[str, str]:
    return figures(example, article_accuracy().definition)


def test_four_figures_in_two_dresses_hold_nothing_that_a_strict_policy_forbids_and_share_no_id(example, of_the_example):
    names = ("options", "measures", "differences", "heat")
    assert list(of_the_example) == [f"{name}-{scheme}" for name in names for scheme in ("light", "dark")]
    for svg in of_the_example.values():
        assert not re.search(r"<style|<script|<foreignObject|\sstyle=|\son\w+=|(href|src)=\"(?!#)", svg)
    ids = [name for svg in of_the_example.values() for name in re.findall(r'\bid="([^"]+)"', svg)]
    assert len(ids) == len(set(ids)) >= 4
    assert drawn(example, "heat") == of_the_example["heat-light"], "the same report is drawn the same"


def test_options_without_a_tone_of_their_own_are_told_apart():
    assert distinct(["neutral", "cannot", "neutral"]) == ["neutral", "cannot", "unsupported"]
    assert distinct(["accurate", "accurate", "inaccurate"]) == ["accurate", "neutral", "inaccurate"]
    assert distinct(TONES) == list(TONES)


def test_a_figure_says_in_words_what_it_shows_without_a_background_of_its_own(of_the_example):
    svg = of_the_example["options-light"]
    title, description = list(ElementTree.fromstring(svg))[:2]
    assert title.text == "How accurate is the sentence according to the article?"
    assert "Alder: Accurate 81.3 % (61), Disputed 0.0 % (0)" in description.text
    assert "Can't assess 14.1 % (11)" in description.text
    assert re.search(r'text-anchor="middle"[^>]*>100 %<', svg) and re.search(r'text-anchor="middle"[^>]*>0 %<', svg)
    for name, svg in of_the_example.items():
        own, other = (INK, DARK[INK]) if name.endswith("light") else (DARK[INK], INK)
        other_tone = DARK[TONES["accurate"]] if name.endswith("light") else TONES["accurate"]
        assert own in svg and other not in svg and other_tone not in svg, name
        assert 'fill="white"' not in svg
    assert TONES["accurate"] in of_the_example["options-light"]
    assert DARK[TONES["accurate"]] in of_the_example["options-dark"]


@pytest.mark.parametrize("name", [*(name for name in TONES if name != "neutral"), "ink", "quiet", "sheet", "line"])
def test_the_colours_are_those_of_the_pages(name):
    light = {"ink": INK, "quiet": QUIET, "sheet": SHEET, "line": LINE, **TONES}[name]
    assert re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", TOKENS).groups() == (light, DARK[light])


def test_every_colour_is_given_by_the_page_and_parts_of_a_bar_differ_without(of_the_example):
    for name, svg in of_the_example.items():
        if name.endswith("light"):
            for kind, color in set(re.findall(r'\b(fill|stroke)="(#\w+)"', svg)):
                assert f'.drawing [{kind}="{color}"] {{ {kind}: var(--' in FIGURES_CSS, (name, kind, color)
    svg = of_the_example["options-light"]
    for tone in ("disputed", "unsupported", "inaccurate", "cannot"):
        assert f'id="options-light-hatch-{tone}"' in svg
        assert svg.count(f'fill="url(#options-light-hatch-{tone})"') >= 2, "a bar's part and the square of the legend"


def test_intervals_of_answers_have_a_lane_each_below_the_bars():
    """No interval covers another one of the same system, and each option has a shape of its own."""
    answers = [ACCURATE, ACCURATE, SEVERE, CANNOT_ASSESS]
    rows = [Row(f"q{n:02}", "heron", f"rater{k}", answers[(n + k) % 4]) for n in range(12) for k in range(4)]
    svg = drawn(report_of(rows), "options")
    rules = re.findall(r'aria-roledescription="rule mark"[^>]*transform="translate\(([\d.]+),([\d.]+)\)"', svg)
    assert len(rules) == 3 == len({height for _, height in rules})
    points = re.findall(r'aria-roledescription="point"[^>]* d="([^"]+)"', svg)
    assert len(points) == 3 == len(set(points))


def test_the_answers_of_few_prompts_are_bars_alone_a_hostile_name_is_text_and_no_rating_has_no_figure():
    svg = drawn(report_of([Row("q1", '<script>alert("1")</script>', "ravi", ACCURATE)]), "options")
    assert 'aria-roledescription="bar"' in svg and 'aria-roledescription="point"' not in svg
    assert "<script" not in svg
    ElementTree.fromstring(svg)
    assert figures(report_of([], "empty"), article_accuracy().definition) == {}


def test_a_map_shows_each_share_with_its_number_of_ratings_by_ascending_values_and_says_which_overlap():
    values = ["zero", "two", "five", "infinity"]
    rows = [
        Row(f"q{n:02}", "heron", "ravi", ACCURATE if n % 4 else SEVERE, metadata={
            "kind": "odd" if n % 2 else "even", "nlp_background": values[n % 4], "area": ["a", "b"]
        })
        for n in range(24)
    ]  # fmt: skip
    report = report_of(rows)
    svg = drawn(report, "heat", key="kind")
    assert ">100.0<" in svg and ">50.0<" in svg and svg.count(">n = 12<") == 2
    other = drawn(report, "heat", key="kind", measure="inaccurate")
    assert "Inaccurate, % by kind" in other and ">0.0<" in other
    ordinal, several = drawn(report, "heat", key="nlp_background"), drawn(report, "heat", key="area")
    assert [text for text in texts(ordinal) if text in values] == values
    overlap = ">A prompt with several values counts once in each value.<"
    assert overlap in several and overlap not in svg


def test_a_figure_is_a_picture_and_a_page_too_and_always_the_same(of_the_example):
    svg = of_the_example["measures-light"]
    picture, page = files.png(svg), files.pdf(svg)
    assert picture.startswith(b"\x89PNG") and files.png(svg, files.IN_PRINT).startswith(b"\x89PNG")
    assert page.startswith(b"%PDF-")
    assert (files.png(svg), files.pdf(svg)) == (picture, page)


def test_names_that_begin_and_end_alike_are_cut_apart():
    ends = "same-words-at-the-beginning-" * 4, "-and-the-same-at-the-end" * 4
    names = [f"{ends[0]}{letter}{ends[1]}" for letter in "ab"]
    short = cut_apart([*names, "heron"], 20)
    assert len(set(short.values())) == 3 and short["heron"] == "heron"
    assert lines_of(names)[names[0]] != lines_of(names)[names[1]]
    assert cut_apart(["x" * 50, "y" * 9], 11) == {"x" * 50: "xxxxx…xxxxx", "y" * 9: "y" * 9}


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("a retrieval system with twelve passages", ["a retrieval system with", "twelve passages"]),
        ("borealis-instruct-2024-08-06 (few-shot)", ["borealis-instruct-2024-08-06", "(few-shot)"]),
        ("模型" * 10, ["模型" * 7, "模型" * 3]),
    ],
)
def test_names_are_broken_between_words(name, lines):
    assert lines_of([name]) == {name: lines}


@pytest.mark.parametrize(
    ("systems", "values"),
    [
        (LONG, ["a question about the method", "x" * 40, *(f"value {n}" for n in range(8))]),
        ([f"a system with the number {n}" for n in range(12)], ["what", "why"]),
    ],
)
def test_a_narrow_figure_is_legible_on_the_card_of_a_phone_and_shows_what_the_wide_one_shows(systems, values):
    """Every system is wrong on other prompts."""
    report = report_of(
        Row(f"q{n:02}", system, "ravi", ACCURATE if (n + index) % 3 else SEVERE, metadata={"kind": kind})
        for n in range(12)
        for kind in [values[n % len(values)]]
        for index, system in enumerate(systems)
    )
    words = r"<desc [^>]*>([^<]*)<"
    for name in available(report):
        svg, other = drawn(report, f"{name}{NARROW.ending}"), drawn(report, name)
        width = float(re.search(r'<svg [^>]*width="([\d.]+)"', svg)[1])
        letters = min(map(float, re.findall(r'font-size="([\d.]+)px"', svg))) * min(1, CARD / width)
        assert letters >= SMALLEST, (name, width, letters)
        assert re.findall(words, svg) == re.findall(words, other)
        assert svg.count('aria-roledescription="point"') == other.count('aria-roledescription="point"'), name
        assert not set(re.findall(r'\bid="([^"]+)"', svg)) & set(re.findall(r'\bid="([^"]+)"', other))
    assert (layout_of("heat"), layout_of("heat-narrow")) == (("heat", WIDE), ("heat", NARROW))


def test_the_map_has_the_values_with_the_most_ratings() -> None:
    cells = [structs.replace(cell({"accurate": measure()}, "heron"), value=str(n), ratings=n) for n in range(12)]
    assert {row.value for row in _rows(cells, "accurate")} == {str(n) for n in range(12 - MAX_VALUES, 12)}
