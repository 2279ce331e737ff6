"""Amounts by the rate that was valid in a week, a rater's own before that of all."""

from copy import deepcopy
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Assignment, AuditEvent, PayRate, Rating
from annotation.projects.hours import weeks_of_work
from annotation.projects.pay_rates import paid_weeks, pay_rates, set_pay_rate, totals
from tests.cast import Study, study
from tests.web.pages import rates

pytestmark = pytest.mark.django_db
FIRST, SECOND = datetime(2026, 11, 18, 12, tzinfo=UTC), datetime(2026, 11, 25, 12, tzinfo=UTC)
WEDNESDAY, NEXT_WEDNESDAY = FIRST.date(), SECOND.date()


@pytest.fixture(scope="module")
def rated(module_rows) -> Study:
    june = study(prompts=2)
    for moment in (FIRST, SECOND):
        for name in ("ravi", "rosa"):
            assignment = rates(june.people[name], june.project)
            Rating.objects.filter(assignment=assignment).update(seconds=600, rated_at=moment)
            Assignment.objects.filter(pk=assignment.pk).update(finished_at=moment)
    return june


@pytest.fixture
def june(rated: Study) -> Study:
    """Ravi and Rosa rate two responses each, three sentences of ten minutes, a week apart."""
    return deepcopy(rated)


def set_rate(june: Study, amount: str | None, day: date, *, rater: str = "", currency: str = "EUR") -> PayRate:
    value = None if amount is None else Decimal(amount)
    people = june.people
    return set_pay_rate(
        june.project, value, currency, day, rater=people[rater] if rater else None, actor=people["lena"]
    )


def amounts(june: Study) -> dict[tuple[str, str], str]:
    """Return the amount, with its currency, by rater and Monday."""
    weeks = paid_weeks(weeks_of_work(june.project), list(pay_rates(june.project)))
    return {
        (week.work.rater.username, week.work.monday.isoformat()): f"{week.amount} {week.rate.currency}"
        for week in weeks
        if week.rate
    }


def test_a_rate_is_valid_from_the_monday_of_its_week_on_and_leaves_earlier_weeks_as_they_were(june: Study) -> None:
    assert set_rate(june, "30", NEXT_WEDNESDAY).starts_on == date(2026, 11, 23)
    assert amounts(june) == {("ravi", "2026-11-23"): "15.00 EUR", ("rosa", "2026-11-23"): "15.00 EUR"}
    set_rate(june, "20", date(2026, 1, 1))
    assert amounts(june)["ravi", "2026-11-16"] == "10.00 EUR"
    assert amounts(june)["ravi", "2026-11-23"] == "15.00 EUR"


def test_the_same_week_again_replaces_the_rate_and_each_change_is_recorded(june: Study) -> None:
    set_rate(june, "20", WEDNESDAY)
    set_rate(june, "21", WEDNESDAY)
    assert amounts(june)["ravi", "2026-11-16"] == "10.50 EUR"
    event = AuditEvent.objects.filter(action="set pay rate").first()
    assert event and (event.before, event.after) == ("20.00 EUR", {"rate": "21 EUR", "from": "2026-11-16"})


def test_the_own_rate_of_a_rater_goes_first_until_it_is_ended(june: Study) -> None:
    set_rate(june, "20", WEDNESDAY)
    set_rate(june, "25.01", WEDNESDAY, rater="rosa", currency="USD")
    assert amounts(june)["rosa", "2026-11-23"] == "12.51 USD"  # 12.505, half up
    set_rate(june, None, NEXT_WEDNESDAY, rater="rosa")
    assert amounts(june)["rosa", "2026-11-16"] == "12.51 USD"
    assert amounts(june)["rosa", "2026-11-23"] == "10.00 EUR"
    weeks = paid_weeks(weeks_of_work(june.project), list(pay_rates(june.project)))
    assert totals(weeks) == [(Decimal("30.00"), "EUR"), (Decimal("12.51"), "USD")]


def test_the_database_refuses_a_negative_rate_one_from_no_monday_and_one_without_a_currency(june: Study) -> None:
    for values in ({"amount": -1}, {"starts_on": date(2026, 11, 24)}, {"currency": "eur"}):
        row = {"amount": 1, "starts_on": date(2026, 11, 23), "currency": "EUR"} | values
        with pytest.raises(IntegrityError), transaction.atomic():
            PayRate.objects.create(project=june.project, **row)
