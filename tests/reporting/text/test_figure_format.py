"""How a report is put into words: an order only where the data give one, filters said in full."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from annotation.protocols.loading import builtin
from annotation.reporting.parts import Cell, Filters
from annotation.reporting.report import Report
from annotation.reporting.sections.differences.figures import Comparison, best_first
from annotation.reporting.sections.differences.significance import best_system, comparisons_shown
from annotation.reporting.sections.differences.text import (
    comparison_note,
    least_p_note,
    no_interval,
    order_of_systems,
    swap_test_note,
)
from annotation.reporting.text.figure_format import (
    NO_BREAK,
    UNDEFINED,
    agreement_bounds,
    agreement_change,
    agreement_value,
    coefficient,
    coefficient_change,
    duration,
    interpretation,
    p_value,
    points,
)
from annotation.reporting.text.names import Names
from annotation.reporting.text.notes import documents_note, interval_note, pairs_note, rare_note
from annotation.reporting.text.provenance import filters_in_words
from tests.reporting import report_builders
from tests.reporting.report_builders import comparison


def pair(a: str, b: str, difference: float, p_holm: float | None, measure: str = "accurate") -> Comparison:
    return comparison(measure=measure, a=a, b=b, difference=difference, p_holm=p_holm)


def report_of(*pairs: Comparison) -> Report:
    names = sorted({name for row in pairs for name in (row.a, row.b)})
    return report_builders.report(systems=[report_builders.cell(system=name) for name in names], comparisons=pairs)


CLEAR = (pair("a", "b", 0.2, 0.001), pair("a", "c", 0.3, 0.001), pair("b", "c", 0.1, 0.4))


def test_the_best_system_is_better_than_every_other():
    assert best_system(report_of(*CLEAR), "accurate", "higher") == "a"
    alone = report_builders.report(systems=[report_builders.cell(system="a")])
    assert best_system(alone, "accurate", "higher") is None
    last = (pair("a", "b", 0.2, 0.4), pair("a", "c", 0.3, 0.001), pair("b", "c", 0.1, 0.01))
    assert best_system(report_of(*last), "accurate", "lower") == "c"


@pytest.mark.parametrize(
    ("pairs", "better"),
    [
        (CLEAR, "neither"),
        (CLEAR, "lower"),  # two are lowest
        ((pair("a", "b", 0.2, 0.05), pair("a", "c", 0.3, 0.001), pair("b", "c", 0.1, 0.001)), "higher"),
        ((pair("a", "b", 0.2, None),), "higher"),
        ((pair("a", "b", 0.0, 0.001),), "higher"),
        ((pair("a", "b", 0.2, 0.001, "inaccurate"),), "higher"),
    ],
)
def test_without_certainty_nobody_is_best(pairs, better):
    assert best_system(report_of(*pairs), "accurate", better) is None


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


@pytest.mark.parametrize(
    ("write", "values", "written"),
    [
        (coefficient, (-0.001, 0.0, -0.02, -1.0), [".00", ".00", "−.02", "−1.00"]),
        (coefficient_change, (0.001, -0.001, 0.03, -0.03, None), [".00", ".00", "+.03", "−.03", UNDEFINED]),
        (points, (-0.0001, 0.0001), ["0.0", "0.0"]),
        (duration, (None, 4.54, 9.97, 14.25, 99.4, 99.6), ["–", "4.5 s", "10 s", "14 s", "99 s", "1.7 min"]),
        (p_value, (0.0312, 0.0496, 0.0504, 0.04996, 0.0004, 1), [".031", ".0496", ".050", ".04996", "< .001", "1.000"]),
    ],
)
def test_numbers_have_a_sign_and_digits_and_no_p_is_rounded_across_the_threshold(write, values, written):
    assert [write(value) for value in values] == written


def test_agreement_has_digits_and_a_sign():
    values = [agreement_value(name, 0.5204) for name in ("fleiss_kappa", "gwet_ac1", "krippendorff_alpha")]
    assert values == [".520"] * 3 and agreement_value("percent", 0.5204) == "52.0 %"
    part = report_builders.agreement(intervals={"gwet_ac1": (-0.07, 0.2739)})
    assert agreement_bounds("gwet_ac1", part) == "−.070, .274"
    assert agreement_change("krippendorff_alpha", 0.0304) == "+.030"
    assert duration(1963.4) == "33 min"


def test_filters_are_said_in_full():
    filters = Filters(
        answers="adjudicated",
        least_gold=0.8,
        without_raters=["rosa", "tom"],
        least_seconds=1.0,
        systems=["heron"],
        metadata={"question_type": ["advising", "simple factual"]},
    )
    assert list(filters_in_words(filters, "sentence").values()) == [
        "where a sentence was adjudicated, the adjudication replaces its ratings",
        "without raters with an accuracy on gold below 80 %",
        "without the ratings of rosa and tom",
        "without ratings given in less than 1 second",
        "heron only",
        "only prompts whose question type is advising or simple factual",
    ]
    assert filters_in_words(Filters()) == filters_in_words(None) == {}


def test_the_note_on_intervals_names_what_was_drawn():
    figures = [{"accurate": report_builders.measure(method="bca"), "other": report_builders.measure(method="none")}]
    assert interval_note(figures, "document") == (
        "95 % intervals: BCa bootstrap over documents. "
        "No interval where fewer than 10 documents have an assessed rating."
    )


def cell_of(k: int, deff: float | None, system: str | None = None) -> Cell:
    return report_builders.cell({"accurate": report_builders.measure(k / 900, "bca", k, 900, deff)}, system)


@pytest.mark.parametrize(
    ("a", "b", "where"),
    [
        ((450, 40.0), (300, 9.0), None),
        ((90, 8.0), (60, 7.0), "Accurate (b)"),
        ((810, 15.0), (840, 7.0), "Accurate (a, b)"),
        ((0, None), (450, 1.0), "Accurate (a)"),
    ],
)
def test_where_the_rarer_answer_comes_from_few_prompts_the_note_says_so(a, b, where):
    systems = [cell_of(*a, system="a"), cell_of(*b, system="b")]
    report = report_builders.report(systems=systems, overall=cell_of(450, 2.0))
    why = "the rarer answer comes from few prompts, in effect from fewer than 10."
    assert rare_note(report, Names(None)) == (f"Intervals may be too narrow for {where}: {why}" if where else "")


LINEAR, FEW = comparison(method="t", low=0.1), comparison(method="none", prompts=9)
SAMPLED, LACKING = comparison(method="bca", low=0.1), comparison(method="none")
BCA = "BCa bootstrap over documents with the resamples of the proportions"
NO_COMMON = "of two ratios; none where two systems have fewer than 10 prompts in common. p from"


@pytest.mark.parametrize(
    ("rows", "unit", "part"),
    [
        ([SAMPLED], "document", f"95 % intervals: {BCA}. p from swapping the systems within documents"),
        ([LINEAR, SAMPLED], "document", f"{BCA}; elsewhere t bounds of the linearized difference of two ratios."),
        ([SAMPLED, replace(SAMPLED, b="c")], "prompt", "each is for one pair alone, not adjusted for the number of"),
        ([SAMPLED, replace(SAMPLED, b="c")], "prompt", "adjusted over all pairs of a measure (Holm)"),
        ([LINEAR, FEW], "prompt", NO_COMMON),
        ([FEW], "document", "95 % intervals: none, as the systems have fewer than 10 documents in common."),
        ([LINEAR, LACKING], "prompt", "of two ratios; none where the difference does not vary between prompts. p from"),
    ],
)
def test_the_note_on_differences_names_its_intervals_where_there_is_none_and_what_is_adjusted(rows, unit, part):
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
    [row] = comparisons_shown(report_builders.report(comparisons=[alike]))
    assert (row.low, row.high, row.method) == (None, None, "none")
    two = comparison(prompts=2)
    assert least_p_note([two], "prompt") == "With 2 prompts, no p below .500 is possible, whatever the difference."
    for untold in (comparison(prompts=6), comparison(prompts=2, p=None)):
        assert least_p_note([untold], "prompt") == ""
    assert "With 4 documents, no p below .125" in least_p_note([comparison(prompts=8, clusters=4)], "document")
    pairs = [comparison(prompts=6, b=b) for b in "bcd"]
    assert "no p below .094 is possible after adjusting for 3 pairs" in least_p_note(pairs, "prompt")


def test_places_are_counted_among_the_systems_that_have_one():
    rows = [report_builders.rank("inaccurate", name, place) for name, place in (("a", 2), ("b", 1), ("c", None))]
    ranked = best_first(rows, Names(builtin()["article-accuracy"]).better)
    assert [(row.rank, row.low, row.high) for row in ranked] == [(1, 1, 1), (2, 2, 2), (None, None, None)]


@pytest.mark.parametrize(
    ("coefficients", "start", "part"),
    [
        ((0.94, -0.03, 0.94, -0.03), "", "most answers are the same"),
        ((0.673, 0.097, 0.486, 0.102), "Alpha and AC1 are below .667", "rare answer"),  # shares of .77 and .23
        # Shares of .53, .23, .16 and .08: AC1 is higher as it spreads chance over four options, not because of skew.
        ((0.449, 0.132, 0.301, 0.140), "", "too low for firm conclusions"),
    ],
)
def test_low_alpha_is_put_down_to_skew_only_where_one_answer_prevails(coefficients, start, part):
    text = interpretation(report_builders.agreement(*coefficients))
    assert text.startswith(start) and part in text


def test_the_row_of_all_pairs_is_said_to_compare_no_two_systems():
    names = Names(builtin()["pairwise-preference"])
    several = report_builders.report(
        systems=[report_builders.cell(system="a vs b"), report_builders.cell(system="a vs c")]
    )
    assert pairs_note(several, names).endswith("combines different pairs, so it does not compare two systems.")
    assert "all systems" not in pairs_note(report_builders.report(systems=several.systems[:1]), names)
    assert pairs_note(several, Names(builtin()["article-accuracy"])) == ""


def note_on_documents(cluster: str = "prompt", method: str = "korn-graubard", **data: int) -> str:
    cell = report_builders.cell({"accurate": report_builders.measure(method=method)})
    return documents_note(report_builders.report(overall=cell, systems=[cell], cluster=cluster, prompts=24, **data))


def test_where_prompts_share_documents_the_sampling_unit_and_its_limit_are_stated():
    assert "24 prompts are about 12 documents, but" in note_on_documents(documents=12)
    assert "documents are the sampling unit" in note_on_documents("document", documents=12)
    assert "fewer than 10 documents" in note_on_documents(documents=9)
    enough = note_on_documents(documents=9, without_document=1)
    assert "fewer than 10 documents" not in enough
    assert enough.endswith("1 prompt without a document counts as its own document (10 in total).")
    assert note_on_documents() == note_on_documents("prompt", "none", documents=12) == ""
