"""How a report is put into words: an order only where the data give one, filters said in full."""

from typing import Any

import pytest

from annotation.reporting.wording import (
    NO_BREAK,
    UNDEFINED,
    best_system,
    comparison_note,
    difference_bounds,
    filters_in_words,
    interval_note,
    verdicts,
)


def pair(a: str, b: str, difference: float, p_holm: float | None, measure: str = "accurate") -> dict[str, Any]:
    return {"measure": measure, "a": a, "b": b, "difference": difference, "p_holm": p_holm}


def report_of(*pairs: dict[str, Any]) -> dict[str, Any]:
    names = sorted({name for row in pairs for name in (row["a"], row["b"])})
    return {"systems": [{"system": name} for name in names], "comparisons": list(pairs)}


CLEAR = (pair("a", "b", 0.2, 0.001), pair("a", "c", 0.3, 0.001), pair("b", "c", 0.1, 0.4))


def test_the_best_system_is_better_than_every_other():
    assert best_system(report_of(*CLEAR), "accurate", "higher") == "a"


def test_where_lower_is_better_the_lowest_is_best():
    last = (pair("a", "b", 0.2, 0.4), pair("a", "c", 0.3, 0.001), pair("b", "c", 0.1, 0.01))
    assert best_system(report_of(*last), "accurate", "lower") == "c"


@pytest.mark.parametrize(
    ("pairs", "better"),
    [
        (CLEAR, "neither"),
        (CLEAR, "lower"),
        ((pair("a", "b", 0.2, 0.05), pair("a", "c", 0.3, 0.001), pair("b", "c", 0.1, 0.001)), "higher"),
        ((pair("a", "b", 0.2, None),), "higher"),
        ((pair("a", "b", 0.0, 0.001),), "higher"),
        ((pair("a", "b", 0.2, 0.001, "inaccurate"),), "higher"),
    ],
    ids=["no direction", "two are lowest", "p of .05", "no p", "no difference", "another measure"],
)
def test_without_certainty_nobody_is_best(pairs, better):
    assert best_system(report_of(*pairs), "accurate", better) is None


def test_one_system_is_not_the_best_of_all():
    assert best_system({"systems": [{"system": "a"}], "comparisons": []}, "accurate", "higher") is None


def test_a_verdict_names_an_order_only_where_there_is_one():
    said = verdicts(list(CLEAR), "Accurate").replace(NO_BREAK, " ")
    assert said == (
        "Accurate: a is above b by 20.0 points (p = .001); a is above c by 30.0 points (p = .001). "
        "The other pair does not differ significantly."
    )
    assert verdicts([pair("a", "b", 0.2, 0.3)], "Accurate").replace(NO_BREAK, " ") == (
        "Accurate: a and b do not differ significantly (p = .300)."
    )


def test_many_systems_are_counted_not_listed():
    many = [pair(f"s{n}", f"t{n}", 0.1, 0.001 if n < 3 else 0.5) for n in range(7)]
    assert verdicts(many, "Accurate") == "Accurate: 3 of 7 pairs of systems differ significantly."


def test_filters_are_said_in_full():
    filters = {
        "answers": "adjudicated",
        "least_gold": 0.8,
        "without_raters": ["rosa", "tom"],
        "least_seconds": 1.0,
        "systems": ["heron"],
        "metadata": {"question_type": ["advising", "simple factual"]},
    }
    assert filters_in_words(filters, "sentence") == [
        "where a sentence was adjudicated, the adjudication stands as its one rating",
        "without raters who were right on fewer than 80 % of their gold answers",
        "without the ratings of rosa and tom",
        "without ratings given in less than 1 second",
        "heron only",
        "only prompts whose question type is advising or simple factual",
    ]
    assert filters_in_words({}) == []


def test_the_note_on_intervals_names_what_was_drawn():
    cells = [{"measures": {"accurate": {"method": "bca", "value": 0.5}, "other": {"method": "none", "value": 0.1}}}]
    assert interval_note(cells, "document") == (
        "95 % intervals: BCa bootstrap over documents. "
        "No interval where fewer than 10 documents have an assessed rating."
    )


def test_the_note_on_differences_names_what_their_intervals_are():
    sampled, linear = ({"method": method, "difference": 0.2, "low": 0.1} for method in ("bca", "t"))
    bca = "BCa bootstrap over documents with the resamples of the proportions"
    assert f"95 % intervals: {bca}. p from swapping the systems within documents" in comparison_note(
        [sampled], "document"
    )
    both = comparison_note([linear, sampled], "document")
    assert f"{bca}; elsewhere t bounds of the linearised difference of two ratios." in both
    assert "intervals" not in comparison_note([{"method": "t", "low": None, "difference": None}])


def test_the_note_on_differences_says_where_there_is_no_interval():
    linear, lacking = {"method": "t", "low": 0.1}, {"method": "none", "low": None, "high": None}
    few = linear | lacking | {"difference": 0.2}
    assert "of two ratios; none where two systems have fewer than 10 prompts in common. p from" in comparison_note(
        [linear | {"difference": 0.2}, few]
    )
    assert "95 % intervals: none, as the systems have fewer than 10 documents in common." in comparison_note(
        [few], "document"
    )
    assert difference_bounds(few, "document") == "too few documents"
    assert difference_bounds(lacking | {"difference": None}, "prompt") == UNDEFINED
