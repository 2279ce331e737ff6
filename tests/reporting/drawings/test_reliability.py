"""The reliability curve: what it draws, and what it says to those who do not see it."""

import pytest

from annotation.reporting.drawings.drawing import NARROW, WIDE
from annotation.reporting.drawings.reliability import NARROW_WIDTH, WIDTH, reliability_figure
from annotation.reporting.sections.judge.figures import JudgeCalibration, ReliabilityBin

BINS = [
    ReliabilityBin(0.5, 0.6, 4, 2, 0.55, 0.5, None, None),
    ReliabilityBin(0.8, 0.9, 0, 0, None, None, None, None),
    ReliabilityBin(0.9, 1.0, 40, 32, 0.97, 0.8, 0.65, 0.9),
]


@pytest.mark.parametrize(("layout", "width"), [(WIDE, WIDTH), (NARROW, NARROW_WIDTH)])
def test_the_curve_is_square_with_a_title_all_bins_in_words_and_marks_of_those_with_items(layout, width) -> None:
    svg = reliability_figure(JudgeCalibration(44, 0.16, 0.17, 0.15, BINS), layout)
    assert f'd="M0,0h{width}v{width}h-{width}Z"' in svg
    assert '-title">Reliability curve<' in svg
    words = "confidence 55.0 %: accuracy 50.0 %, n 4; confidence 97.0 %: accuracy 80.0 %, n 40 [65.0 – 90.0]"
    assert f">{words}</desc>" in svg
    marks = {kind: svg.count(f'aria-roledescription="{kind}"') for kind in ("point", "bar", "rule mark", "line mark")}
    assert marks == {"point": 2, "bar": 2, "rule mark": 1, "line mark": 2}, (
        "one bin has bounds; the curve, the diagonal"
    )
