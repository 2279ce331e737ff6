"""Serializers of hours and pay rates."""

from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ..models import PayRate
from ..projects.pay_rates import CURRENCY
from .guidance_serializers import ShownPerson


class AmountField(serializers.DecimalField):
    """An amount of money, as text with two decimals."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_digits=12, decimal_places=2, **options)


class WeekOfWorkSerializer(serializers.Serializer[object]):
    """A rater's week from `week_from`, a Monday."""

    week_from = serializers.DateField(source="work.monday")
    rater = ShownPerson(source="work.rater", help_text="User name, or the pseudonym in a project that hides raters.")
    annotations = serializers.IntegerField(source="work.annotations", help_text="Finished responses.")
    ratings = serializers.IntegerField(source="work.worked.ratings")
    ratings_with_time = serializers.IntegerField(source="work.worked.timed")
    hours = serializers.FloatField(source="work.hours", help_text="Active hours of the ratings with a time.")
    rate = AmountField(source="rate.amount", allow_null=True, default=None, help_text="Per hour.")
    currency = serializers.CharField(source="rate.currency", allow_null=True, default=None)
    amount = AmountField(allow_null=True, help_text="Hours × rate.")


class HoursSerializer(serializers.Serializer[object]):
    """Weeks of work."""

    weeks = WeekOfWorkSerializer(many=True)


class PayRateSerializer(serializers.Serializer[PayRate]):
    """A rate per hour from the week of `starts_on` on."""

    rater = ShownPerson(allow_null=True, default=None, help_text="Null: all raters.")
    amount = AmountField(allow_null=True, help_text="Null: the rate ended.")
    currency = serializers.CharField()
    starts_on = serializers.DateField()


@extend_schema_serializer(
    examples=[
        OpenApiExample("A rate", {"amount": "18.50", "currency": "EUR", "starts_on": "2026-11-23"}, request_only=True)
    ]
)
class NewPayRateSerializer(serializers.Serializer[object]):
    """A rate per hour."""

    rater = serializers.CharField(required=False, default="", allow_blank=True, help_text="Empty: all raters.")
    amount = AmountField(
        allow_null=True, min_value=0, help_text="Null ends the rate: a single rater then has that of all."
    )
    currency = serializers.CharField(validators=[RegexValidator(CURRENCY)], help_text="Three capital letters.")
    starts_on = serializers.DateField(help_text="A day in the first week.")
