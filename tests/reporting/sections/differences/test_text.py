"""What differs between the test of a difference and that of the crossed model, where both stand in a report."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from annotation.protocols.loading import builtin
from annotation.reporting.report import Report
from annotation.reporting.sections.crossed_models.figures import CrossedModel, OddsRatio, VarianceComponent
from annotation.reporting.sections.differences.figures import Comparison, best_first
from annotation.reporting.sections.differences.significance import best_system, comparisons_shown
from annotation.reporting.sections.differences.text import (
    comparison_note,
    least_p_note,
    no_interval,
    order_of_systems,
    swap_test_note,
    two_tests,
)
from annotation.reporting.text.figure_format import NO_BREAK
from annotation.reporting.text.names import Names
from tests.reporting.report_builders import cell, comparison, rank, report

RATERS = VarianceComponent("rater", 3, 0.2)


def model(p: float, variance: float = 0.4) -> CrossedModel:
    components = [VarianceComponent("item", 300, variance), VarianceComponent("document", 20, 0.2)]
    return CrossedModel(
        measure="accurate", ratings=900, status="fitted", log_likelihood=-20.0, components=components, marginal=[],
        odds_ratios=[OddsRatio("a", "b", 2.1, 1.4, 3.2, p, p)],
    )  # fmt: skip


def both(p_of_difference: float | None, p_of_model: float, **options) -> Report:
    row = comparison(p=p_of_difference, p_holm=p_of_difference)
    return replace(report(comparisons=[row], cluster="document"), crossed_models=[model(p_of_model, **options)])


def said(found: Report) -> str:
    names = Names(None)
    return two_tests(found, names, names.measure)


def test_pairs_are_named_that_one_test_alone_finds():
    text = said(both(0.335, 0.0002))
    assert "weights all ratings alike, so that long responses and documents count more" in text
    assert "its sampling unit is the document, and its raters are fixed" in text
    assert "holds systems fixed, and has random effects of items and documents" in text
    assert "in only one of the two: Accurate, a / b (difference: p = .335; model: p < .001). Report the test" in text
    assert "in only one of the two: Accurate, a / b (difference: p = .012; model: p = .200)." in said(both(0.012, 0.2))
    text = said(both(0.01, 0.0002))
    assert "answer different questions" in text and "only one" not in text
    assert said(report(comparisons=[comparison(p_holm=0.3)])) == ""
    assert said(both(None, 0.01)) == ""
    assert said(both(0.335, 0.0002, variance=67.6)) == ""
    few = replace(both(0.335, 0.0002), crossed_models=[replace(model(0.0002), components=[RATERS])])
    assert "has random effects of raters. Significant" in said(few)


def pair(a: str, b: str, difference: float, p_holm: float | None, measure: str = "accurate") -> Comparison:
    return comparison(measure=measure, a=a, b=b, difference=difference, p_holm=p_holm)


def report_of(*pairs: Comparison) -> Report:
    names = sorted({name for row in pairs for name in (row.a, row.b)}) or ["a"]
    return report(systems=[cell(system=name) for name in names], comparisons=pairs)


CLEAR = (pair("a", "b", 0.2, 0.001), pair("a", "c", 0.3, 0.001), pair("b", "c", 0.1, 0.4))


@pytest.mark.parametrize(
    ("pairs", "better", "best"),
    [
        (CLEAR, "higher", "a"),
        ((pair("a", "b", 0.2, 0.4), pair("a", "c", 0.3, 0.001), pair("b", "c", 0.1, 0.01)), "lower", "c"),
        (CLEAR, "neither", None),
        (CLEAR, "lower", None),  # two are lowest
        ((pair("a", "b", 0.2, 0.05), pair("a", "c", 0.3, 0.001), pair("b", "c", 0.1, 0.001)), "higher", None),
        ((pair("a", "b", 0.2, None),), "higher", None),
        ((pair("a", "b", 0.0, 0.001),), "higher", None),
        ((pair("a", "b", 0.2, 0.001, "inaccurate"),), "higher", None),
        ((), "higher", None),
    ],
)
def test_the_best_system_is_significantly_better_than_every_other(pairs, better, best):
    assert best_system(report_of(*pairs), "accurate", better) == best


def verdict(pairs: Sequence[Comparison], measure: str = "Accurate") -> str:
    return order_of_systems(list(pairs), measure).replace(NO_BREAK, " ")


def test_a_verdict_names_an_order_only_where_there_is_one_and_the_rate_in_words():
    assert verdict(CLEAR) == (
        "Accurate: a has a higher accurate rate than b, by 20.0 points (p = .001); "
        "a has a higher accurate rate than c, by 30.0 points (p = .001). "
        "The other pair does not differ significantly (p = .400)."
    )
    assert verdict([pair("a", "b", 0.2, 0.3)]) == "Accurate: a and b do not differ significantly (p = .300)."
    clear = [pair("vicuna", "turbo", 0.027, 0.004)]
    assert verdict(clear, "Severely inaccurate") == (
        "Severely inaccurate: vicuna has a higher severely-inaccurate rate than turbo, by 2.7 points (p = .004)."
    )
    assert "has a higher “Names ≥ 2 sources” rate than" in verdict(clear, "Names ≥ 2 sources")


def test_a_verdict_on_many_systems_says_which_differ_without_figures_and_stays_short():
    rows = [pair("a", "b", -0.1, 0.001), pair("a", "c", 0.1, 0.001), pair("b", "c", 0.2, 0.001), pair("a", "d", 0, 0.5)]
    assert verdict(rows) == (
        "Accurate: 3 of 4 pairs of systems differ significantly: b has a higher rate than a and c; "
        "a has a higher rate than c."
    )
    one = verdict([rows[0], *(replace(row, p_holm=0.3) for row in rows[1:])])
    assert "1 of 4 pairs of systems differs significantly: b has a higher rate than a." in one
    many = [pair("s", f"t{n}", 0.1, 0.001) for n in range(7)] + [pair(f"t{n}", "u", 0.1, 0.001) for n in range(7)]
    assert verdict(many) == (
        "Accurate: all 14 pairs of systems differ significantly: s has a higher rate than t0, t1, t2, t3, t4, t5 "
        "and t6; t0 has a higher rate than u; 6 more pairs."
    )


LINEAR, FEW = comparison(method="t", low=0.1), comparison(method="none", prompts=9)
SAMPLED, LACKING = comparison(method="bca", low=0.1), comparison(method="none")
BCA = "BCa bootstrap over documents with the resamples of the proportions"
NO_COMMON = "of two ratios; none where two systems have fewer than 10 prompts in common. p from"


@pytest.mark.parametrize(
    ("rows", "unit", "part"),
    [
        ([SAMPLED], "document", f"95 % intervals: {BCA}. p from swapping the systems within documents"),
        ([LINEAR, SAMPLED], "document", f"{BCA}; elsewhere t bounds of the linearized difference of two ratios."),
        ([LINEAR, FEW], "prompt", NO_COMMON),
        ([FEW], "document", "95 % intervals: none, as the systems have fewer than 10 documents in common."),
        ([LINEAR, LACKING], "prompt", "of two ratios; none where the difference does not vary between prompts. p from"),
    ],
)
def test_the_note_on_differences_names_its_intervals_and_where_there_is_none(rows, unit, part):
    assert part in comparison_note(rows, unit)


def test_a_difference_without_an_interval_says_why():
    assert "intervals" not in comparison_note([comparison(method="t", difference=None)])
    assert no_interval(FEW, "document") == "(too few documents)"
    assert no_interval(LACKING, "prompt") == "(no variation)"
    assert no_interval(comparison(method="none", difference=None), "prompt") == ""


def test_the_note_on_differences_names_the_test():
    """Older reports, whose test is not studentized, are described as before."""
    exact, drawn, untested = comparison(swaps=None), comparison(swaps=10_000), comparison(p=None)
    assert swap_test_note([drawn], "prompt", studentized=False) == (
        "p from swapping the systems within prompts, adjusted over all pairs of a measure (Holm)."
    )
    for name, rows in {
        "an exact permutation test": [exact, untested],
        "a permutation test with random swaps": [drawn],
        "a permutation test (exact on up to 16 documents, else with random swaps)": [exact, drawn],
    }.items():
        assert swap_test_note(rows, "document", studentized=True) == (
            f"p from {name}, which swaps the systems within documents and compares the difference over its standard "
            "error (studentized); adjusted over all pairs of a measure (Holm)."
        )


def test_bounds_that_differ_by_rounding_are_no_interval_and_where_no_p_is_small_it_is_said():
    alike = comparison(method="bca", low=0.2 - 3e-17, high=0.2 + 3e-17)
    [row] = comparisons_shown(report(comparisons=[alike]))
    assert (row.low, row.high, row.method) == (None, None, "none")
    two = comparison(prompts=2)
    assert least_p_note([two], "prompt") == "With 2 prompts, no p below .500 is possible, whatever the difference."
    for untold in (comparison(prompts=6), comparison(prompts=2, p=None)):
        assert least_p_note([untold], "prompt") == ""
    assert "With 4 documents, no p below .125" in least_p_note([comparison(prompts=8, clusters=4)], "document")
    pairs = [comparison(prompts=6, b=b) for b in "bcd"]
    assert "no p below .094 is possible after adjusting for 3 pairs" in least_p_note(pairs, "prompt")


def test_places_are_counted_among_the_systems_that_have_one():
    rows = [rank("inaccurate", name, place) for name, place in (("a", 2), ("b", 1), ("c", None))]
    ranked = best_first(rows, Names(builtin()["article-accuracy"]).better)
    assert [(row.rank, row.low, row.high) for row in ranked] == [(1, 1, 1), (2, 2, 2), (None, None, None)]
