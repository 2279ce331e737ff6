"""What raters are paid per hour."""

from decimal import Decimal

from django.conf import settings
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q


class PayRate(models.Model):
    """A project's pay per hour from a week on, for all raters or one; see `projects.pay_rates`."""

    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="pay_rates")
    rater = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="+", help_text="Empty: of all."
    )
    starts_on = models.DateField(help_text="A Monday.")
    amount = models.DecimalField(
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text="Per hour; empty: no rate from then on, for one rater that of all.",
    )
    currency = models.CharField(max_length=3, validators=[RegexValidator(r"^[A-Z]{3}$")], help_text="ISO 4217.")

    class Meta:
        ordering = [models.F("rater__username").asc(nulls_first=True), "-starts_on"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "rater", "starts_on"], nulls_distinct=False, name="unique_pay_rate_start"
            ),
            models.CheckConstraint(condition=Q(amount=None) | Q(amount__gte=0), name="pay_rate_not_negative"),
            models.CheckConstraint(condition=Q(starts_on__iso_week_day=1), name="pay_rate_starts_on_monday"),
            models.CheckConstraint(condition=Q(currency__regex=r"^[A-Z]{3}$"), name="pay_rate_currency_valid"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} from {self.starts_on}"
