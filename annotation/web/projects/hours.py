"""The page with the raters' hours, amounts and pay rates by week, for leads, and its file for a payroll."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.validators import RegexValidator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from ...access import project_for
from ...audit import record_download
from ...csv_guarding import csv_text, guard_cell
from ...models import Project, User
from ...projects.pay_rates import PaidWeek, pay_rates, people_with_work, set_pay_rate, shown_weeks, totals
from ...pseudonyms import active, shown_username
from ...site.database_clock import database_now
from ..accounts.fields import OnePerson, choose_from
from ..authentication import Request

COLUMNS = (
    "week_from", "rater", "name", "annotations", "ratings", "ratings_with_time", "hours", "rate", "currency", "amount",
)  # fmt: skip


class PayRateForm(forms.Form):
    """A rate per hour from a week on."""

    amount = forms.DecimalField(
        label="Rate per hour",
        required=False,
        min_value=0,
        max_digits=12,
        decimal_places=2,
        help_text="Empty: ends the rate. A single rater then has the rate of all raters again.",
    )
    currency = forms.CharField(
        label="Currency",
        max_length=3,
        validators=[RegexValidator(r"^[A-Za-z]{3}$", "Three letters, such as EUR or USD.")],
        help_text="Three letters, such as EUR or USD.",
    )
    rater = OnePerson(User.objects.none(), label="Raters", required=False, empty_label="All raters")
    starts_on = forms.DateField(
        label="From the week of",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="Weeks start on Monday. Earlier weeks keep their amounts.",
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        choose_from(self, "rater", people_with_work(project))

    def clean_currency(self) -> str:
        """Return the code in capitals."""
        return str(self.cleaned_data["currency"]).upper()


@require_http_methods(["GET", "HEAD", "POST"])
def hours(request: Request, slug: str) -> HttpResponse:
    """Show hours and annotations by week and rater, with amounts. A post sets a pay rate."""
    project = project_for(request.user, slug, needs="lead")
    rates = list(pay_rates(project))
    currency = rates[0].currency if rates else ""
    form = PayRateForm(
        project, request.POST or None, initial={"starts_on": timezone.localdate(database_now()), "currency": currency}
    )
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        amount, currency, day = values["amount"], values["currency"], values["starts_on"]
        set_pay_rate(project, amount, currency, day, rater=values["rater"], actor=request.user)
        messages.success(request, "The pay rate is saved.")
        return redirect("hours", project.slug)
    weeks = shown_weeks(project, rates)
    context = {
        "project": project,
        "form": form,
        "weeks": weeks,
        "rates": rates,
        "annotations": sum(week.work.annotations for week in weeks),
        "hours": sum(week.work.hours for week in weeks),
        "totals": totals(weeks),
    }
    return render(request, "projects/hours.html", context)


@require_safe
def hours_file(request: Request, slug: str) -> HttpResponse:
    """Return the same as CSV: dates as 2026-11-23, numbers with a point and without separators."""
    project = project_for(request.user, slug, needs="lead")
    text = csv_text([COLUMNS, *map(_row, shown_weeks(project, list(pay_rates(project))))])
    name = f"{project.slug}-hours.csv"
    record_download(request.user, f"project:{slug}", project=project, name=name, with_names=active() is None)
    response = HttpResponse(text.encode(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _row(week: PaidWeek) -> list[object]:
    work, rate = week.work, week.rate
    identifier = shown_username(work.rater)
    name = work.rater.get_full_name() if identifier == work.rater.username else ""
    counts = (work.annotations, work.worked.ratings, work.worked.timed, f"{work.hours:.4f}")
    pay = (rate.amount, rate.currency, week.amount) if rate else ("", "", "")
    return [work.monday.isoformat(), guard_cell(identifier), guard_cell(name), *counts, *pay]
