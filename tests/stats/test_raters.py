"""One rater beside the others: small cases counted by hand, and what must hold for any ratings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.stats.agreement import agreement
from annotation.stats.proportions import count_table
from annotation.stats.raters import (
    NO_OTHERS,
    agrees_with_majority,
    differences,
    leniency,
    others_labels,
    outlying_raters,
    pair_agreement,
    pair_counts,
)

# Three sentences: all of Ravi (0), Rosa (1) and Tom (2) on the first two, Ravi and Tom on the third.
ITEMS = [0, 0, 0, 1, 1, 1, 2, 2]
RATERS = [0, 1, 2, 0, 1, 2, 0, 2]
LABELS = [0, 0, 1, 0, 1, 2, 3, 3]


@st.composite
def studies(draw, *, most_raters: int = 5, labels: int = 3):
    """Draw (items, raters, labels, clusters): everybody rated everything but the missing ratings, in any order."""
    raters, items = draw(st.integers(2, most_raters)), draw(st.integers(1, 12))
    row = st.lists(st.integers(-1, labels - 1), min_size=raters, max_size=raters)
    table = draw(st.lists(row, min_size=items, max_size=items))
    rows = [(item, rater, label) for item, row in enumerate(table) for rater, label in enumerate(row)]
    item, rater, label = (np.array(column) for column in zip(*draw(st.permutations(rows)), strict=True))
    return item, rater, label, item // 3


def test_a_rating_is_compared_with_the_majority_of_the_others_alone():
    # Sentence 1: the others of Ravi said 0 and 1, a tie. Sentence 3 has one other each.
    tied = NO_OTHERS
    assert agrees_with_majority(ITEMS, LABELS, 4).tolist() == [tied, tied, 0, tied, tied, tied, 1, 1]
    # With Ravi's and Rosa's label the same, only Tom stands against a majority.
    assert agrees_with_majority([0, 0, 0, 0], [1, 1, 1, 2], 3).tolist() == [1, 1, 1, 0]
    assert agrees_with_majority([0, 0, 1], [-1, 2, 0], 3).tolist() == [NO_OTHERS] * 3
    assert agrees_with_majority([], [], 3).tolist() == []


@given(st.integers(2, 6), st.lists(st.integers(0, 3), min_size=1, max_size=20))
def test_identical_raters_all_agree_with_the_others_and_none_is_lenient(raters, labels):
    items = np.repeat(np.arange(len(labels)), raters)
    rater, label = np.tile(np.arange(raters), len(labels)), np.repeat(labels, raters)
    assert agrees_with_majority(items, label, 4).tolist() == [1] * len(items)
    for row in leniency(rater, items // 3, differences(items, label == 0), raters):
        assert (row.raw, row.value, row.items) == (0, 0, len(labels))
        assert row.low == -row.high < 0


@given(studies(labels=2, most_raters=8), st.randoms())
@settings(max_examples=50)
def test_differences_of_an_item_add_up_to_nothing_leniency_is_not_drawn_past_it_and_no_order_matters(study, random):
    items, raters, hits, clusters = study
    number, found = int(raters.max()) + 1, differences(items, hits)
    for item in range(items.max() + 1):
        assert np.nansum(found.each()[items == item]) == pytest.approx(0, abs=1e-12)
    before = leniency(raters, clusters, found, number)
    for row in before:
        if row:
            assert 0 <= row.value / row.raw <= 1 if row.raw else row.value == 0
            assert row.low <= row.value <= row.high
    order, new = (random.sample(range(size), size) for size in (len(items), number))
    assert leniency(raters[order], clusters[order], differences(items[order], hits[order]), number) == before
    after = leniency(np.array(new)[raters], clusters, found, number)
    assert before == [after[rater] for rater in new]


def said(*patterns: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return items, raters and hits of items to which the raters said this."""
    hits = np.array(patterns)
    items, raters = np.indices(hits.shape)
    return items.ravel(), raters.ravel(), hits.ravel()


def test_leniency_is_how_much_more_often_than_the_others_who_must_be_some():
    """Tom says yes to all of forty sentences, Ravi and Rosa to half of them: 50 points more often."""
    items, raters, hits = said(*[(n % 2, n % 2, 1) for n in range(40)])
    ravi, rosa, tom = leniency(raters, items // 2, differences(items, hits), 3)
    assert tom.raw == 0.5 and ravi.raw == rosa.raw == -0.25
    assert 0.3 < tom.low < 0.48 < tom.value < 0.5 < tom.high
    assert [row.items for row in (ravi, rosa, tom)] == [40, 40, 40]
    # One of three said yes: minus a half for the noes, plus one for the yes.
    assert differences([0, 0, 0], [1, 0, 0]).each().tolist() == [1, -0.5, -0.5]
    assert np.isnan(differences([0, 0, 1], [1, -1, 0]).each()).tolist() == [True, True, True]
    assert leniency([0, 0], [0, 0], differences([0, 1], [1, 0]), 2) == [None, None]
    assert leniency([], [], differences([], []), 1) == [None]


def test_what_few_items_say_is_believed_less():
    """The same mean difference on more sentences is drawn less toward 0."""
    rows = []
    for sentences in (8, 16, 32, 80):
        items, raters, hits = said(*[(1, n % 2) for n in range(sentences)])
        rows.append(leniency(raters, items, differences(items, hits), 2)[0])
    assert {row.raw for row in rows} == {0.5}
    values = [row.value for row in rows]
    assert 0 < values[0] < values[1] < values[2] < values[3] < 0.5


def test_raters_far_from_the_others_are_outliers():
    items, raters, hits = said(*[(n % 2, n % 2, 1) for n in range(200)])
    everybody = leniency(raters, items // 5, differences(items, hits), 3)
    assert all(row.high < -0.1 for row in everybody[:2])
    assert list(outlying_raters(items, raters, items // 5, hits, 3, beyond=0.1)) == [2]
    items, raters, hits = said(*[(n % 2, 1) for n in range(200)])
    outliers = outlying_raters(items, raters, items // 5, hits, 2, beyond=0.1)
    assert outliers[0].value == pytest.approx(-outliers[1].value)


def test_pairs_of_raters_are_counted_label_by_label():
    tables = pair_counts(ITEMS, RATERS, LABELS, 4)
    assert list(tables) == [(0, 1), (0, 2), (1, 2)]
    assert tables[0, 1][0].tolist() == [1, 1, 0, 0] and tables[0, 1].sum() == 2
    assert tables[0, 2].sum() == 3 and tables[0, 2][3, 3] == 1
    assert pair_counts([], [], [], 2) == {}
    assert pair_agreement(np.zeros((2, 2), dtype=int)) == (0, None, None)
    assert pair_agreement([[3]]) == (3, 1.0, None)
    # Tom on sentence 1: he said 1, the others 0 and 0. On sentence 2: 2 against 0 and 1. On 3: 3 with 3.
    table = others_labels(ITEMS, RATERS, LABELS, 4, 2)
    assert table.tolist() == [[0, 2, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]]


@given(studies())
def test_two_raters_agree_as_a_table_of_the_two_alone_says(study):
    items, raters, labels, _ = study
    tables = pair_counts(items, raters, labels, 3)
    for (a, b), table in tables.items():
        shared = np.isin(raters, [a, b])
        alone = count_table(items[shared], labels[shared], (items.max() + 1, 3))
        coefficients = agreement(alone[alone.sum(axis=1) == 2])
        n, percent, ac1 = pair_agreement(table)
        assert (n, percent) == (coefficients.items, pytest.approx(coefficients.percent))
        assert ac1 == pytest.approx(coefficients.gwet_ac1)
