"""The panels by week: what they write, where a line breaks, and fewer weeks on a narrow screen."""

import re

from annotation.reporting.drawings.drawing import NARROW, WIDE
from annotation.reporting.drawings.trends import NARROW_WEEKS, Panel, WeekPoint, trend_figure
from tests.reporting.report_builders import texts

DAYS = [f"{day} Nov" for day in range(1, 10)]
COUNTS = Panel("Finished annotations", False, [WeekPoint(day, n, label=str(n)) for n, day in enumerate(DAYS, 41)])
SHARES = [
    WeekPoint("1 Nov", 0.9, 0.7, 0.97, 20, run=0, label="n 20"),
    WeekPoint("2 Nov", 0.8, 0.6, 0.92, 21, run=0, label="n 21"),
    WeekPoint("3 Nov", None),
    WeekPoint("4 Nov", 0.85, 0.6, 0.95, 22, run=1, label="n 22"),
]


def agreement(points: list[WeekPoint]) -> str:
    return trend_figure("drift", "Drift by week", [Panel("Agreement", True, points)], WIDE)


def test_each_point_has_its_n_and_a_week_without_a_share_breaks_the_line() -> None:
    svg = agreement(SHARES)
    written = texts(svg)
    assert [text for text in written if text.startswith("n ")] == ["n 20", "n 21", "n 22"]
    assert "3 Nov" in written  # the week is on the axis, without a point
    assert "Agreement: 1 Nov 90.0 % (n 20), 2 Nov 80.0 % (n 21), 4 Nov 85.0 % (n 22)" in svg
    assert 'id="drift-light-title">Drift by week<' in svg
    symbol = r'<path aria-label="[^"]*" role="graphics-symbol" aria-roledescription="line mark" d="([^"]+)"'
    lines = re.findall(symbol, svg)
    assert len(lines) == 2
    assert lines[0].count("L") == 1 and "L" not in lines[1].rstrip("Z")


def test_the_axis_and_the_weeks_of_a_narrow_screen() -> None:
    low = [*SHARES, WeekPoint("5 Nov", 0.4, 0.2, 0.6, 20, run=1, label="n 20")]
    high_axis, full_axis = texts(agreement(SHARES)), texts(agreement(low))
    assert "60 %" in high_axis and "0 %" not in high_axis and "0 %" in full_axis
    wide, narrow = (texts(trend_figure("trend", "Trends", [COUNTS], layout)) for layout in (WIDE, NARROW))
    assert [text for text in wide if text in DAYS] == DAYS
    assert [text for text in narrow if text in DAYS] == DAYS[-NARROW_WEEKS:]
    assert "49" in narrow and "41" not in narrow
