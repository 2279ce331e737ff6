"""Agreement and accuracy by week: the counts of each rater and of all, and no share where there are few."""

from datetime import UTC, datetime

import pytest

from annotation.models import Rating
from annotation.reporting import live
from annotation.reporting.sections.raters.figures import ALL_RATERS, MIN_RATINGS, WeekCount, trends_of
from tests.cast import ACCURATE, SEVERE, Study, study
from tests.gold_studies import make_gold, rate_next

pytestmark = pytest.mark.django_db
FIRST, SECOND = datetime(2026, 11, 18, 12, tzinfo=UTC), datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.fixture
def june() -> Study:
    """Two raters rate a response of three sentences a week; in the second week they disagree on one."""
    june = study(prompts=2)
    for moment in (FIRST, SECOND):
        for name in ("ravi", "rosa"):
            work, _ = rate_next(june, name, ACCURATE)
            Rating.objects.filter(assignment=work).update(rated_at=moment)
    disputed = Rating.objects.filter(rater=june.people["rosa"], rated_at=SECOND).first()
    assert disputed
    disputed.answers, disputed.choices = SEVERE, SEVERE
    disputed.save()
    return june


def test_agreement_is_counted_by_week_for_each_rater_and_all(june: Study) -> None:
    same = live.live_figures(june.project, trends_of).same
    assert same["ravi"] == [WeekCount("2026-W47", 3, 3), WeekCount("2026-W48", 2, 3)]
    assert same[ALL_RATERS] == [WeekCount("2026-W47", 6, 6), WeekCount("2026-W48", 4, 6)]


def test_accuracy_on_gold_is_counted_in_the_weeks_with_gold_answers(june: Study) -> None:
    response = Rating.objects.filter(rated_at=SECOND)[0].item.response
    make_gold(june, june.responses.index(response), answers=ACCURATE)
    gold = live.live_figures(june.project, trends_of).gold
    assert gold["ravi"] == [WeekCount("2026-W48", 3, 3)]
    assert gold["rosa"] == [WeekCount("2026-W48", 2, 3)]


def test_few_ratings_have_no_share_and_enough_have_wilson_bounds() -> None:
    assert WeekCount("2026-W47", MIN_RATINGS - 1, MIN_RATINGS - 1).share is None
    share = WeekCount("2026-W47", 15, 20).share
    assert share and (share.value, share.k, share.n) == (0.75, 15, 20)
    assert (share.low, share.high) == (pytest.approx(0.5313, abs=1e-4), pytest.approx(0.8881, abs=1e-4))
