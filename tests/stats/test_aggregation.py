"""Majority votes and averages of averages, by hand."""

import dataclasses
import json

import numpy as np
import pytest

from annotation.stats.aggregation import NO_LABEL, UNDECIDED, macro_average, majority, share_of_groups_with_any, winners

# five sentences, votes for Accurate / Unsupported / Inaccurate
VOTES = [[3, 0, 0], [2, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 2]]


def test_the_most_frequent_label_wins_and_without_one_no_share_is_defined():
    assert winners(VOTES).tolist() == [0, 0, UNDECIDED, NO_LABEL, 2]
    result = majority(VOTES)
    assert (result.items, result.no_label, result.undecided, result.decided) == (5, 1, 1, 3)
    assert result.counts == (2, 0, 1)
    assert result.shares == (2 / 3, 0.0, 1 / 3)
    assert json.loads(json.dumps(dataclasses.asdict(result), allow_nan=False))["decided"] == 3
    assert majority([[1, 1]]).shares == majority([[0, 0]]).shares == (None, None)
    assert majority(np.zeros((0, 2))).items == 0
    with pytest.raises(ValueError, match="items x categories"):
        majority([])


def test_averages_give_each_group_the_same_weight_and_groups_with_any_are_among_those_rated():
    # pooled 3/12; by group (2/2 + 1/10 ) / 2; the group without a rating is no group
    assert macro_average([2, 1, 0], [2, 10, 0]) == 0.55
    assert macro_average([0], [0]) is None
    assert macro_average([], []) is None
    assert share_of_groups_with_any([0, 2, 1, 0], [3, 3, 1, 0]) == (2, 3)
    assert share_of_groups_with_any([], []) == (0, 0)
