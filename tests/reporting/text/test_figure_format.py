"""Number formats, and how to read coefficients of agreement."""

from functools import partial

import pytest

from annotation.reporting.text.figure_format import (
    UNDEFINED,
    agreement_bounds,
    agreement_change,
    agreement_value,
    coefficient,
    duration,
    interpretation,
    p_value,
    points,
)
from tests.reporting.report_builders import agreement


@pytest.mark.parametrize(
    ("write", "values", "written"),
    [
        (coefficient, (-0.001, 0.0, -0.02, -1.0), [".00", ".00", "−.02", "−1.00"]),
        (
            partial(agreement_change, "krippendorff_alpha"),
            (0.0001, -0.0001, 0.0304, -0.03, None),
            [".000", ".000", "+.030", "−.030", UNDEFINED],
        ),
        (points, (-0.0001, 0.0001), ["0.0", "0.0"]),
        (
            duration,
            (None, 4.54, 9.97, 14.25, 99.4, 99.6, 1963),
            ["–", "4.5 s", "10 s", "14 s", "99 s", "1.7 min", "33 min"],
        ),
        (p_value, (0.0312, 0.0496, 0.0504, 0.04996, 0.0004, 1), [".031", ".0496", ".050", ".04996", "< .001", "1.000"]),
    ],
)
def test_numbers_have_a_sign_and_digits_and_no_p_is_rounded_across_the_threshold(write, values, written):
    assert [write(value) for value in values] == written


def test_agreement_has_digits():
    values = [agreement_value(name, 0.5204) for name in ("fleiss_kappa", "gwet_ac1", "krippendorff_alpha")]
    assert values == [".520"] * 3 and agreement_value("percent", 0.5204) == "52.0 %"
    part = agreement(intervals={"gwet_ac1": (-0.07, 0.2739)})
    assert agreement_bounds("gwet_ac1", part) == "−.070, .274"


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
    text = interpretation(agreement(*coefficients))
    assert text.startswith(start) and part in text
