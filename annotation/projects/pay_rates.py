"""Pay rates per hour, and the amounts of weeks of work. They are the leads': raters see their hours only.

A rate is valid from a week on, for all raters or for one, whose own rate goes before that of all. What was worked
earlier keeps its amount when a rate changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from django.db import transaction
from django.db.models import QuerySet

from ..audit import record
from ..models import PayRate, Project, User
from ..pseudonyms import in_shown_order, shown_username
from .hours import WeekOfWork, weeks_of_work

CURRENCY = r"^[A-Z]{3}$"
CENT = Decimal("0.01")


@dataclass(frozen=True)
class PaidWeek:
    """A rater's week with its rate, None if there was none; `amount`: hours × rate, to two decimals."""

    work: WeekOfWork
    rate: PayRate | None

    @property
    def amount(self) -> Decimal | None:
        if self.rate is None or self.rate.amount is None:
            return None
        hours = Decimal(self.work.worked.seconds) / 3600
        return (hours * self.rate.amount).quantize(CENT, ROUND_HALF_UP)


@transaction.atomic
def set_pay_rate(
    project: Project, amount: Decimal | None, currency: str, day: date, *, rater: User | None = None, actor: User
) -> PayRate:
    """Set the rate per hour from the week of `day` on, for all raters or one; None: no rate, for one that of all.

    Another rate from the same week on is replaced.
    """
    monday = day - timedelta(days=day.weekday())
    rate, is_new = PayRate.objects.select_for_update().get_or_create(
        project=project, rater=rater, starts_on=monday, defaults={"amount": amount, "currency": currency}
    )
    before = None if is_new else _as_text(rate)
    rate.amount, rate.currency = amount, currency
    rate.save(update_fields=["amount", "currency"])
    target = f"user:{rater.username}" if rater else f"project:{project.slug}"
    after = {"rate": _as_text(rate), "from": monday.isoformat()}
    record(actor, "set pay rate", target, project=project, before=before, after=after)
    return rate


def _as_text(rate: PayRate) -> str:
    return "" if rate.amount is None else f"{rate.amount} {rate.currency}"


def pay_rates(project: Project) -> QuerySet[PayRate]:
    """Return the rates: those of all raters first, the newest first."""
    return PayRate.objects.filter(project=project).select_related("rater")


def paid_weeks(weeks: Sequence[WeekOfWork], rates: Sequence[PayRate]) -> list[PaidWeek]:
    """Return the weeks with their rates."""
    return [PaidWeek(week, _rate_of(week, rates)) for week in weeks]


def shown_weeks(project: Project, rates: Sequence[PayRate]) -> list[PaidWeek]:
    """Return the weeks of work, newest first, and those of one week by what identifies the rater to the viewer."""
    weeks = paid_weeks(weeks_of_work(project), rates)
    return in_shown_order(weeks, lambda week: (-week.work.monday.toordinal(), shown_username(week.work.rater)))


def people_with_work(project: Project) -> QuerySet[User]:
    """Return members, and people who have or had a response, by user name."""
    people = User.objects.filter(pk__in=project.assignments.values("rater")) | project.members.all()
    return people.distinct().order_by("username")


def _rate_of(week: WeekOfWork, rates: Sequence[PayRate]) -> PayRate | None:
    """Return the newest rate that is valid in the week: the rater's own, else that of all."""
    for rater in (week.rater.pk, None):
        valid = [rate for rate in rates if rate.rater_id == rater and rate.starts_on <= week.monday]
        newest = max(valid, key=lambda rate: rate.starts_on, default=None)
        if newest and newest.amount is not None:
            return newest
    return None


def totals(weeks: Sequence[PaidWeek]) -> list[tuple[Decimal, str]]:
    """Return the sum of the amounts in each currency, by currency."""
    sums: dict[str, Decimal] = {}
    for week in weeks:
        if week.amount is not None and week.rate:
            sums[week.rate.currency] = sums.get(week.rate.currency, Decimal()) + week.amount
    return [(total, currency) for currency, total in sorted(sums.items())]
