"""Other aggregations: majority, means by item, response and prompt, Dawid and Skene."""

import pytest

from tests.cast import ACCURATE, CANNOT_ASSESS, SEVERE
from tests.reporting.project_rows import DISPUTED, MILD, Row, project_of, report_of

pytestmark = pytest.mark.django_db


def figures_of(rows: list[Row], slow: bool = False) -> dict:
    """Return the aggregations by system and measure; None is all systems."""
    aggregations = report_of(project_of(rows), slow=slow).to_dict()["aggregations"]
    return {(row["system"], key): measure for row in aggregations for key, measure in row["measures"].items()}


def votes(*items: list[dict]) -> list[Row]:
    """Return the ratings of the sentences of one response, each a list of its raters' answers."""
    return [
        Row("q1", "heron", f"r{rater}", answers, item)
        for item, given in enumerate(items)
        for rater, answers in enumerate(given)
    ]


UNASSESSED = [CANNOT_ASSESS, CANNOT_ASSESS]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        pytest.param(
            ([ACCURATE, ACCURATE, MILD], [ACCURATE, MILD], [MILD, *UNASSESSED], [CANNOT_ASSESS]),
            {"accurate": (0.5, 1, 2, 1)},
            id="a tie is undecided, and what is not assessed is no vote",
        ),
        pytest.param(
            ([ACCURATE, ACCURATE, MILD, DISPUTED, DISPUTED], [ACCURATE, ACCURATE, MILD, DISPUTED]),
            {"accurate": (1.0, 1, 1, 1)},
            id="most votes win though they are fewer than half",
        ),
        pytest.param(
            ([SEVERE, SEVERE, MILD, ACCURATE], [SEVERE, MILD, ACCURATE], [SEVERE, ACCURATE, ACCURATE]),
            {"severely_inaccurate": (0.5, 1, 2, 1), "inaccurate": (2 / 3, 2, 3, 0)},
            id="those who found an inaccuracy decide whether it is severe",
        ),
    ],
)
def test_the_majority_of_a_sentence(items, expected):
    figures = figures_of(votes(*items))
    for measure, numbers in expected.items():
        assert figures[None, measure]["majority"] == dict(zip(("value", "k", "n", "undecided"), numbers, strict=True))


def test_averages_give_each_item_response_and_prompt_the_same_weight():
    rows = votes([ACCURATE, ACCURATE, MILD], [MILD])
    rows += [Row("q1", "plover", "r0", ACCURATE), Row("q2", "heron", "r0", ACCURATE)]
    figures = figures_of([*rows, Row("q3", "heron", "r0", CANNOT_ASSESS)])
    every, heron = figures[None, "accurate"], figures["heron", "accurate"]
    means = [every[f"macro_{unit}"] for unit in ("item", "response", "prompt")]
    assert every["pooled"] == 4 / 6
    assert means == pytest.approx([(2 / 3 + 0 + 1 + 1) / 4, (2 / 4 + 1 + 1) / 3, (3 / 5 + 1) / 2])
    assert heron["macro_prompt"] == heron["macro_response"] == pytest.approx((2 / 4 + 1) / 2)


def test_responses_with_any_count_those_with_an_assessed_rating():
    answers = {"q1": [SEVERE, ACCURATE], "q2": [MILD], "q3": [CANNOT_ASSESS]}
    figures = figures_of(
        [Row(q, "heron", "ravi", each, n) for q, given in answers.items() for n, each in enumerate(given)]
    )
    assert figures[None, "inaccurate"]["responses_with_any"] == {"value": 1.0, "k": 2, "n": 2}
    assert figures[None, "severely_inaccurate"]["responses_with_any"] == {"value": 0.5, "k": 1, "n": 2}


# The third rater calls every fifth accurate sentence inaccurate, against the two others.
ENOUGH = [[ACCURATE, ACCURATE, ACCURATE if n % 5 else MILD] for n in range(30)] + [[MILD] * 3] * 20


@pytest.mark.parametrize(
    ("items", "slow"),
    [(ENOUGH, False), ([[ACCURATE] * 3] * 49, True), ([[ACCURATE] * 2] * 60, True), ([[ACCURATE]] * 80, True)],
    ids=["a live report", "too few items", "too few raters", "one rater"],
)
def test_without_enough_ratings_or_frozen_report_dawid_and_skene_give_no_estimate(items, slow):
    assert figures_of(votes(*items), slow)[None, "accurate"]["dawid_skene"] is None


def test_dawid_and_skene_estimate_the_share_behind_the_errors_of_raters():
    estimate = figures_of(votes(*ENOUGH), slow=True)[None, "accurate"]["dawid_skene"]
    assert estimate == {"value": pytest.approx(0.6, abs=1e-4), "items": 50, "raters": 3}


def test_nothing_to_assess_is_null_everywhere():
    measures = figures_of(votes([CANNOT_ASSESS]), slow=True)[None, "accurate"]
    assert measures["responses_with_any"] == {"value": None, "k": 0, "n": 0}
    assert measures["majority"] == {"value": None, "k": 0, "n": 0, "undecided": 0}
    keys = ("pooled", "macro_item", "macro_response", "macro_prompt", "dawid_skene")
    assert {measures[key] for key in keys} == {None}
