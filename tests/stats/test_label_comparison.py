"""Labels against labels: Cohen's textbook table, a worked example, properties."""

import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from annotation.stats.label_comparison import confusion, detection, match

SQUARES = st.integers(1, 5).flatmap(lambda q: arrays(np.int64, (q, q), elements=st.integers(0, 30)))


def test_cohens_textbook_table_and_quadratic_weights():
    # 20 yes-yes, 5 and 10 across, 15 no-no: observed .7, expected .5 * .6 + .5 * .4 = .5
    comparison = match([[20, 5], [10, 15]])
    assert (comparison.n, comparison.accuracy) == (50, 0.7)
    assert comparison.cohen_kappa == pytest.approx(0.4, abs=1e-15)
    assert comparison.cohen_kappa_quadratic == pytest.approx(0.4, abs=1e-15)
    # f1 of yes 40/55, of no 30/45
    assert comparison.macro_f1 == pytest.approx((40 / 55 + 30 / 45) / 2)
    near, far = match([[5, 2, 0], [0, 5, 0], [0, 0, 5]]), match([[5, 0, 2], [0, 5, 0], [0, 0, 5]])
    assert near.accuracy == far.accuracy
    assert near.cohen_kappa_quadratic > far.cohen_kappa_quadratic


def test_figures_that_one_category_or_nothing_leaves_are_undefined():
    assert match([[2, 1, 0], [0, 3, 0], [0, 0, 0]]).macro_f1 == match([[2, 1], [0, 3]]).macro_f1
    comparison = match([[4, 0], [0, 0]])
    assert (comparison.accuracy, comparison.cohen_kappa, comparison.cohen_kappa_quadratic) == (1.0, None, None)
    rates = detection([[5, 0], [0, 0]], {1})
    assert (rates.precision, rates.recall, rates.f1, rates.mcc, rates.balanced_accuracy) == (None,) * 5
    for table in ([[0, 0], [0, 0]], np.zeros((0, 0))):
        comparison = match(table)
        assert (comparison.n, comparison.accuracy, comparison.cohen_kappa, comparison.macro_f1) == (0, None, None, None)


def test_detection_by_hand():
    # rows true, columns judged; the last two categories are problems
    rates = detection([[70, 5, 5], [4, 6, 0], [2, 1, 7]], {1, 2})
    assert (rates.tp, rates.fp, rates.fn, rates.tn) == (14, 10, 6, 70)
    assert (rates.precision, rates.recall) == (14 / 24, 14 / 20)
    assert rates.f1 == 28 / 44
    assert rates.mcc == pytest.approx((14 * 70 - 10 * 6) / math.sqrt(24 * 20 * 80 * 76))
    assert rates.balanced_accuracy == pytest.approx((14 / 20 + 70 / 80) / 2)


def test_missing_labels_are_not_counted_and_tables_must_be_square():
    # accurate 0, inaccurate 1, cannot assess 2; the fifth item was not answered
    table = confusion([0, 0, 1, 1, 0], [0, 2, 1, 2, -1], 3)
    assert (match(table).n, match(table).accuracy) == (4, 0.5)
    assert dataclasses.astuple(match(confusion([0, 1], [-1, -1], 3))) == (0, None, None, None, None)
    assert confusion([0, 0, 1, -1], [1, 1, 0, 0], 2).tolist() == [[0, 2], [1, 0]]
    with pytest.raises(ValueError, match="as many rows as columns"):
        match([[1, 2]])


@given(SQUARES)
def test_figures_stay_in_their_ranges_go_to_json_and_kappa_does_not_ask_who_is_right(table):
    figures = dataclasses.asdict(match(table)) | dataclasses.asdict(detection(table, {0}))
    assert json.loads(json.dumps(figures, allow_nan=False)) == figures
    for name in ("accuracy", "macro_f1", "precision", "recall", "f1", "balanced_accuracy"):
        assert figures[name] is None or 0 <= figures[name] <= 1
    for name in ("cohen_kappa", "cohen_kappa_quadratic", "mcc"):
        assert figures[name] is None or -1 - 1e-12 <= figures[name] <= 1 + 1e-12
    other = match(table.T)
    assert (other.cohen_kappa, other.cohen_kappa_quadratic) == (
        figures["cohen_kappa"], figures["cohen_kappa_quadratic"]
    )  # fmt: skip
