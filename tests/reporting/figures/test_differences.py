"""The forest plot of differences: every pair with its p, an interval where there is one."""

import pytest
from msgspec.structs import replace

from annotation.reporting import Choices, build
from annotation.reporting.figures import available, draw
from annotation.reporting.report import Report
from tests.cast import ACCURATE, SEVERE, article_accuracy
from tests.reporting.figures.svg import texts
from tests.reporting.project_rows import Row, project_of, worked_example

pytestmark = pytest.mark.slow


def test_the_forest_plot_gives_no_order_where_there_is_none(db):
    rows = [
        Row(f"q{n:02}", system, "ravi", ACCURATE if (n + index) % 3 else SEVERE)
        for n in range(12)
        for index, system in enumerate(("heron", "tern"))
    ]
    svg = draw(build(project_of(rows), Choices(resamples=100)), article_accuracy().definition, "differences") or ""
    assert svg.count(">p = 1.000<") == 3
    assert "heron − tern 0.0 points" in svg and "significant" not in svg
    family = "adjusted over the pairs of a measure (Holm), also where an analysis plan names another family of tests."
    assert f">p: {family}<" in svg


def test_a_protocol_without_comparisons_has_no_forest_plot(db):
    report = build(project_of(worked_example()), Choices(resamples=100))
    report = replace(report, comparisons=[])
    assert available(report) == ["options", "measures", "heat"]
    assert draw(report, article_accuracy().definition, "differences") is None


def test_differences_without_an_interval_have_a_row_with_p_and_are_counted_by_cause(db):
    rows = [
        Row(f"q{n:02}", system, "ravi", ACCURATE if (n + index) % 3 else SEVERE)
        for n in range(12)
        for index, (system, first) in enumerate((("heron", 0), ("tern", 0), ("wren", 3)))
        if n >= first
    ]
    report, protocol = build(project_of(rows), Choices(resamples=100)), article_accuracy().definition
    svg = draw(report, protocol, "differences") or ""
    assert texts(svg).count("p = 1.000") == 3 and texts(svg).count("p = 1.000, no interval") == 6
    assert svg.count('aria-roledescription="point"') == 3
    assert "tern − wren 0.0 points (no interval), p = 1.000" in svg
    assert ">No interval: 6 differences on fewer than 10 prompts in common.<" in svg
    narrow = texts(draw(report, protocol, "differences-narrow") or "")
    assert narrow.count("p = 1.000") == 9 and narrow.count("no interval") == 6
    pairs = [replace(row, low=row.difference, high=row.difference, p_holm=None) for row in report.comparisons[:1]]
    svg = draw(replace(report, comparisons=[*pairs, *report.comparisons[1:]]), protocol, "differences") or ""
    assert "not tested, no interval" in texts(svg)
    assert (
        ">No interval: 6 differences on fewer than 10 prompts in common; 1 difference that does not vary between "
        "prompts.<" in svg
    )
    few = build(project_of([row for row in rows if row.prompt > "q03"], "few"), Choices(resamples=100))
    assert "differences" not in available(few)


def of_systems(names: list[str]) -> Report:
    """Create up to twenty systems, each wrong on two prompts that no other is wrong on."""
    wrong = {name: {index % 10, (index // 10 + index + 1) % 10} for index, name in enumerate(names)}
    rows = [Row(f"q{n:02}", s, "ravi", SEVERE if n in wrong[s] else ACCURATE) for n in range(10) for s in names]
    return build(project_of(rows), Choices(resamples=100))


def test_twelve_systems_have_a_figure_for_each_measure_and_names_without_their_middle(db):
    names = ["a system whose name goes on and on beyond all measure", *(f"system {n:02}" for n in range(11))]
    report, protocol = of_systems(names), article_accuracy().definition
    own = [name for name in available(report) if name.startswith("differences")]
    assert own == [f"differences-{measure}" for measure in report.overall.measures] and len(own) == 3
    for name in own:
        wide, narrow = (texts(draw(report, protocol, f"{name}{layout}") or "") for layout in ("", "-narrow"))
        assert all(len([text for text in each if text.startswith("p = ")]) == 66 for each in (wide, narrow))
    svg = draw(report, protocol, own[0], "dark") or ""
    assert ">Accurate<" in svg and ">Inaccurate<" not in svg and 'id="differences-accurate-dark-title"' in svg
    assert {"a system whose name g…on beyond all measure −", "system 00", "system 09 − system 10"} <= set(texts(svg))
    assert draw(report, protocol, "differences") is draw(report, protocol, "differences-no_measure") is None


def test_a_pair_that_is_too_long_for_a_line_stands_in_two(db):
    names = ["borealis-instruct-2024-08-06", "borealis-instruct-2024-11-20"]
    svg = draw(of_systems(names), article_accuracy().definition, "differences") or ""
    assert {f"{names[0]} −", names[1]} <= set(texts(svg))
