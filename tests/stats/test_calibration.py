"""Calibration by hand, at edges of bins, and undefined."""

import dataclasses
import json

import pytest

from annotation.stats.calibration import calibration


def test_calibration_by_hand_and_at_the_edges():
    # Bins of .5: confidences .2, .4 with one right of two; .5, .9, 1 with two right of three.
    curve = calibration([0.2, 0.4, 0.5, 0.9, 1.0], [0, 1, 1, 0, 1], bins=2)
    low, high = curve.bins
    assert (low.n, low.right, low.accuracy, low.confidence) == (2, 1, 0.5, pytest.approx(0.3))
    assert (high.n, high.right, high.accuracy, high.confidence) == (3, 2, 2 / 3, pytest.approx(0.8))
    assert curve.ece == pytest.approx((2 * 0.2 + 3 * (0.8 - 2 / 3)) / 5)
    assert curve.largest_error == pytest.approx(0.2)
    assert curve.brier == pytest.approx((0.04 + 0.36 + 0.25 + 0.81 + 0) / 5)
    curve = calibration([number / 10 for number in range(11)], [1] * 11, bins=10)
    assert [each.n for each in curve.bins] == [1] * 9 + [2]
    curve = calibration([0.75] * 4, [1, 1, 1, 0])
    assert (curve.ece, curve.largest_error, curve.brier) == (0, 0, 0.1875)


def test_no_verdict_is_undefined():
    curve = calibration([], [])
    assert (curve.n, curve.ece, curve.largest_error, curve.brier) == (0, None, None, None)
    assert {(each.n, each.accuracy, each.confidence) for each in curve.bins} == {(0, None, None)}
    assert json.loads(json.dumps(dataclasses.asdict(curve), allow_nan=False))["n"] == 0


@pytest.mark.parametrize(
    ("confidence", "right", "bins", "message"),
    [
        ([1.1], [1], 10, "between 0 and 1"),
        ([float("nan")], [1], 10, "between 0 and 1"),
        ([0.5], [2], 10, "neither right"),
        ([0.5, 0.5], [1], 10, "one of each"),
        ([0.5], [1], 0, "one at least"),
    ],
)
def test_impossible_arrays_are_refused(confidence, right, bins, message):
    with pytest.raises(ValueError, match=message):
        calibration(confidence, right, bins=bins)
