"""A report against a plan: every deviation, and Holm's adjustment over each family."""

from dataclasses import replace

import pytest
from msgspec import structs

from annotation.protocols.analysis_plan import AnalysisPlan, Exclusions
from annotation.reporting.parts import Filters, Inference
from annotation.reporting.provenance_record import Deviation
from annotation.reporting.sections.analysis_plan.deviations import deviations, family_tests, unplanned_measures
from tests.reporting.report_builders import cell, comparison, measure, report

PLAN = AnalysisPlan(measures=("accurate", "inaccurate"), comparisons=(("a", "b"), ("a", "c")))
PS = {"accurate": [0.01, 0.02, 0.03], "inaccurate": [0.04, 0.005, None]}
PAIRS = [("a", "b"), ("a", "c"), ("b", "c")]


def frozen(**method):
    """Return a report of systems a, b and c with ± 2 points, and p values as in PS."""
    figure = structs.replace(measure(0.5), low=0.48, high=0.52)
    figures = dict.fromkeys(PS, figure)
    rows = [
        comparison(a=a, b=b, measure=key, p=p, difference=0.1)
        for key, ps in PS.items()
        for (a, b), p in zip(PAIRS, ps, strict=True)
    ]
    built = report(systems=[cell(figures, name) for name in "abc"], comparisons=rows, overall=cell(figures))
    return structs.replace(built, method=structs.replace(built.method, **method))


def test_more_than_was_planned_is_no_deviation():
    assert deviations(PLAN, frozen()) == []
    assert deviations(replace(PLAN, unit="prompt", seed=1, resamples=200, target=0.02), frozen()) == []
    plan = AnalysisPlan(measures=("accurate",), comparisons=(("a", "b"),))
    assert deviations(plan, frozen()) == []
    assert unplanned_measures(plan, frozen()) == ["inaccurate"]


@pytest.mark.parametrize(
    ("plan", "deviation"),
    [
        ({"measures": ("accurate", "strict")}, Deviation("measures", ["accurate", "strict"], ["accurate"])),
        ({"comparisons": (("a", "b"), ("a", "d"))}, Deviation("comparisons", ["a – b", "a – d"], ["a – b"])),
        ({"unit": "document"}, Deviation("unit", ["document"], ["prompt"])),
        ({"seed": 7}, Deviation("seed", ["7"], ["1"])),
        ({"resamples": 10_000}, Deviation("resamples", ["10000"], ["200"])),
        ({"target": 0.01}, Deviation("target", ["0.01"], ["0.02"])),
    ],
)
def test_each_deviation_has_its_topic(plan, deviation):
    assert deviations(replace(PLAN, **plan), frozen()) == [deviation]


@pytest.mark.parametrize(
    ("topic", "planned", "made", "words"),
    [
        ("answers", "adjudicated", "adjudicated", ["adjudicated"]),
        ("least_gold", 0.7, 0.7, ["0.7"]),
        ("least_seconds", 2, 2.0, ["2"]),
        ("without_raters", ("ravi", "rosa"), ["ravi", "rosa"], ["ravi", "rosa"]),
        ("systems", ("a", "b"), ["a", "b"], ["a", "b"]),
        ("metadata", (("type", ("x", "y")),), {"type": ["x", "y"]}, ["type = x", "type = y"]),
    ],
)
def test_an_exclusion_that_was_planned_or_made_alone_is_a_deviation(topic, planned, made, words):
    plan = replace(PLAN, exclusions=Exclusions(**{topic: planned}))
    filtered = structs.replace(frozen(), filters=Filters(**{topic: made}))
    assert deviations(plan, frozen()) == [Deviation(topic, words, [])]
    assert deviations(PLAN, filtered) == [Deviation(topic, [], words)]
    assert deviations(plan, filtered) == []


def test_a_chosen_unit_and_a_missing_interval_deviate():
    chosen = structs.replace(frozen(cluster="document"), inference=Inference(cluster_chosen=True))
    by_rule = structs.replace(frozen(cluster="document"), inference=Inference())
    assert deviations(PLAN, by_rule) == []
    assert deviations(PLAN, chosen) == [Deviation("unit", ["auto"], ["document"])]
    built = report(systems=[cell({"accurate": measure(None)}, "a")], overall=cell({"accurate": measure(None)}))
    plan = AnalysisPlan(measures=("accurate",), target=0.02)
    assert deviations(plan, built) == [Deviation("target", ["0.02"], [])]


@pytest.mark.parametrize(
    ("family", "size", "adjusted"),
    [
        # Holm (1979): the smallest of m p values times m, the next times m - 1 …, never below the one before.
        ("measure", 3, [0.03, 0.04, 0.04, 0.01]),  # .01 × 3, .02 × 2 | .04, .005 × 2 (b – c has no p)
        ("report", 5, [0.04, 0.06, 0.06, 0.025]),  # .005 × 5, .01 × 4, .02 × 3, .03 × 2 → .06, .04 → .06
        ("planned", 4, [0.03, 0.04, 0.04, 0.02]),  # .005 × 4, .01 × 3, .02 × 2, .04
    ],
)
def test_p_is_adjusted_over_the_family_of_the_plan(family, size, adjusted):
    tests, covered = family_tests(replace(PLAN, family=family), frozen())
    assert [(test.a, test.b, test.measure) for test in tests] == [
        ("a", "b", "accurate"), ("a", "c", "accurate"), ("a", "b", "inaccurate"), ("a", "c", "inaccurate")
    ]  # fmt: skip
    assert [test.p_family for test in tests] == pytest.approx(adjusted)
    assert covered == size


def test_a_report_without_comparisons_has_no_tests():
    assert family_tests(PLAN, report()) == ([], 0)
