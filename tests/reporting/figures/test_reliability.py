"""The reliability curve: what it draws, and what it says to those who do not see it."""

import re

import pytest

from annotation.reporting.figures.layout import NARROW, WIDE
from annotation.reporting.figures.reliability import NARROW_WIDTH, WIDTH, reliability_figure
from annotation.reporting.report_parts.judge_comparison import JudgeCalibration, ReliabilityBin

EMPTY = ReliabilityBin(0.8, 0.9, 0, 0, None, None, None, None)
BINS = [
    ReliabilityBin(0.5, 0.6, 4, 2, 0.55, 0.5, None, None),
    EMPTY,
    ReliabilityBin(0.9, 1.0, 40, 32, 0.97, 0.8, 0.65, 0.9),
]
CALIBRATION = JudgeCalibration(44, 0.16, 0.17, 0.15, BINS)


def test_it_has_a_title_and_all_bins_in_words() -> None:
    svg = reliability_figure(CALIBRATION, WIDE)
    assert 'id="reliability-light-title">Reliability curve<' in svg
    words = "confidence 55.0 %: accuracy 50.0 %, n 4; confidence 97.0 %: accuracy 80.0 %, n 40 [65.0 – 90.0]"
    assert f">{words}</desc>" in svg


def test_each_bin_with_items_has_a_point_and_a_bar_and_one_with_bounds_a_line() -> None:
    svg = reliability_figure(CALIBRATION, WIDE)

    def marks(kind: str) -> int:
        return len(re.findall(f'aria-roledescription="{kind}"', svg))

    assert (marks("point"), marks("bar"), marks("rule mark")) == (2, 2, 1)
    assert marks("line mark") == 2, "the curve and the line of perfect calibration"


@pytest.mark.parametrize(("layout", "width"), [(WIDE, WIDTH), (NARROW, NARROW_WIDTH)])
def test_the_curve_is_square(layout, width) -> None:
    svg = reliability_figure(CALIBRATION, layout)
    assert f'd="M0,0h{width}v{width}h-{width}Z"' in svg
