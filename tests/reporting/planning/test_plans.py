"""Plans from a project's figures, and its intervals against a target."""

import random
from typing import NamedTuple

import pytest

from annotation.models import Project
from annotation.reporting import build
from annotation.reporting.data.project_items import ProjectSize, read_project_size
from annotation.reporting.live import live_figures
from annotation.reporting.planning.figures import DEFAULTS, own_figures, summarize_ratings
from annotation.reporting.planning.plans import (
    correlations_of,
    design_of,
    difference_test_of,
    half_widths,
    largest_plan,
    plans_for_target,
    sample_plan,
    widest_system,
    with_given,
)
from annotation.reporting.report import Report
from annotation.reporting.sections.differences.significance import TestFamily, detectable_differences
from annotation.stats.planning import Correlations, Design, planned_half_width
from annotation.stats.power import detectable_difference
from tests.cast import ACCURATE
from tests.reporting.project_rows import MILD, Row, documents_of_prompts, project_of, two_systems, worked_example

pytestmark = pytest.mark.django_db


class Planned(NamedTuple):
    """The report of a project, and what its plans are made from."""

    report: Report
    size: ProjectSize
    rated: object

    @classmethod
    def of(cls, project: Project) -> "Planned":
        return cls(build(project), read_project_size(project), live_figures(project, summarize_ratings))

    def plans(self, target: float) -> dict:
        return plans_for_target(self.size, self.rated, target)

    def figures(self, measure: str, system: str) -> dict[str, float]:
        """Return the figures that the planner shows."""
        return DEFAULTS | own_figures(self.size, self.rated, measure, system)


@pytest.fixture(scope="module")
def worked(module_rows) -> Planned:
    return Planned.of(project_of(worked_example(), "worked"))


def test_intervals_are_compared_with_the_target_system_by_system(worked):
    alder = worked.report.systems[0].measures["accurate"]
    half = (alder.high - alder.low) / 2
    widths = {(width.system, width.measure): width for width in half_widths(worked.report, half, worked.plans(half))}
    assert len(widths) == 6
    reached = widths["Alder", "accurate"]
    assert (reached.met, reached.half_width) == (True, half)
    [narrower, *_] = half_widths(worked.report, half / 2, worked.plans(half / 2))
    assert not narrower.met and narrower.plan.prompts > 4 * 12 * 0.8  # half the width: about four times the prompts
    assert {width.met for width in half_widths(worked.report, None)} == {None}
    [first, *_] = half_widths(build(project_of([Row("q1", "heron", "ravi", ACCURATE)])), 0.1)
    assert (first.value, first.half_width, first.met, first.plan) == (1, None, None, None)


def test_a_target_is_planned_with_the_figures_of_the_planner_and_the_largest_plan_is_that_for_all_systems(worked):
    of_both = worked.plans(0.05)
    for (system, measure), found in of_both.items():
        values = worked.figures(measure, system) | {"half_width": 0.05, "difference": 0.1, "power": 0.8, "pairs": 1}
        planned = sample_plan(values | {"prompts": 100}, "prompt")
        assert [row.plan for row in planned.margins if row.is_overlap] == [found]
    largest = largest_plan(of_both, "accurate")
    assert largest == of_both[widest_system(of_both, "accurate"), "accurate"]
    assert largest.units == max(plan.units for (_, measure), plan in of_both.items() if measure == "accurate")
    assert largest_plan({}, "accurate") is None


def test_a_plan_of_the_present_size_has_the_present_width():
    """With documents of four prompts each as the unit; intervals and plans count the same pairs of ratings."""
    project = documents_of_prompts(project_of(two_systems(120)), {f"q{n:03}": f"d{n // 4}" for n in range(120)})
    planned = Planned.of(project)
    assert (planned.size.unit, planned.rated.unit) == ("document", "document")
    for width in half_widths(planned.report, 0.05):
        if width.measure == "accurate":
            figures = planned.figures(width.measure, width.system)
            design = design_of(figures, "document")
            of_plan = planned_half_width(figures["share"], 30, design, correlations_of(figures, "document"))
            assert of_plan >= width.half_width  # here prompts of one document differ more than by chance
            assert design.prompts == 4


def test_a_plan_has_the_width_of_the_report_where_long_responses_are_about_the_same_documents():
    """Of 24 documents of four prompts six have responses of 16 sentences, the others of 2."""
    drawn = random.Random(3)
    chance = [drawn.choice((0.5, 0.7, 0.9)) for _ in range(24)]
    rows = [
        Row(f"q{n:03}", "heron", "ravi", ACCURATE if drawn.random() < chance[n // 4] else MILD, i)
        for n in range(96)
        for i in range(16 if n // 4 % 4 == 0 else 2)
    ]
    planned = Planned.of(documents_of_prompts(project_of(rows), {f"q{n:03}": f"d{n // 4}" for n in range(96)}))
    figures, of_size = planned.figures("accurate", "heron"), planned.size.figures
    assert [figures["unit_variation"], of_size["unit_variation"]] == pytest.approx([1.21, 1.21], abs=0.005)
    [width] = [row for row in half_widths(planned.report, 0.05) if row.measure == "accurate"]
    alike = correlations_of(figures, "document")
    of_plan = planned_half_width(figures["share"], 24, design_of(figures, "document"), alike)
    assert of_plan == pytest.approx(width.half_width, rel=0.15)
    by_parts = design_of(with_given(figures, {"variation": figures["variation"]}), "document")
    assert by_parts.unit_variation == pytest.approx(1.21 / 4, abs=0.005)
    assert planned_half_width(figures["share"], 24, by_parts, alike) < 0.85 * of_plan


def test_documents_enter_a_design_only_if_they_are_the_unit_and_smaller_groups_are_at_least_as_alike():
    figures = DEFAULTS | {"prompts_per_document": 3, "document_variation": 0.2, "overlap": 2}
    assert design_of(figures, "document") == Design(7.6, 2, 1.0, 3, 0.2)
    assert design_of(figures, "prompt", 1) == Design(7.6, 1, 1.0)
    figures = DEFAULTS | {"icc_document": 0.3, "icc": 0.2, "icc_sentence": 0.1}
    assert correlations_of(figures, "document") == Correlations(0.3, 0.3, 0.0, 0.3)
    assert correlations_of(figures, "prompt") == Correlations(0.2, 0.2)
    # Figures that somebody gives replace the observed sizes of documents.
    own = {"variation": 1.0, "document_variation": 0.2, "unit_variation": 2.0, "share": 0.8}
    assert with_given(own, {"share": 0.7})["unit_variation"] == 2
    assert "unit_variation" not in with_given(own, {"document_variation": 0.1})
    assert with_given(own, {"document_variation": 0.1, "unit_variation": 3.0})["unit_variation"] == 3


def test_planner_and_methods_detect_the_same_difference_with_the_same_inputs():
    """Of two systems without a correlation below 0 the plan of Heron (2 of 3) has Plover's share as the other one."""
    planned = Planned.of(project_of(two_systems(120)))
    values = planned.figures("accurate", "heron") | {"power": 0.8, "pairs": 1}
    assert min(values[name] for name in ("icc", "icc_sentence")) >= 0 and values["systems"] == 2
    inputs = design_of(values, "prompt"), correlations_of(values, "prompt"), difference_test_of(values)
    found = detectable_difference(values["share"], planned.report.data.prompts, *inputs)
    [reported] = detectable_differences(planned.report, TestFamily(1))["accurate"]
    assert found == pytest.approx(reported, rel=0.05)
