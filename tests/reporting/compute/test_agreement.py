"""Agreement in a report: bounds where every resample is the same."""

import pytest

from tests.cast import ACCURATE
from tests.reporting.project_rows import MILD, Row, project_of, report_of

pytestmark = pytest.mark.django_db


def rows(prompts: int, *answers: dict) -> list[Row]:
    return [Row(f"q{n:02}", "heron", f"r{rater}", given) for n in range(prompts) for rater, given in enumerate(answers)]


def test_raters_who_agree_on_all_items_have_an_exact_lower_bound_and_no_coefficient():
    """Twelve prompts with an item each: .025^(1 / n) with n = 12 (1.960 / 2.201)², as in tests/stats/test_mover.py."""
    agreement = report_of(project_of(rows(12, ACCURATE, ACCURATE)), slow=True).agreement["accuracy"]
    lowest = 0.025 ** (1 / (12 * (1.959964 / 2.200985) ** 2))
    assert agreement.percent == 1
    assert agreement.intervals["percent"] == pytest.approx((lowest, 1), abs=1e-4)
    assert agreement.krippendorff_alpha is agreement.fleiss_kappa is agreement.intervals["krippendorff_alpha"] is None


def test_raters_who_agree_on_none_have_an_exact_upper_bound():
    agreement = report_of(project_of(rows(12, ACCURATE, MILD)), slow=True).agreement["accuracy"]
    lowest = 0.025 ** (1 / (12 * (1.959964 / 2.200985) ** 2))
    assert agreement.percent == 0
    assert agreement.intervals["percent"] == pytest.approx((0, 1 - lowest), abs=1e-4)


def test_fewer_than_ten_prompts_and_live_reports_have_no_bounds():
    assert (
        report_of(project_of(rows(9, ACCURATE, ACCURATE)), slow=True).agreement["accuracy"].intervals["percent"] is None
    )
    live = report_of(project_of(rows(12, ACCURATE, ACCURATE), "live")).agreement["accuracy"]
    assert live.intervals["percent"] is None
