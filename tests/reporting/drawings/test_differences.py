"""The forest plot of differences: every pair with its p, an interval where there is one."""

import pytest
from msgspec.structs import replace

from annotation.reporting import Choices, build
from annotation.reporting.drawings import available, draw
from annotation.reporting.report import Report
from tests.cast import ACCURATE, SEVERE, article_accuracy
from tests.reporting.project_rows import Row, project_of
from tests.reporting.report_builders import texts

pytestmark = pytest.mark.django_db


def of_common_prompts(systems: dict[str, int], prompts: int = 12, slug: str = "june") -> Report:
    """Return the report of systems that are as often accurate, each on all prompts from a first one."""
    rows = [
        Row(f"q{n:02}", system, "ravi", ACCURATE if (n + index) % 3 else SEVERE)
        for n in range(prompts)
        for index, (system, first) in enumerate(systems.items())
        if n >= first
    ]
    return build(project_of(rows, slug), Choices(resamples=100))


def drawn(report: Report, name: str = "differences", scheme: str = "light") -> str:
    return draw(report, article_accuracy().definition, name, scheme) or ""


def test_the_forest_plot_gives_no_order_where_there_is_none():
    report = of_common_prompts({"heron": 0, "tern": 0})
    svg = drawn(report)
    assert svg.count(">p = 1.000<") == 3
    assert "heron − tern 0.0 points" in svg and "significant" not in svg
    family = "adjusted over the pairs of a measure (Holm), also where an analysis plan names another family of tests."
    assert f">p: {family}<" in svg
    without = replace(report, comparisons=[])
    assert available(without) == [name for name in available(report) if name != "differences"]
    assert drawn(without) == ""


def test_differences_without_an_interval_have_a_row_with_p_and_are_counted_by_cause():
    report = of_common_prompts({"heron": 0, "tern": 0, "wren": 3})
    svg = drawn(report)
    assert texts(svg).count("p = 1.000") == 3 and texts(svg).count("p = 1.000, no interval") == 6
    assert svg.count('aria-roledescription="point"') == 3
    assert "tern − wren 0.0 points (no interval), p = 1.000" in svg
    assert ">No interval: 6 differences on fewer than 10 prompts in common.<" in svg
    narrow = texts(drawn(report, "differences-narrow"))
    assert narrow.count("p = 1.000") == 9 and narrow.count("no interval") == 6
    pairs = [replace(row, low=row.difference, high=row.difference, p_holm=None) for row in report.comparisons[:1]]
    svg = drawn(replace(report, comparisons=[*pairs, *report.comparisons[1:]]))
    assert "not tested, no interval" in texts(svg)
    causes = "6 differences on fewer than 10 prompts in common; 1 difference that does not vary between prompts."
    assert f">No interval: {causes}<" in svg
    assert "differences" not in available(of_common_prompts({"heron": 0, "tern": 0}, prompts=8, slug="few"))


def of_systems(names: list[str]) -> Report:
    """Return the report of up to twenty systems, each wrong on two prompts that no other is wrong on."""
    wrong = {name: {index % 10, (index // 10 + index + 1) % 10} for index, name in enumerate(names)}
    rows = [Row(f"q{n:02}", s, "ravi", SEVERE if n in wrong[s] else ACCURATE) for n in range(10) for s in names]
    return build(project_of(rows), Choices(resamples=100))


def test_twelve_systems_have_a_figure_for_each_measure_and_names_without_their_middle():
    names = ["a system whose name goes on and on beyond all measure", *(f"system {n:02}" for n in range(11))]
    report = of_systems(names)
    own = [name for name in available(report) if name.startswith("differences")]
    assert own == [f"differences-{measure}" for measure in report.overall.measures] and len(own) == 3
    for layout in ("", "-narrow"):
        rows = [text for text in texts(drawn(report, f"{own[1]}{layout}")) if text.startswith("p = ")]
        assert len(rows) == 66
    svg = drawn(report, own[0], "dark")
    assert ">Accurate<" in svg and ">Inaccurate<" not in svg and 'id="differences-accurate-dark-title"' in svg
    assert {"a system whose name g…on beyond all measure −", "system 00", "system 09 − system 10"} <= set(texts(svg))
    assert drawn(report) == drawn(report, "differences-no_measure") == ""


def test_a_pair_that_is_too_long_for_a_line_stands_in_two():
    names = ["borealis-instruct-2024-08-06", "borealis-instruct-2024-11-20"]
    assert {f"{names[0]} −", names[1]} <= set(texts(drawn(of_systems(names))))
