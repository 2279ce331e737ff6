"""Differences between systems, and their ranks, with many and with few prompts."""

import pytest
from msgspec.structs import replace

from annotation.reporting.sections.differences.figures import Rank
from annotation.reporting.sections.differences.significance import comparisons_shown
from tests.cast import ACCURATE
from tests.reporting.project_rows import Row, project_of, report_of, two_systems

pytestmark = pytest.mark.django_db


def test_with_fifty_prompts_differences_and_ranks_come_from_the_resamples():
    report = report_of(project_of(two_systems(60)))
    methods = {row.measure: row.method for row in report.comparisons}
    assert methods == {"accurate": "bca", "inaccurate": "bca", "severely_inaccurate": "mover"}
    accurate = next(row for row in report.comparisons if row.measure == "accurate")
    assert accurate.difference == pytest.approx(40 / 60 - 30 / 60)
    assert accurate.low < accurate.difference < accurate.high
    ranks = {(row.measure, row.system): row.rank for row in report.ranks}
    assert (ranks["accurate", "heron"], ranks["accurate", "plover"]) == (1, 2)
    assert (ranks["inaccurate", "heron"], ranks["inaccurate", "plover"]) == (2, 1)
    assert all(1 <= row.low <= row.rank <= row.high <= 2 for row in report.ranks)


@pytest.mark.parametrize(("prompts", "expected"), [(9, "none"), (10, "t")])
def test_with_fewer_than_ten_prompts_in_common_a_difference_is_shown_without_an_interval(prompts, expected):
    rows = [row for row in two_systems(12) if row.system == "heron" or int(row.prompt[1:]) < prompts]
    report = report_of(project_of(rows))
    for row, row_shown in zip(report.comparisons, comparisons_shown(report), strict=True):
        never_severe = row.measure == "severely_inaccurate" and expected == "t"
        assert (row.prompts, row.clusters, row.method) == (prompts, prompts, "mover" if never_severe else "t")
        assert row.low <= row.difference <= row.high and row.p is not None
        assert row_shown == (row if expected == "t" else replace(row, low=None, high=None, method="none"))
    assert any(row_shown.method == expected for row_shown in comparisons_shown(report))


def test_a_single_system_and_few_prompts_have_a_rank_without_bounds():
    report = report_of(project_of([Row("q1", "heron", "ravi", ACCURATE)]))
    assert report.ranks[0] == Rank("accurate", "heron", 1, None, None)
