"""Agreement in a report: bounds where every resample is the same."""

import pytest

from tests.cast import ACCURATE
from tests.reporting.project_rows import MILD, Row, project_of, report_of

LOWEST = 0.025 ** (1 / (12 * (1.959964 / 2.200985) ** 2))  # as in tests/stats/test_mover.py, for 12 prompts


@pytest.mark.parametrize(
    ("prompts", "answers", "slow", "percent", "bounds"),
    [
        pytest.param(12, (ACCURATE, ACCURATE), True, 1, (LOWEST, 1), id="agreement on all items"),
        pytest.param(12, (ACCURATE, MILD), True, 0, (0, 1 - LOWEST), id="agreement on none"),
        pytest.param(9, (ACCURATE, ACCURATE), True, 1, None, id="fewer than ten prompts"),
        pytest.param(12, (ACCURATE, ACCURATE), False, 1, None, id="a live report"),
    ],
)
def test_where_nothing_varies_bounds_are_exact_or_absent(db, prompts, answers, slow, percent, bounds):
    rows = [Row(f"q{n}", "heron", f"r{rater}", given) for n in range(prompts) for rater, given in enumerate(answers)]
    agreement = report_of(project_of(rows), slow=slow).agreement["accuracy"]
    assert agreement.percent == percent
    assert agreement.intervals["percent"] == (pytest.approx(bounds, abs=1e-4) if bounds else None)
    if percent:
        coefficients = (agreement.krippendorff_alpha, agreement.fleiss_kappa)
        assert coefficients == (None, None) and agreement.intervals["krippendorff_alpha"] is None
