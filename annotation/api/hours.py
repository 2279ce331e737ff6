"""Hours, amounts and pay rates of a project's raters, for leads."""

from typing import Any

from django.core.validators import RegexValidator
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..audit import record_download
from ..models import PayRate
from ..projects.pay_rates import CURRENCY, pay_rates, people_with_work, set_pay_rate, shown_weeks
from ..pseudonyms import active, username_of
from .authentication import caller
from .parsers import validate
from .records import OptionalText, RowSerializer, ShownPerson, examples
from .views import ListView, ObjectView, ProjectView


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
    weeks = WeekOfWorkSerializer(many=True)


class PayRateSerializer(RowSerializer):
    """A rate per hour from the week of `starts_on` on."""

    rater = ShownPerson(allow_null=True, default=None, help_text="Null: all raters.")
    amount = AmountField(allow_null=True, help_text="Null: the rate ended.")

    class Meta:
        model = PayRate
        fields = ("rater", "amount", "currency", "starts_on")


@examples({"A rate": {"amount": "18.50", "currency": "EUR", "starts_on": "2026-11-23"}})
class NewPayRateSerializer(serializers.Serializer[object]):
    rater = OptionalText(help_text="Empty: all raters.")
    amount = AmountField(
        allow_null=True, min_value=0, help_text="Null ends the rate: a single rater then has that of all."
    )
    currency = serializers.CharField(validators=[RegexValidator(CURRENCY)], help_text="Three capital letters.")
    starts_on = serializers.DateField(help_text="A day in the first week.")


class Hours(ProjectView, ObjectView):
    """Hours, annotations and amounts by week and rater, the newest week first. The audit records it as a download.
    For leads.
    """

    serializer_class = HoursSerializer

    def get_object(self) -> dict[str, Any]:
        weeks = shown_weeks(self.project, list(pay_rates(self.project)))
        target, with_names = f"project:{self.project.slug}", active() is None
        record_download(caller(self.request), target, project=self.project, name="hours.json", with_names=with_names)
        return {"weeks": weeks}


class PayRates(ProjectView, ListView):
    """Rates per hour, the newest first. For leads."""

    serializer_class = PayRateSerializer
    ordering = "-pk"

    def get_queryset(self) -> QuerySet[PayRate]:
        return pay_rates(self.project)

    @extend_schema(request=NewPayRateSerializer, responses={201: PayRateSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Set the rate from the week of a day on, of all raters or of one; it replaces another rate from the same week
        on. For leads.
        """
        body, rater = validate(NewPayRateSerializer, request.data), None
        if body["rater"]:
            rater = people_with_work(self.project).filter(username=username_of(body["rater"])).first()
            if rater is None:
                raise ValidationError({"rater": ["No member or rater of this project has this name."]})
        rate = set_pay_rate(
            self.project, body["amount"], body["currency"], body["starts_on"], rater=rater, actor=caller(request)
        )
        return Response(PayRateSerializer(rate).data, status=status.HTTP_201_CREATED)
